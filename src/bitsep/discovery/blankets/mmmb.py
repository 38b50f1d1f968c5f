"""MMPC and MMMB: max-min parents and children, and the blanket based on them (Tsamardinos, Aliferis & Statnikov 2003).

As first published both are wrong even with a perfect test, because MMPC may keep a descendant that no subset of the
neighbors separates. The symmetry correction (two variables are neighbors only if each finds the other) solves this;
`mmpc` is the search without the correction, which `blankets_from_neighborhoods` makes.
"""

from __future__ import annotations

from bitsep.discovery.blankets.lockstep import Answer, Question, Scope, Search, without
from bitsep.discovery.blankets.neighborhoods import Neighborhood


def mmpc(target: int, scope: Scope) -> Search[Neighborhood]:
    """Add the candidate whose lowest dependence is highest; then remove members that the others separate."""
    candidates = scope.others(target)
    (answers,) = yield [Question.marginal(target, candidates)]
    best = dict(zip(candidates, answers, strict=True))
    separated: dict[int, Answer] = {}
    size = None if scope.max_given is None else scope.max_given - 1
    added: list[int] = []  # in the order in which they were added
    while True:
        separated.update((v, best[v]) for v in candidates if best[v].separated)
        candidates = [v for v in candidates if not best[v].separated]
        if not candidates:
            break
        newest = max(candidates, key=lambda v: (best[v].score, -v))
        candidates.remove(newest)
        pool = tuple(sorted(added))
        added.append(newest)
        if candidates and scope.may_be_given(newest):
            count = len(candidates)
            (answers,) = yield [
                Question(target, candidates, [pool] * count, [(newest,)] * count, max_size=size, stop="first")
            ]
            best.update((v, best[v].lower(answer)) for v, answer in zip(candidates, answers, strict=True))

    # A member was tested given every subset of the earlier members when it was added; only sets with a later member
    # are new. Taking the later members one by one, with the members still kept, repeats no test and keeps pools small.
    kept: list[int] = []
    for later in added:
        if kept and scope.may_be_given(later):
            pools = [without(kept, v) for v in kept]
            (answers,) = yield [Question(target, kept, pools, [(later,)] * len(kept), max_size=size, stop="first")]
            for v, answer in zip(kept, answers, strict=True):
                best[v] = best[v].lower(answer)
        separated.update((v, best[v]) for v in kept if best[v].separated)
        kept = sorted([*(v for v in kept if v not in separated), later])
    return Neighborhood(tuple(kept), {v: best[v] for v in kept}, separated)
