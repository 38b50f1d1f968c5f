"""Counting from rows with dicts, and the plug-in entropies of section 2."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

Row = tuple[Hashable, Hashable, Hashable]
"""One observation: its values of X, Y and Z, each possibly a tuple (a multivariate variable)."""

Columns = Sequence[Sequence[Hashable]]


def is_missing(value: object) -> bool:
    return value is None or value != value  # NaN is the only value that differs from itself


def joint(columns: Columns, n: int) -> list[tuple[Hashable, ...] | None]:
    """Several columns as one variable; missing where any part is. No columns: one constant value."""
    if not columns:
        return [()] * n
    return [None if any(map(is_missing, values)) else values for values in zip(*columns, strict=True)]


def domain_size(columns: Columns, weights: Sequence[int] | None = None) -> int:
    """How many values a variable takes in the whole table, also in rows that miss a value elsewhere."""
    n = len(columns[0])
    weights = [1] * n if weights is None else weights
    return len({v for v, times in zip(joint(columns, n), weights, strict=True) if times and v is not None})


def complete_rows(x: Columns, y: Columns, z: Columns, weights: Sequence[int] | None = None) -> list[Row]:
    """Rows with no missing value in X, Y or Z, each as often as its weight says."""
    n = len(x[0])
    weights = [1] * n if weights is None else weights
    rows = zip(joint(x, n), joint(y, n), joint(z, n), weights, strict=True)
    return [(a, b, c) for a, b, c, times in rows if None not in (a, b, c) for _ in range(times)]


def groups(values: Iterable[Hashable], by: Iterable[Hashable]) -> dict[Hashable, list[Hashable]]:
    """The values, sorted into one list per value of `by`."""
    found: dict[Hashable, list[Hashable]] = {}
    for value, key in zip(values, by, strict=True):
        found.setdefault(key, []).append(value)
    return found


def entropy(values: Sequence[Hashable]) -> float:
    """n times the plug-in entropy of the values, in bits: -Σ c log2(c/n)."""
    n = len(values)
    return -math.fsum(count * math.log2(count / n) for count in Counter(values).values())


def conditional_entropy(values: Sequence[Hashable], by: Sequence[Hashable]) -> float:
    """n times Ĥ(values | by), in bits: the first sum of the paper's SC_f (section 3.1)."""
    return math.fsum(entropy(group) for group in groups(values, by).values())
