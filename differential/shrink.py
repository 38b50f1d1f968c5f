"""A smaller case that still differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from differential.tables import Case


def shrink(case: Case, fails: Callable[[Case], bool]) -> Case:
    """Drop questions, rows, weights and differences between levels as long as the case fails."""
    smaller = True
    while smaller:
        smaller = False
        for candidate in candidates(case):
            if fails(candidate):
                case, smaller = candidate, True
                break
    return case


def candidates(case: Case) -> Iterator[Case]:
    """Cases that are a little smaller."""
    if len(case.queries) + len(case.families) > 1:
        for i in range(len(case.queries)):
            yield Case(case.kind, case.columns, case.weights, [case.queries[i]], [])
        for i in range(len(case.families)):
            yield Case(case.kind, case.columns, case.weights, [], [case.families[i]])
        return
    length = case.rows // 2
    while length >= 1:
        for begin in range(0, case.rows - length + 1, length):
            if case.rows > length:
                kept = [i for i in range(case.rows) if not begin <= i < begin + length]
                columns = [[column[i] for i in kept] for column in case.columns]
                weights = None if case.weights is None else [case.weights[i] for i in kept]
                yield Case(case.kind, columns, weights, case.queries, case.families)
        length //= 2
    if case.weights is not None:
        yield Case(case.kind, case.columns, None, case.queries, case.families)
        for i, weight in enumerate(case.weights):
            if weight > 1:
                weights = [*case.weights[:i], weight // 2, *case.weights[i + 1 :]]
                yield Case(case.kind, case.columns, weights, case.queries, case.families)
    for place, column in enumerate(case.columns):
        for row, value in enumerate(column):
            if value:
                changed = [*column[:row], 0, *column[row + 1 :]]
                columns = [*case.columns[:place], changed, *case.columns[place + 1 :]]
                yield Case(case.kind, columns, case.weights, case.queries, case.families)
