"""HITON-PC and HITON-MB (Aliferis, Tsamardinos & Statnikov 2003), with the symmetry correction.

As first published both are wrong even with a perfect test, for the reason told in `mmmb.py`; `hiton_pc` is the search
before the correction, `hiton_mb` comes with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.discovery.blankets.local import Blanket, Neighborhood, blankets_from_neighborhoods
from bitsep.discovery.blankets.lockstep import Ask, Lockstep, Scope, Search, without


def hiton_mb(lockstep: Lockstep, targets: Sequence[int]) -> dict[int, Blanket]:
    """The Markov blankets of the targets."""
    return blankets_from_neighborhoods(lockstep, hiton_pc, targets)


def hiton_pc(target: int, scope: Scope) -> Search[Neighborhood]:
    """Take the candidates by their dependence on the target; after each entry drop members that the others separate."""
    others = scope.others(target)
    (trials,) = yield [Ask.marginal(target, others)]
    best = dict(zip(others, trials, strict=True))
    gone = {v: best[v] for v in others if best[v].separated}
    members: list[int] = []
    for newest in sorted((v for v in others if v not in gone), key=lambda v: (-best[v].score, v)):
        if members and scope.max_given != 0:
            pool = tuple(members)
            ((trial,),) = yield [
                Ask(target, [newest], [pool], [()], min_size=1, max_size=scope.max_given, stop="first")
            ]
            best[newest] = best[newest].lower(trial)
            if best[newest].separated:
                gone[newest] = best[newest]
                continue
            pools = [without(members, v) for v in members]
            size = None if scope.max_given is None else scope.max_given - 1
            always = [(newest,)] * len(members)
            (trials,) = yield [Ask(target, members, pools, always, max_size=size, stop="first")]
            for v, trial in zip(members, trials, strict=True):
                best[v] = best[v].lower(trial)
            gone.update((v, best[v]) for v in members if best[v].separated)
        members = sorted([*(v for v in members if v not in gone), newest])
    return Neighborhood(tuple(members), {v: best[v] for v in members}, gone)
