"""The order of levels, rows and columns changes no bit of a result on any backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import bitsep
from bitsep.independence.tests import METHODS

_TABLES = 10  # in one frame, each with columns of its own
_OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in METHODS),
    *(
        (name, {option.name: choice})
        for name, method in METHODS.items()
        for option in method.options.values()
        for choice in option.choices[1:]
    ),
]
_Query = tuple[str, str, tuple[str, ...]]


def column_twice(draw: np.random.Generator, root: Any) -> tuple[pa.Array, pa.Array]:
    """A column, and the same with its levels renamed."""
    levels = int(draw.integers(1, 7))
    codes = np.where(draw.random(len(root)) < 0.6, root % levels, draw.integers(0, levels, len(root)))
    missing = draw.random(len(root)) < draw.choice([0.0, 0.1])
    return tuple(  # type: ignore[return-value]
        pa.array([None if m else f"v{names[c]}" for c, m in zip(codes, missing, strict=True)], pa.string())
        for names in (range(levels), draw.permutation(levels))
    )


def frame_twice(draw: np.random.Generator) -> tuple[tuple[pa.Table, list[_Query]], tuple[pa.Table, list[_Query]]]:
    """Random tables in one frame; and the same with other names, rows, levels and columns in another order."""
    rows = int(draw.integers(5, 800))
    first, second = {}, {}
    asked: list[_Query] = []
    asked_again: list[_Query] = []
    for number in range(_TABLES):
        root, variables = draw.integers(0, 6, rows), int(draw.integers(2, 6))
        names = [f"t{number} {i}" for i in range(variables)]
        others = [f"u{i} {number}" for i in draw.permutation(variables)]
        for name, other in zip(names, others, strict=True):
            first[name], second[other] = column_twice(draw, root)
        asked.append((names[0], names[1], tuple(names[2:])))
        asked_again.append((others[1], others[0], tuple(others[:1:-1])))
    order = [list(second)[i] for i in draw.permutation(len(second))]
    table = pa.table({name: second[name] for name in order}).take(draw.permutation(rows))
    return (pa.table(first), asked), (table, asked_again)


def numbers(data: Any, queries: list[_Query], method: str, options: dict[str, Any]) -> list[Any]:
    results = bitsep.evaluate(data, queries, method=method, **options)
    return [(r.independent, r.score_bits, r.cmi_bits, r.threshold_bits, r.statistic, r.df) for r in results]


def check_backend(opened: Callable[[pa.Table], Any], seed: int, frames: int) -> None:
    draw = np.random.default_rng(seed)
    for _ in range(frames):
        (table, asked), (reordered, asked_again) = frame_twice(draw)
        method, options = _OPTIONS[draw.integers(len(_OPTIONS))]
        expected = numbers(table, asked, method, options)
        assert numbers(opened(table), asked, method, options) == expected
        assert numbers(opened(reordered), asked_again, method, options) == expected


@pytest.mark.parametrize("seed", range(4))
def test_order_changes_no_bit_in_a_thousand_tables_on_a_stream(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from bitsep.data import budget

    monkeypatch.setattr(budget, "_MAX_ROWS", 300)
    check_backend(lambda table: bitsep.scan(table, memory="64MB"), seed, 1000 // _TABLES // 4)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_order_changes_no_bit_in_a_hundred_tables_on_spark(spark: Any) -> None:
    check_backend(lambda table: bitsep.scan_spark(spark.createDataFrame(table.to_pandas())), 4, 100 // _TABLES)
