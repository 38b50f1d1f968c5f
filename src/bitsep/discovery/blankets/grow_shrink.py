"""Grow-Shrink: add variables that depend on the target, then remove those that do not (Margaritis & Thrun 2000)."""

from __future__ import annotations

from bitsep.discovery.blankets.lockstep import Question, Scope, Search
from bitsep.discovery.blankets.shrinking import Members, evaluate_outside, shrink


def grow_then_shrink(target: int, scope: Scope) -> Search[Members]:
    """Add the first dependent candidate, in the order of dependence given nothing, until none is dependent; shrink."""
    others = scope.others(target)
    (answers,) = yield [Question.marginal(target, others)]
    queue = sorted(range(len(others)), key=lambda i: (-answers[i].score, others[i]))
    order = {others[i]: position for position, i in enumerate(queue)}
    members: list[int] = []
    tested = dict(zip(others, answers, strict=True))
    while dependent := [v for v, answer in tested.items() if not answer.separated]:
        members.append(min(dependent, key=lambda v: order[v]))
        tested = yield from evaluate_outside(target, members, scope)
    return (yield from shrink(target, members))
