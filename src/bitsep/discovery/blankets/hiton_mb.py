"""HITON-PC and HITON-MB (Aliferis, Tsamardinos & Statnikov 2003), with the symmetry correction.

As first published both are wrong even with a perfect test, for the reason given in `mmmb.py`; `hiton_pc` is the search
without the correction, which `blankets_from_neighborhoods` makes.
"""

from __future__ import annotations

from bitsep.discovery.blankets.lockstep import Question, Scope, Search, without
from bitsep.discovery.blankets.neighborhoods import Neighborhood


def hiton_pc(target: int, scope: Scope) -> Search[Neighborhood]:
    """Add candidates by decreasing dependence on the target; after each, remove members that the others separate."""
    others = scope.others(target)
    (answers,) = yield [Question.marginal(target, others)]
    best = dict(zip(others, answers, strict=True))
    separated = {v: best[v] for v in others if best[v].separated}
    members: list[int] = []
    for newest in sorted((v for v in others if v not in separated), key=lambda v: (-best[v].score, v)):
        if members and scope.max_given != 0:
            pool = tuple(members)
            ((answer,),) = yield [
                Question(target, [newest], [pool], [()], min_size=1, max_size=scope.max_given, stop="first")
            ]
            best[newest] = best[newest].lower(answer)
            if best[newest].separated:
                separated[newest] = best[newest]
                continue
            if scope.may_be_given(newest):
                pools = [without(members, v) for v in members]
                size = None if scope.max_given is None else scope.max_given - 1
                always = [(newest,)] * len(members)
                (answers,) = yield [Question(target, members, pools, always, max_size=size, stop="first")]
                for v, answer in zip(members, answers, strict=True):
                    best[v] = best[v].lower(answer)
                separated.update((v, best[v]) for v in members if best[v].separated)
        members = sorted([*(v for v in members if v not in separated), newest])
    return Neighborhood(tuple(members), {v: best[v] for v in members}, separated)
