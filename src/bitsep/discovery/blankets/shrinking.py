"""The common part of algorithms that grow and shrink a blanket: shrinking, and finding which members are spouses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bitsep.discovery.blankets.lockstep import Answer, Lockstep, Question, Scope, Search, without
from bitsep.discovery.blankets.neighborhoods import Blanket, Spouses

Members = dict[int, Answer]
"""The members of a blanket in ascending order, each with its test given all other members."""

Grow = Callable[[int, Scope], Search[Members]]


def evaluate_outside(target: int, members: Sequence[int], scope: Scope) -> Search[dict[int, Answer]]:
    """Test every variable outside the blanket given the blanket."""
    outside = [v for v in scope.others(target) if v not in members]
    if not outside:
        return {}
    (answers,) = yield [Question.given(target, outside, [tuple(sorted(members))] * len(outside))]
    return dict(zip(outside, answers, strict=True))


def shrink(target: int, members: Sequence[int]) -> Search[Members]:
    """Remove the most independent member given the others (ties: the last by name), until none is independent."""
    remaining = sorted(members)
    while remaining:
        (answers,) = yield [Question.given(target, remaining, [without(remaining, v) for v in remaining])]
        tested = dict(zip(remaining, answers, strict=True))
        independent = [v for v in remaining if tested[v].separated]
        if not independent:
            return tested
        remaining.remove(min(independent, key=lambda v: (tested[v].score, -v)))
    return {}


def blankets_from_members(grow: Grow, lockstep: Lockstep, targets: Sequence[int]) -> dict[int, Blanket]:
    """Blankets of the targets, split into neighbors and spouses.

    A member is a neighbor if no subset of the smaller of two sets separates it from the target: the rest of the
    target's blanket, and the rest of its own blanket (Margaritis & Thrun 2000). Both are correct; the smaller set
    needs fewer tests.
    """
    members = lockstep.each(grow, targets)
    members = lockstep.each(grow, sorted({*members, *(v for t in targets for v in members[t])}))
    results = lockstep.run([_split(t, members, lockstep.scope) for t in targets])
    blankets = {}
    for t, result in zip(targets, results, strict=True):
        tests = lockstep.tests(grow, [t, *members[t]]) + result.tests
        neighbors = {v: answer for v, answer in members[t].items() if v in result.value}
        spouses: Spouses = {v: (answer, None) for v, answer in members[t].items() if v not in result.value}
        blankets[t] = Blanket(neighbors, spouses, tests)
    return blankets


def _split(target: int, members: dict[int, Members], scope: Scope) -> Search[set[int]]:
    """The members that no subset separates from the target."""
    if not members[target]:
        return set()
    own = list(members[target])
    pools = [min(without(own, v), without(members[v], target, v), key=len) for v in own]
    (answers,) = yield [Question(target, own, pools, [()] * len(own), max_size=scope.max_given, stop="first")]
    return {v for v, answer in zip(own, answers, strict=True) if not answer.separated}
