"""What the algorithms that grow and shrink a whole blanket have in common: shrinking, and telling spouses apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bitsep.discovery.blankets.local import Blanket, Spouses
from bitsep.discovery.blankets.lockstep import Ask, Lockstep, Scope, Search, Trial, without

Members = dict[int, Trial]
"""The members of a blanket, ascending, each with its test given all the others."""

Grow = Callable[[int, Scope], Search[Members]]


def ask_outside(target: int, members: Sequence[int], scope: Scope) -> Search[dict[int, Trial]]:
    """Every variable outside the blanket, tested given the blanket."""
    outside = [v for v in scope.others(target) if v not in members]
    if not outside:
        return {}
    (trials,) = yield [Ask.given(target, outside, [tuple(sorted(members))] * len(outside))]
    return dict(zip(outside, trials, strict=True))


def shrink(target: int, members: Sequence[int]) -> Search[Members]:
    """Drop the most independent member given the others (of equals the last), until none is independent."""
    remaining = sorted(members)
    while remaining:
        (trials,) = yield [Ask.given(target, remaining, [without(remaining, v) for v in remaining])]
        tested = dict(zip(remaining, trials, strict=True))
        independent = [v for v in remaining if tested[v].separated]
        if not independent:
            return tested
        remaining.remove(min(independent, key=lambda v: (tested[v].score, -v)))
    return {}


def blankets_from_members(lockstep: Lockstep, grow: Grow, targets: Sequence[int]) -> dict[int, Blanket]:
    """Blankets of the targets, split into neighbors and spouses.

    A member is a neighbor if no subset of the smaller of two sets separates it from the target: the rest of the
    target's blanket, and the rest of its own (Margaritis & Thrun 2000). Either would do; the smaller keeps it short.
    """
    members = lockstep.each(grow, targets)
    members = lockstep.each(grow, sorted({*members, *(v for t in targets for v in members[t])}))
    outcomes = lockstep.run([_split(t, members, lockstep.scope) for t in targets])
    blankets = {}
    for t, outcome in zip(targets, outcomes, strict=True):
        tests = lockstep.tests(grow, [t, *members[t]]) + outcome.tests
        neighbors = {v: trial for v, trial in members[t].items() if v in outcome.value}
        spouses: Spouses = {v: (trial, None) for v, trial in members[t].items() if v not in outcome.value}
        blankets[t] = Blanket(neighbors, spouses, tests)
    return blankets


def _split(target: int, members: dict[int, Members], scope: Scope) -> Search[set[int]]:
    """The members that nothing separates from the target."""
    if not members[target]:
        return set()
    mine = list(members[target])
    pools = [min(without(mine, v), without(members[v], target, v), key=len) for v in mine]
    (trials,) = yield [Ask(target, mine, pools, [()] * len(mine), max_size=scope.max_given, stop="first")]
    return {v for v, trial in zip(mine, trials, strict=True) if not trial.separated}
