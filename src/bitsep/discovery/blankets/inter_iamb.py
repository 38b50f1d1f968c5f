"""Inter-IAMB: like IAMB, but shrinks after every variable added (Tsamardinos et al. 2003)."""

from __future__ import annotations

from bitsep.discovery.blankets.lockstep import Scope, Search
from bitsep.discovery.blankets.shrinking import Members, evaluate_outside, shrink


def interleaved_association(target: int, scope: Scope) -> Search[Members]:
    """Add the most dependent variable and shrink, until nothing changes."""
    members: Members = {}
    seen: set[frozenset[int]] = set()
    # Tests on data may contradict each other, so that a blanket occurs again: it is final then.
    while frozenset(members) not in seen:
        seen.add(frozenset(members))
        tested = yield from evaluate_outside(target, list(members), scope)
        dependent = [v for v, answer in tested.items() if not answer.separated]
        if not dependent:
            break
        strongest = max(dependent, key=lambda v: (tested[v].score, -v))
        members = yield from shrink(target, [*members, strongest])
    return members
