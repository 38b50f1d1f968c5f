"""From neighborhoods to blankets: what PCMB, MMMB and HITON-MB have in common.

They differ in how they find the neighbors of one variable. What follows is the same for all: the symmetry
correction, and the search for spouses among the neighbors' neighbors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bitsep.discovery.blankets.lockstep import Ask, Lockstep, Scope, Search, Trial


@dataclass(frozen=True, slots=True)
class Neighborhood:
    """What a search for the neighbors of one variable found, before the symmetry correction.

    members : ascending.
    weakest : for each member the test in which it came closest to being dropped.
    separators : for each variable dropped the test that did it.
    """

    members: tuple[int, ...]
    weakest: dict[int, Trial]
    separators: dict[int, Trial]


Spouses = dict[int, tuple[Trial, int | None]]
"""Each spouse with the test that shows it and the common child, where one is known."""

Suspect = tuple[int, int, tuple[int, ...]]
"""(x, y, separator of target and x): x may be a spouse through the common child y."""


@dataclass(frozen=True, slots=True)
class Blanket:
    """A blanket by index: the test behind each member, and for a spouse the common child.

    tests : tests this blanket rests on, whether or not other blankets share them.
    """

    neighbors: dict[int, Trial]
    spouses: Spouses
    tests: int


Find = Callable[[int, Scope], Search[Neighborhood]]


def blankets_from_neighborhoods(lockstep: Lockstep, find: Find, targets: Sequence[int]) -> dict[int, Blanket]:
    """Neighbors confirmed from both sides, plus the spouses, for every target; each neighborhood is sought once."""
    near = lockstep.each(find, targets)
    near = lockstep.each(find, _reach(near, near))
    neighbors = {t: confirmed(t, near) for t in targets}
    second = sorted({v for t in targets for v in neighbors[t]})
    near = lockstep.each(find, _reach(near, second))
    neighbors = {v: confirmed(v, near) for v in {*targets, *second}}

    suspects = {t: _suspects(t, neighbors, near) for t in targets}
    outcomes = lockstep.run([_spouses(t, suspects[t]) for t in targets])
    blankets = {}
    for t, outcome in zip(targets, outcomes, strict=True):
        used = {t, *near[t].members, *(v for y in neighbors[t] for v in near[y].members)}
        tests = lockstep.tests(find, used) + outcome.tests
        blankets[t] = Blanket({v: near[t].weakest[v] for v in neighbors[t]}, outcome.value, tests)
    return blankets


def confirmed(variable: int, near: dict[int, Neighborhood]) -> tuple[int, ...]:
    """The symmetry correction: a neighbor only if each finds the other."""
    return tuple(v for v in near[variable].members if variable in near[v].members)


def _reach(near: dict[int, Neighborhood], variables: Iterable[int]) -> list[int]:
    """All variables in sight so far, and the members found for these."""
    return sorted({*near, *(v for variable in variables for v in near[variable].members)})


def _suspects(target: int, neighbors: dict[int, tuple[int, ...]], near: dict[int, Neighborhood]) -> list[Suspect]:
    """Who may be a spouse: the neighbors of neighbors.

    The separator is the one recorded when x was dropped for the target; if it never was, the one recorded when the
    target was dropped for x. A separator that holds y says that y is no common child, so there is nothing to test.
    """
    found = []
    for y in neighbors[target]:
        for x in neighbors[y]:
            if x == target or x in neighbors[target]:
                continue
            trial = near[target].separators.get(x) or near[x].separators.get(target)
            if trial is not None and y not in trial.given:
                found.append((x, y, trial.given))
    return found


def _spouses(target: int, suspects: list[Suspect]) -> Search[Spouses]:
    """The suspects that become dependent on the target once the common child is given as well."""
    if not suspects:
        return {}
    given = [tuple(sorted((*separator, y))) for _, y, separator in suspects]
    (trials,) = yield [Ask.given(target, [x for x, _, _ in suspects], given)]
    spouses: Spouses = {}
    for (x, y, _), trial in zip(suspects, trials, strict=True):
        # Of several common children the one that shows the strongest dependence stands as evidence.
        if not trial.separated and (x not in spouses or trial.score > spouses[x][0].score):
            spouses[x] = (trial, y)
    return dict(sorted(spouses.items()))
