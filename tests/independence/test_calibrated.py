"""`x2_calibrated`: its moments, its p-values, and what it says about tables at the edge of what is legal."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

import bitsep
from twins.calibrated import Margins, cumulants, distribution
from twins.strategies import quick

GOLDEN = Path(__file__).parent.parent / "golden" / "x2_simulated.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))


def table_of(strata: list[list[list[int]]]) -> bitsep.Table:
    """Cells as rows with weights."""
    rows = [
        (x, y, z, count)
        for z, table in enumerate(strata)
        for x, line in enumerate(table)
        for y, count in enumerate(line)
        if count
    ]
    columns: dict[str, Any] = {name: [row[i] for row in rows] for i, name in enumerate(("x", "y", "z", "w"))}
    return bitsep.Table(columns, weights="w")


def calibrated(strata: list[list[list[int]]], **options: Any) -> bitsep.IndependenceResult:
    return bitsep.independence_test(table_of(strata), "x", "y", given="z", method="x2_calibrated", **options)


def partitions(n: int, largest: int) -> list[tuple[int, ...]]:
    if n == 0:
        return [()]
    return [(part, *rest) for part in range(min(n, largest), 0, -1) for rest in partitions(n - part, part)]


@pytest.mark.parametrize("n", range(2, 8))
def test_moments_are_those_of_all_tables(n: int) -> None:
    """In rational arithmetic, for all margins of n rows."""
    wanted = [margin for margin in partitions(n, n) if len(margin) > 1]
    for i, rows in enumerate(wanted):
        for columns in wanted[: i + 1]:
            margins: Margins = rows, columns
            every = distribution(margins)
            assert every is not None
            assert sum(every.values()) == 1
            mean = sum(value * p for value, p in every.items())
            central = [sum((value - mean) ** k * p for value, p in every.items()) for k in (2, 3)]
            assert cumulants(margins) == (mean, *central)


def test_mean() -> None:
    """n (r-1)(c-1) / (n-1)."""
    assert cumulants(((50, 30, 20), (60, 40))) == (Fraction(200, 99), *cumulants(((50, 30, 20), (60, 40)))[1:])


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["name"])
def test_simulation_in_r(case: dict[str, Any]) -> None:
    result = calibrated(case["strata"])
    assert result.statistic == pytest.approx(case["statistic"], rel=1e-9)
    p = case["p_value"]
    simulation_error = 4 * math.sqrt(p * (1 - p) / CASES["draws"]) + 1 / CASES["draws"]
    assert result.p_value == pytest.approx(p, rel=0.08, abs=simulation_error)


@given(st.lists(st.integers(0, 12), min_size=4, max_size=4))
@quick
def test_one_small_stratum_is_exact(cells: list[int]) -> None:
    """In a 2 x 2 table the tables with X² as large are those as far from the mean."""
    (a, b), (c, d) = table = [cells[:2], cells[2:]]
    if min(a + b, c + d, a + c, b + d) == 0:
        return
    n, row, column = a + b + c + d, a + b, a + c
    law = hypergeom(n, row, column)
    far = abs(a - row * column / n) - 1e-9
    expected = sum(law.pmf(k) for k in range(n + 1) if abs(k - row * column / n) >= far)
    assert calibrated([table]).p_value == pytest.approx(expected, rel=1e-8)
    if row == n - row and column == n - column:  # then it is Fisher's test
        assert calibrated([table]).p_value == pytest.approx(fisher_exact(table).pvalue, rel=1e-8)


def test_score_and_threshold_are_logarithms_of_p_and_alpha() -> None:
    result = calibrated([[[30, 10], [10, 40]], [[20, 30], [30, 20]]], alpha=0.01)
    assert result.threshold_bits == -math.log2(0.01)
    assert result.p_value is not None
    assert result.score_bits == pytest.approx(math.log2(0.01) - math.log2(result.p_value), abs=1e-8)
    assert (result.alpha, result.df) == (0.01, 2)


def test_p_equal_to_alpha_is_dependent() -> None:
    table = [[[3, 0], [0, 3]]]  # 2 of the 20 arrangements
    assert calibrated(table, alpha=0.1).verdict == "dependent"
    assert calibrated(table, alpha=0.1).score_bits > 0
    assert calibrated(table, alpha=0.0999).verdict == "independent"


@pytest.mark.parametrize("n", [100, 10_000, 1_000_000, 10**9])
def test_far_tail(n: int) -> None:
    """The score grows with the rows, and is never infinite."""
    result = calibrated([[[n, 0, 0], [0, n, 0], [0, 0, n]]])
    assert result.p_value is not None
    assert 0 < result.p_value < 1e-50
    assert math.isfinite(result.score_bits)
    assert result.score_bits > n / 2


def test_far_tail_with_rare_levels() -> None:
    """Rare cells do not keep a strong dependence from being seen."""
    scores = [calibrated([[[50 * k, 0, 0], [0, 50 * k, 0], [0, 0, 1]]]).score_bits for k in (1, 10, 100)]
    assert scores == sorted(scores)
    assert scores[-1] > 500


@pytest.mark.parametrize(
    "strata",
    [
        [[[1]]],  # one row
        [[[5, 3]]],  # constant X
        [[[5], [3]]],  # constant Y
        [[[5, 3], [0, 0]], [[0, 0], [2, 9]]],  # constant in every stratum
        [[[1, 0], [0, 1]]],  # both tables have the same X²
    ],
)
def test_nothing_to_see(strata: list[list[list[int]]]) -> None:
    result = calibrated(strata)
    assert (result.verdict, result.p_value) == ("independent", 1.0)
    assert result.score_bits == pytest.approx(math.log2(0.05), abs=1e-8)


def test_large_weights() -> None:
    big = calibrated([[[10**9, 10**9], [10**9, 10**9 + 10**5]]])
    chi = bitsep.independence_test(
        table_of([[[10**9, 10**9], [10**9, 10**9 + 10**5]]]), "x", "y", given="z", method="x2"
    )
    assert big.p_value == pytest.approx(chi.p_value, rel=1e-3)


@pytest.mark.parametrize(("size", "strata", "n"), [(2, 4, 200), (3, 16, 200), (5, 4, 200), (8, 64, 1000)])
def test_level(size: int, strata: int, n: int) -> None:
    """A rough check on 1,000 tables."""
    rng = np.random.default_rng(size)
    margin = 2.0 ** -np.arange(size)
    cells = np.outer(margin, margin)
    p = np.repeat(cells[None], strata, axis=0).ravel() / (cells.sum() * strata)
    drawn = rng.multinomial(n, p, size=1000).reshape(1000, strata, size, size)
    dependent = sum(not calibrated(one.tolist()).independent for one in drawn)
    assert 22 <= dependent <= 82  # 50 within 4.5 standard deviations


@pytest.mark.parametrize("method", ["x2_calibrated", "u_calibrated"])
def test_evidence_where_the_p_value_is_below_the_smallest_float(method: str) -> None:
    """All 128 rows of one level of X have one level of Y: only one table is as far from independence."""
    result = bitsep.independence_test(
        table_of([[[32, 41_984], [128, 0]]]), "x", "y", given="z", method=method, alpha=0.05
    )
    log2_p = hypergeom.logpmf(128, 42_144, 160, 128) / math.log(2)
    assert log2_p < -1074
    assert result.score_bits == pytest.approx(math.log2(0.05) - log2_p, rel=1e-9)
    assert result.p_value is not None
    assert 0 < result.p_value < 1e-300
