"""Every statistic against its textbook twin on random small tables, the odd ones included."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
import twins
from bitsep.independence import METHODS
from twins.strategies import Columns, methods, quick, tables, thorough

FIELDS = (
    "score_bits",
    "cmi_bits",
    "threshold_bits",
    "statistic",
    "df",
    "p_value",
    "n",
    "no_hypercompression_bound",
    "small_sample",
)


def names_of(columns: str | list[str]) -> list[str]:
    return [columns] if isinstance(columns, str) else columns


def agree(columns: Columns, x: str | list[str], y: str | list[str], z: list[str], method: str, **options: Any) -> None:
    """bitsep and the twin say the same; the verdict only where rounding cannot tip it."""
    found = bitsep.independence_test(columns, x, y, given=z, method=method, **options)
    xs, ys, zs = ([columns[name] for name in names_of(group)] for group in (x, y, z))
    expected = twins.evaluate(xs, ys, zs, method, **options)
    for field in FIELDS:
        value = expected[field]
        close = value if value is None or isinstance(value, bool | int) else pytest.approx(value, abs=1e-9, rel=1e-9)
        assert getattr(found, field) == close, field
    if abs(expected["score_bits"] - 1e-7) > 2e-8:
        assert found.independent == expected["independent"]


@given(tables(), methods, st.sampled_from([[], ["a"], ["b", "a"], ["a", "b", "c"]]))
@thorough
def test_random_tables(columns: Columns, method: str, z: list[str]) -> None:
    agree(columns, "x", "y", z, method)


@given(tables(missing=True), methods, st.sampled_from([[], ["a"], ["c", "a"]]))
@thorough
def test_missing_values(columns: Columns, method: str, z: list[str]) -> None:
    used = list(zip(*(columns[name] for name in ("x", "y", *z)), strict=True))
    if any(None not in row for row in used):
        agree(columns, "x", "y", z, method)


@given(tables(names="uvwxyz"), methods)
@quick
def test_multivariate_x_and_y(columns: Columns, method: str) -> None:
    agree(columns, ["u", "v"], "y", ["z"], method)
    agree(columns, "y", ["u", "v"], ["z"], method)
    agree(columns, ["u", "v"], ["x", "y"], ["z", "w"], method)
    agree(columns, ["u"], ["x"], ["z"], method)


@given(tables(), methods, st.sampled_from([0.5, 0.05, 0.01, 1e-6]))
@quick
def test_significance_levels(columns: Columns, method: str, alpha: float) -> None:
    agree(columns, "x", "y", ["a"], method, alpha=alpha)


OPTIONS = [
    (method.name, option.name, value)
    for method in METHODS.values()
    for option in method.options.values()
    for value in option.choices or (0.0, 0.01, 0.5, 3)
]


@given(tables(), st.sampled_from(OPTIONS))
@thorough
def test_options(columns: Columns, chosen: tuple[str, str, float | str]) -> None:
    method, option, value = chosen
    agree(columns, "x", "y", ["a", "b", "c"], method, **{option: value})


def test_every_test_has_a_twin() -> None:
    assert list(METHODS) == list(twins.METHODS)


@pytest.mark.parametrize("method", twins.METHODS)
class TestOddTables:
    """Shapes at the edge of what is legal."""

    def test_one_row(self, method: str) -> None:
        for z in ([], ["z"]):
            agree({"x": [3], "y": ["a"], "z": [True]}, "x", "y", z, method)

    def test_constant_columns(self, method: str) -> None:
        columns = {"x": [0] * 9, "y": [1] * 9, "z": [2] * 9, "w": [0, 1, 2] * 3, "v": [0, 0, 1] * 3}
        agree(columns, "x", "y", ["z"], method)
        agree(columns, "x", "w", ["v"], method)
        agree(columns, "w", "v", ["x", "z"], method)

    def test_all_unique_columns(self, method: str) -> None:
        columns: Columns = {name: list(range(60)) for name in "xyz"} | {"w": [i % 3 for i in range(60)]}
        agree(columns, "x", "y", [], method)
        agree(columns, "x", "w", [], method)
        agree(columns, "w", "x", ["z"], method)
        agree(columns, "x", "y", ["w"], method)

    def test_balanced_independence(self, method: str) -> None:
        columns = {"x": [0, 1] * 50, "y": [0, 0, 1, 1] * 25, "z": [0] * 52 + [1] * 48}
        agree(columns, "x", "y", ["z"], method)

    def test_x_equals_y(self, method: str) -> None:
        columns = {"x": [0, 1, 2] * 40, "y": ["a", "b", "c"] * 40, "z": [0] * 60 + [1] * 60}
        agree(columns, "x", "y", ["z"], method)
        agree(columns, "x", "y", [], method)

    def test_large_domains_and_many_strata(self, method: str) -> None:
        columns: Columns = {
            "x": [(i * i) % 211 for i in range(2_000)],
            "y": [(7 * i) % 307 for i in range(2_000)],
            "z": [i % 97 for i in range(2_000)],
        }
        agree(columns, "x", "y", ["z"], method)
        agree(columns, "x", "y", [], method)
