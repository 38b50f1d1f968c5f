"""`u_calibrated`: its moments, its p-values, and what it says about tables at the edge of what is legal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import bitsep
from independence.test_calibrated import partitions, table_of
from twins.u_statistic import cumulants, distribution


def calibrated(strata: list[list[list[int]]], **options: Any) -> bitsep.IndependenceResult:
    return bitsep.independence_test(table_of(strata), "x", "y", given="z", method="u_calibrated", **options)


@pytest.mark.parametrize("n", range(4, 7))
def test_moments_are_those_of_all_tables(n: int) -> None:
    """In rational arithmetic, for all margins of n rows; the mean is zero."""
    wanted = [margin for margin in partitions(n, n) if len(margin) > 1]
    for i, rows in enumerate(wanted):
        for columns in wanted[: i + 1]:
            every = distribution((rows, columns), (n, n + 1))
            assert every is not None
            assert sum(value * p for value, p in every.items()) == 0
            central = tuple(sum(value**k * p for value, p in every.items()) for k in (2, 3))
            assert cumulants((rows, columns), (n, n + 1)) == central


def test_permutations_agree() -> None:
    """The p-value is near to that of the permutation test, with small and with skewed strata."""
    rng = np.random.default_rng(1)
    for levels, strata, rows in ((2, 6, 60), (3, 4, 200), (4, 8, 100)):
        shares = 0.4 ** np.arange(levels)
        columns = {name: rng.choice(levels, rows, p=shares / shares.sum()) for name in ("x", "y")}
        columns["z"] = rng.integers(0, strata, rows)
        p = bitsep.independence_test(columns, "x", "y", given="z", method="u_calibrated").p_value
        permuted = bitsep.independence_test(columns, "x", "y", given="z", method="u_calibrated", permutations=3999)
        assert p is not None
        assert permuted.p_value == pytest.approx(p, abs=0.04)


def test_one_small_stratum_is_exact() -> None:
    result = calibrated([[[3, 0], [0, 3]]])
    assert result.p_value == pytest.approx(0.1, rel=1e-9)  # 2 of the 20 arrangements
    assert result.df is None


def test_frequent_levels_that_avoid_each_other() -> None:
    """What it is for: here X² sees less."""
    strata = [[[100, 60, 30], [60, 10, 5], [30, 5, 2]], [[80, 50, 20], [50, 9, 3], [20, 3, 1]]]
    x2 = bitsep.independence_test(table_of(strata), "x", "y", given="z", method="x2_calibrated")
    u = calibrated(strata)
    assert u.p_value is not None
    assert x2.p_value is not None
    assert u.p_value < x2.p_value


@pytest.mark.parametrize(
    "strata",
    [
        *([[[1, 0], [0, 1]]], [[[2, 0], [0, 1]]], [[[5, 5], [0, 0]]], [[[5, 0], [5, 0]]], [[[1, 1], [1, 0]]] * 4),
        *([[[1, 0], [0, 9]]], [[[3, 0], [3, 1]]], [[[int(x == y) for x in range(4)] for y in range(4)]]),
    ],
    ids=[
        *("two rows", "three rows", "constant X", "constant Y", "strata of three rows"),
        *("a single row apart in X and Y", "in X", "all rows apart"),
    ],
)
def test_nothing_to_see(strata: list[list[list[int]]]) -> None:
    result = calibrated(strata)
    assert (result.p_value, result.verdict, result.statistic) == (1.0, "independent", 0.0)


@pytest.mark.parametrize(("n", "rare"), [(10**4, 10), (10**5, 100), (10**6, 10), (10**7, 10**4), (10**9, 10**6)])
def test_a_copy_of_a_variable_with_a_rare_level(n: int, rare: int) -> None:
    """The statistic varies little, but its deviation is large."""
    columns = {"x": ["a", "b"], "y": ["a", "b"], "n": [n - rare, rare]}
    result = bitsep.independence_test(bitsep.Table(columns, weights="n"), "x", "y", method="u_calibrated")
    assert result.p_value is not None
    assert result.p_value < 1e-30
    assert math.isfinite(result.score_bits)


def test_rare_levels_in_many_strata() -> None:
    """Most strata say nothing; those that do have few tables. Without that, one in four was called dependent."""
    rng, runs = np.random.default_rng(1), 500
    columns: dict[str, Any] = {"z": np.arange(1000) % 20}
    for run in range(runs):
        columns |= {f"{name}{run}": rng.random(1000) < 0.02 for name in ("x", "y")}
    queries = [(f"x{run}", f"y{run}", ("z",)) for run in range(runs)]
    results = bitsep.evaluate(columns, queries, "u_calibrated")
    assert sum(not result.independent for result in results) < 0.05 * runs * 1.6
    assert any(result.p_value != 1 for result in results)


@pytest.mark.parametrize("n", [100, 10_000, 1_000_000, 10**9])
def test_far_tail(n: int) -> None:
    """The score grows with the rows, and is never infinite."""
    result = calibrated([[[n, 0, 0], [0, n, 0], [0, 0, n]]])
    assert result.p_value is not None
    assert 0 < result.p_value < 1e-50
    assert math.isfinite(result.score_bits)
    assert result.score_bits > n / 2
