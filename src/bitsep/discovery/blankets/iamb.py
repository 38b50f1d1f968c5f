"""IAMB: add the most dependent variable given the blanket so far, then shrink (Tsamardinos et al. 2003)."""

from __future__ import annotations

from bitsep.discovery.blankets.lockstep import Scope, Search
from bitsep.discovery.blankets.shrinking import Members, evaluate_outside, shrink


def incremental_association(target: int, scope: Scope) -> Search[Members]:
    """Add the most dependent variable until no other variable depends on the target; then shrink."""
    members: list[int] = []
    while True:
        tested = yield from evaluate_outside(target, members, scope)
        dependent = [v for v, answer in tested.items() if not answer.separated]
        if not dependent:
            return (yield from shrink(target, members))
        members.append(max(dependent, key=lambda v: (tested[v].score, -v)))
