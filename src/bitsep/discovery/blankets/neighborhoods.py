"""Finds blankets from neighborhoods: the common part of PCMB, MMMB and HITON-MB.

The algorithms differ in how they find the neighbors of one variable. The next steps are the same: the symmetry
correction, and the search for spouses among the neighbors of neighbors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bitsep.discovery.blankets.lockstep import Answer, Lockstep, Question, Scope, Search


@dataclass(frozen=True, slots=True)
class Neighborhood:
    """The result of a search for the neighbors of one variable, before the symmetry correction.

    members : the neighbors, in ascending order.
    weakest : for each member, the test that came closest to removing it.
    separators : for each variable removed, the test that removed it.
    """

    members: tuple[int, ...]
    weakest: dict[int, Answer]
    separators: dict[int, Answer]


Spouses = dict[int, tuple[Answer, int | None]]
"""Each spouse with the test that shows it, and the common child if it is known."""

Candidate = tuple[int, int, tuple[int, ...]]
"""(x, y, separator of target and x): x may be a spouse through the common child y."""


@dataclass(frozen=True, slots=True)
class Blanket:
    """A blanket of indices: the test behind each member, and for a spouse the common child.

    tests : the number of tests used for this blanket, including those shared with other blankets.
    """

    neighbors: dict[int, Answer]
    spouses: Spouses
    tests: int


Find = Callable[[int, Scope], Search[Neighborhood]]


def blankets_from_neighborhoods(find: Find, lockstep: Lockstep, targets: Sequence[int]) -> dict[int, Blanket]:
    """The blanket of every target: neighbors after the symmetry correction, and spouses."""
    near = lockstep.each(find, targets)
    near = lockstep.each(find, _extended(near, near))
    neighbors = {t: confirmed(t, near) for t in targets}
    second = sorted({v for t in targets for v in neighbors[t]})
    near = lockstep.each(find, _extended(near, second))
    neighbors = {v: confirmed(v, near) for v in {*targets, *second}}

    candidates = {t: _spouse_candidates(t, neighbors, near) for t in targets}
    results = lockstep.run([_spouses(t, candidates[t]) for t in targets])
    blankets = {}
    for t, result in zip(targets, results, strict=True):
        used = {t, *near[t].members, *(v for y in neighbors[t] for v in near[y].members)}
        tests = lockstep.tests(find, used) + result.tests
        blankets[t] = Blanket({v: near[t].weakest[v] for v in neighbors[t]}, result.value, tests)
    return blankets


def confirmed(variable: int, near: dict[int, Neighborhood]) -> tuple[int, ...]:
    """The symmetry correction: two variables are neighbors only if each finds the other."""
    return tuple(v for v in near[variable].members if variable in near[v].members)


def _extended(near: dict[int, Neighborhood], variables: Iterable[int]) -> list[int]:
    """The variables whose neighborhoods are known, and the members of the neighborhoods of `variables`."""
    return sorted({*near, *(v for variable in variables for v in near[variable].members)})


def _spouse_candidates(
    target: int, neighbors: dict[int, tuple[int, ...]], near: dict[int, Neighborhood]
) -> list[Candidate]:
    """The variables that may be spouses: the neighbors of neighbors.

    The separator is the one that removed x from the neighborhood of the target or, if there is none, the one that
    removed the target from the neighborhood of x. If it contains y, then y is not a common child, and no test is
    needed.
    """
    found = []
    for y in neighbors[target]:
        for x in neighbors[y]:
            if x == target or x in neighbors[target]:
                continue
            answer = near[target].separators.get(x) or near[x].separators.get(target)
            if answer is not None and y not in answer.given:
                found.append((x, y, answer.given))
    return found


def _spouses(target: int, candidates: list[Candidate]) -> Search[Spouses]:
    """The candidates that depend on the target given the separator and the common child."""
    if not candidates:
        return {}
    given = [tuple(sorted((*separator, y))) for _, y, separator in candidates]
    (answers,) = yield [Question.given(target, [x for x, _, _ in candidates], given)]
    spouses: Spouses = {}
    for (x, y, _), answer in zip(candidates, answers, strict=True):
        # Of several common children, the evidence is the one with the strongest dependence.
        if not answer.separated and (x not in spouses or answer.score > spouses[x][0].score):
            spouses[x] = (answer, y)
    return dict(sorted(spouses.items()))
