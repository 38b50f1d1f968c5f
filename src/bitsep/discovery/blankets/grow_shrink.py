"""Grow-Shrink: add whatever still depends on the target, then drop what does not (Margaritis & Thrun 2000)."""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.discovery.blankets.local import Blanket
from bitsep.discovery.blankets.lockstep import Ask, Lockstep, Scope, Search
from bitsep.discovery.blankets.shrinking import Members, ask_outside, blankets_from_members, shrink


def grow_shrink(lockstep: Lockstep, targets: Sequence[int]) -> dict[int, Blanket]:
    """The Markov blankets of the targets."""
    return blankets_from_members(lockstep, grow_then_shrink, targets)


def grow_then_shrink(target: int, scope: Scope) -> Search[Members]:
    """Candidates wait in the order of their dependence given nothing; the first that still depends enters."""
    others = scope.others(target)
    (trials,) = yield [Ask.marginal(target, others)]
    queue = sorted(range(len(others)), key=lambda i: (-trials[i].score, others[i]))
    order = {others[i]: place for place, i in enumerate(queue)}
    members: list[int] = []
    tested = dict(zip(others, trials, strict=True))
    while dependent := [v for v, trial in tested.items() if not trial.separated]:
        members.append(min(dependent, key=lambda v: order[v]))
        tested = yield from ask_outside(target, members, scope)
    return (yield from shrink(target, members))
