"""The order of levels, rows and columns changes no bit of a result: random tables, asked twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bitsep import _native
from bitsep.independence.tests import METHODS

WAYS = ("margins", "bitmaps", "row_scan", "sort")
TESTS = [
    *(_native.Test(name) for name in METHODS),
    *(_native.Test(name, alpha=0.01) for name in METHODS),
    *(
        _native.Test(name, options={option.name: choice})
        for name, method in METHODS.items()
        for option in method.options.values()
        for choice in option.choices[1:]
    ),
]


@dataclass
class Question:
    """x against y given z, in columns of level codes."""

    columns: list[npt.NDArray[np.int8]]
    levels: list[int]
    weights: npt.NDArray[np.int64] | None
    x: int
    y: int
    z: list[int]

    @property
    def ways(self) -> tuple[str, ...]:
        return WAYS if self.weights is None else WAYS[2:]

    def answers(self, way: str) -> list[bytes]:
        """The records of all tests, counted in one way."""
        table = _native.Table(self.columns, self.levels, len(self.columns[0]), self.weights)
        z = np.array(sorted(self.z), np.int32)
        return [test.on(table, self.x, self.y, z, way).tobytes() for test in TESTS]

    def reordered(self, draw: np.random.Generator) -> Question:
        """The same question about the same data: rows, levels and columns in another order."""
        rows, places = draw.permutation(len(self.columns[0])), draw.permutation(len(self.columns))
        columns: list[Any] = [None] * len(places)
        levels = [0] * len(places)
        for old, new in enumerate(places):
            names = np.append(draw.permutation(self.levels[old]), -1).astype(np.int8)  # missing values stay so
            columns[new], levels[new] = names[self.columns[old][rows]], self.levels[old]
        weights = None if self.weights is None else self.weights[rows]
        x, y = (self.x, self.y) if draw.random() < 0.5 else (self.y, self.x)
        return Question(columns, levels, weights, places[x], places[y], [places[z] for z in self.z])


def question(draw: np.random.Generator) -> Question:
    """Small and large domains, few rows and many, missing values, weights up to 2^40."""
    given = int(draw.integers(0, 4))
    most = int(draw.choice([2, 4, 8, 30], p=[0.3, 0.4, 0.25, 0.05]))
    rows = int(draw.choice([20, 100, 700, 5000], p=[0.5, 0.42, 0.07, 0.01]))
    levels = [int(k) for k in draw.integers(1, most + 1, given + 2)]
    root = draw.integers(0, most, rows)
    columns = []
    for k in levels:
        noise = draw.integers(0, k, rows)
        column = np.where(draw.random(rows) < 0.6, root % k, noise)
        columns.append(np.where(draw.random(rows) < draw.choice([0.0, 0.1]), -1, column).astype(np.int8))
    weights = None
    if draw.random() < 0.15:
        weights = draw.integers(0, int(draw.choice([4, 1000, 2**40])), rows)
    return Question(columns, levels, weights, 0, 1, list(range(2, given + 2)))


def check_questions(seed: int, number: int) -> None:
    draw = np.random.default_rng(seed)
    kernels = _native.available_kernels()
    try:
        for _ in range(number):
            asked = question(draw)
            answers = []
            for way in asked.ways:
                _native.force_kernel(str(draw.choice(kernels)))
                answers.append(asked.reordered(draw).answers(way))
            assert all(other == answers[0] for other in answers[1:])
    finally:
        _native.force_kernel("")


@pytest.mark.parametrize("seed", range(4))
def test_order_of_levels_rows_and_columns_changes_no_bit(seed: int) -> None:
    check_questions(seed, 500)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_order_changes_no_bit_in_a_hundred_thousand_tables(seed: int) -> None:
    check_questions(seed, 5000)
