"""Inter-IAMB: as IAMB, but shrinks after every variable that enters (Tsamardinos et al. 2003)."""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.discovery.blankets.local import Blanket
from bitsep.discovery.blankets.lockstep import Lockstep, Scope, Search
from bitsep.discovery.blankets.shrinking import Members, ask_outside, blankets_from_members, shrink


def inter_iamb(lockstep: Lockstep, targets: Sequence[int]) -> dict[int, Blanket]:
    """The Markov blankets of the targets."""
    return blankets_from_members(lockstep, interleaved_association, targets)


def interleaved_association(target: int, scope: Scope) -> Search[Members]:
    """Grow by the strongest and shrink at once, until nothing changes."""
    members: Members = {}
    seen: set[frozenset[int]] = set()
    # On data the tests may contradict each other, and a blanket come back that was there before: then it is final.
    while frozenset(members) not in seen:
        seen.add(frozenset(members))
        tested = yield from ask_outside(target, list(members), scope)
        dependent = [v for v, trial in tested.items() if not trial.separated]
        if not dependent:
            break
        strongest = max(dependent, key=lambda v: (tested[v].score, -v))
        members = yield from shrink(target, [*members, strongest])
    return members
