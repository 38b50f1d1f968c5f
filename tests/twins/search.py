"""The search for a separator, by trying all subsets in the order the contract names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations


def subsets_in_order(pool: Sequence[str], max_given: int | None) -> Iterator[tuple[str, ...]]:
    """Smallest first, then lexicographic by name."""
    names = sorted(pool)
    largest = len(names) if max_given is None else min(max_given, len(names))
    for size in range(largest + 1):
        yield from combinations(names, size)


def first_separator(
    independent: Callable[[tuple[str, ...]], bool], pool: Sequence[str], max_given: int | None = None
) -> tuple[tuple[str, ...] | None, int]:
    """The first subset given which the pair is independent (None if there is none), and the number of tests made."""
    tests = 0
    for given in subsets_in_order(pool, max_given):
        tests += 1
        if independent(given):
            return given, tests
    return None, tests
