"""MMPC and MMMB: max-min parents and children, and the blanket built on them (Tsamardinos, Aliferis & Statnikov 2003).

As first published both are wrong even with a perfect test, because MMPC may keep a descendant that no subset of the
neighbors separates. The symmetry correction (a neighbor only if each finds the other) mends it; `mmpc` is the
search before the correction, `mmmb` comes with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.discovery.blankets.local import Blanket, Neighborhood, blankets_from_neighborhoods
from bitsep.discovery.blankets.lockstep import Ask, Lockstep, Scope, Search, Trial, without


def mmmb(lockstep: Lockstep, targets: Sequence[int]) -> dict[int, Blanket]:
    """The Markov blankets of the targets."""
    return blankets_from_neighborhoods(lockstep, mmpc, targets)


def mmpc(target: int, scope: Scope) -> Search[Neighborhood]:
    """Grow by the candidate whose least dependence is greatest; then drop members that the others separate."""
    candidates = scope.others(target)
    (trials,) = yield [Ask.marginal(target, candidates)]
    best = dict(zip(candidates, trials, strict=True))
    gone: dict[int, Trial] = {}
    size = None if scope.max_given is None else scope.max_given - 1
    joined: list[int] = []  # in order of entry
    while True:
        gone.update((v, best[v]) for v in candidates if best[v].separated)
        candidates = [v for v in candidates if not best[v].separated]
        if not candidates:
            break
        newest = max(candidates, key=lambda v: (best[v].score, -v))
        candidates.remove(newest)
        pool = tuple(sorted(joined))
        joined.append(newest)
        if candidates and scope.max_given != 0:
            count = len(candidates)
            (trials,) = yield [
                Ask(target, candidates, [pool] * count, [(newest,)] * count, max_size=size, stop="first")
            ]
            best.update((v, best[v].lower(trial)) for v, trial in zip(candidates, trials, strict=True))

    # A member met every subset of those before it when it entered; only sets with a later one are new. Going through
    # the later ones in turn, each against what is left, never asks twice and keeps the pools small.
    kept: list[int] = []
    for later in joined:
        if kept and scope.max_given != 0:
            pools = [without(kept, v) for v in kept]
            (trials,) = yield [Ask(target, kept, pools, [(later,)] * len(kept), max_size=size, stop="first")]
            for v, trial in zip(kept, trials, strict=True):
                best[v] = best[v].lower(trial)
        gone.update((v, best[v]) for v in kept if best[v].separated)
        kept = sorted([*(v for v in kept if v not in gone), later])
    return Neighborhood(tuple(kept), {v: best[v] for v in kept}, gone)
