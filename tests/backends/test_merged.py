"""Columns merged into one variable, on every backend, against tuples of values in plain Python."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitsep
from bitsep import Table
from bitsep.errors import DataError

Row = tuple[Any, ...]
rows_of = st.lists(st.tuples(*[st.one_of(st.integers(0, 2), st.none())] * 3, st.integers(1, 3)), min_size=2)


def joint(data: Any, merged: tuple[str, ...], other: str) -> dict[tuple[int, int], int]:
    """The counts of (merged variable, other column) by code."""
    counter = data.counter().merged([merged, other])
    x, y = counter.places[merged], counter.places[other]
    [counts] = counter.joint_counts([tuple(sorted((x, y)))])
    codes, count = counts.occupied()
    by_variable = dict(zip(counts.variables, codes, strict=True))
    return {
        (int(a), int(b)): int(n) for a, b, n in zip(by_variable[x], by_variable[y], count, strict=True)
    }  # fmt: skip


@pytest.mark.parametrize("stream", [False, True])
@settings(max_examples=60, deadline=None)
@given(rows=rows_of)
def test_merged_columns_count_tuples_of_values(stream: bool, rows: list[Row]) -> None:
    columns = {name: pa.array([row[i] for row in rows], pa.int64()) for i, name in enumerate("abcw")}
    table = pa.table(columns)
    data = bitsep.scan(table, weights="w") if stream else Table(table, weights="w")
    levels = sorted({row[:2] for row in rows if None not in row[:2]})
    others = sorted({row[2] for row in rows if row[2] is not None})
    expected: Counter[tuple[int, int]] = Counter()
    for *values, weight in rows:
        if None not in values:
            expected[levels.index(tuple(values[:2])), others.index(values[2])] += weight
    merged = data.counter().merged([("a", "b"), "c"])
    assert merged.n_levels(merged.places["a", "b"]) == len(levels)
    if levels and others:
        assert joint(data, ("a", "b"), "c") == dict(expected)
        sums = Counter(levels.index(row[:2]) for row in rows for _ in range(row[3]) if None not in row[:2])
        assert merged.level_counts(merged.places["a", "b"]).tolist() == [sums[k] for k in range(len(levels))]


def test_many_wide_parts_do_not_overflow() -> None:
    data = np.random.default_rng(3).permuted(np.tile(np.arange(2000), (12, 1)), axis=1).T
    merged = Table(data).counter().merged([tuple(range(12))])
    assert merged.n_levels(0) == 2000
    assert merged.level_counts(0).tolist() == [1] * 2000


def test_too_many_combinations_are_refused() -> None:
    wide = {"a": np.repeat(np.arange(1100), 1100), "b": np.tile(np.arange(1100), 1100)}
    for data in (Table(wide), bitsep.scan(pa.table(wide))):
        with pytest.raises(DataError, match=r"together have too many levels; .* got 1,210,000"):
            data.counter().merged([("a", "b")])
