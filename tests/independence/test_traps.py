"""Traps other libraries fell into, one test each."""

from __future__ import annotations

import math
import random
import resource
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bitsep
import twins
from bitsep.independence import METHODS

SIGNIFICANCE = [name for name, method in METHODS.items() if method.family == "significance"]


def wide_table(columns: int, levels: int, rows: int, seed: int) -> dict[str, list[int]]:
    rng = random.Random(seed)
    table = {f"z{i:02}": [rng.randrange(levels) for _ in range(rows)] for i in range(columns)}
    table["x"] = [rng.randrange(3) for _ in range(rows)]
    table["y"] = [(value + rng.randrange(2)) % 3 for value in table["x"]]
    return table


def few_strata(columns: int, levels: int, rows: int) -> dict[str, list[int]]:
    """A wide Z whose columns all follow one variable of `levels` levels: few strata, a huge product of domains."""
    rng = random.Random(columns)
    stratum = [rng.randrange(levels) for _ in range(rows)]
    table = {f"z{i:02}": [(value * (1 + i % (levels - 1)) + i) % levels for value in stratum] for i in range(columns)}
    table["x"] = [rng.randrange(3) for _ in range(rows)]
    table["y"] = [(value + rng.randrange(2)) % 3 for value in table["x"]]
    return table


@pytest.mark.parametrize("method", twins.METHODS)
@pytest.mark.parametrize("columns", [33, 45, 70])
def test_wide_given_beyond_64_bits(columns: int, method: str) -> None:
    for table in (few_strata(columns, 5, 400), wide_table(columns, 4, 50, seed=columns)):
        given = sorted(name for name in table if name.startswith("z"))
        found = bitsep.independence_test(table, "x", "y", given=given, method=method)
        expected = twins.evaluate([table["x"]], [table["y"]], [table[name] for name in given], method)
        assert found.score_bits == pytest.approx(expected["score_bits"], abs=1e-9)
        assert found.independent == expected["independent"]
        assert found.df == expected["df"]


@pytest.mark.parametrize("position", [0, 15, 31, 40, 69])
def test_every_column_of_a_wide_given_counts(position: int) -> None:
    # Y is a function of one conditioning column, wherever it stands: exactly independent of X given all of them.
    table = few_strata(70, 5, 300)
    rng = random.Random(position)
    for i in range(70):
        table[f"z{i:02}"] = [0] * 299 + [1]
    table[f"z{position:02}"] = [rng.randrange(4) for _ in range(300)]
    table["y"] = [value % 3 for value in table[f"z{position:02}"]]
    table["x"] = list(table["y"])
    given = sorted(name for name in table if name.startswith("z"))
    assert not bitsep.independence_test(table, "x", "y").independent
    assert bitsep.independence_test(table, "x", "y", given=given).independent
    rest = [name for name in given if name != f"z{position:02}"]
    assert not bitsep.independence_test(table, "x", "y", given=rest).independent


def test_product_of_domains_beyond_64_bits_as_an_option() -> None:
    table = few_strata(45, 5, 400)
    given = sorted(name for name in table if name.startswith("z"))
    product = math.prod(len(set(table[name])) for name in given)
    assert product > 2**64
    g2 = bitsep.independence_test(table, "x", "y", given=given, method="g2", z_size="product")
    assert g2.df == pytest.approx(4 * product, rel=1e-12)
    assert g2.p_value == 1.0
    assert g2.independent
    jic = bitsep.independence_test(table, "x", "y", given=given, method="jic", z_size="product")
    assert jic.threshold_bits == pytest.approx(2 * product * math.log2(400), rel=1e-12)
    sci_q = bitsep.independence_test(table, "x", "y", given=given, method="sci_q", z_size="product")
    assert sci_q.threshold_bits == pytest.approx(0.0, abs=1e-6)  # C(n, k) -> k^n: the four terms cancel


@pytest.mark.parametrize("method", twins.METHODS)
def test_no_dense_table_over_the_product_of_domains(method: str) -> None:
    # 500 rows, eight columns of 500 levels: a dense table would ask for 500^8 cells.
    rng = random.Random(1)
    table: dict[str, list[int]] = {}
    for name in "abcdefxy":
        table[name] = list(range(500))
        rng.shuffle(table[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = bitsep.independence_test(table, "x", "y", given=list("abcdef"), method=method)
    one = bitsep.independence_test(table, "x", "y", given="a", method=method)
    none = bitsep.independence_test(table, "x", "y", method=method)
    unit = 1024 if sys.platform != "darwin" else 1
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 100 * 2**20
    assert result.cmi_bits == one.cmi_bits == 0.0
    assert none.cmi_bits == pytest.approx(math.log2(500))


@pytest.mark.parametrize("method", SIGNIFICANCE)
@pytest.mark.parametrize("conditions", [5, 6, 8])
def test_five_or_more_conditions_keep_their_p_value(method: str, conditions: int) -> None:
    rng = np.random.default_rng(conditions)
    table = {f"z{i}": rng.integers(0, 2, 5_000).tolist() for i in range(conditions)}
    table["x"] = rng.integers(0, 2, 5_000).tolist()
    table["y"] = [value if rng.random() < 0.6 else 1 - value for value in table["x"]]
    given = sorted(name for name in table if name.startswith("z"))
    found = bitsep.independence_test(table, "x", "y", given=given, method=method)
    expected = twins.evaluate([table["x"]], [table["y"]], [table[name] for name in given], method)
    assert found.p_value == pytest.approx(expected["p_value"], rel=1e-6, abs=1e-300)
    assert found.p_value is not None
    assert found.p_value < 0.05
    assert not found.independent


@pytest.mark.parametrize("missing", [None, math.nan, np.nan, pd.NA, pd.NaT], ids=str)
def test_missing_is_no_level(missing: object) -> None:
    # X and Y are independent, but missing together: as a level, NaN would make them look dependent (p = 0).
    rng = np.random.default_rng(0)
    x = [f"x{i}" for i in rng.integers(0, 3, 2_000)]
    y = [f"y{i}" for i in rng.integers(0, 3, 2_000)]
    for i in range(0, 2_000, 4):
        x[i] = y[i] = missing  # type: ignore[call-overload]
    for method in twins.METHODS:
        result = bitsep.independence_test({"x": x, "y": y}, "x", "y", method=method)
        assert result.n == 1_500
        assert result.domain_sizes[:2] == (3, 3)
        assert result.independent or method in {"cmi", "cmi_gamma_halved"}  # the two that flag nearly everything


def test_nan_in_float_columns_and_frames_is_no_level() -> None:
    x = np.array([0.0, 1.0, np.nan, 1.0, 0.0, np.nan])
    y = np.array([0.0, np.nan, np.nan, 1.0, 0.0, 1.0])
    for data in ({"x": x, "y": y}, pd.DataFrame({"x": x, "y": y})):
        result = bitsep.independence_test(data, "x", "y")
        assert (result.n, result.domain_sizes) == (3, (2, 2, 1))


@pytest.mark.parametrize("method", SIGNIFICANCE)
def test_zero_degrees_of_freedom_mean_independence(method: str) -> None:
    for columns, given in (
        ({"x": [0] * 20, "y": [0, 1] * 10}, []),
        ({"x": [0, 1] * 10, "y": ["same"] * 20, "z": [0, 1, 2, 3] * 5}, ["z"]),
        ({"x": [0], "y": [0]}, []),
    ):
        result = bitsep.independence_test(columns, "x", "y", given=given, method=method)
        assert result.independent
        assert result.score_bits <= 0.0
        assert (result.df or 0, result.p_value) == (0, 1.0)  # the U-statistic has no degrees of freedom


def test_adjusted_degrees_of_freedom_can_be_zero_while_the_plain_are_not() -> None:
    columns = {"x": list(range(20)), "y": list(range(20)), "z": list(range(20))}
    plain = bitsep.independence_test(columns, "x", "y", given="z", method="g2")
    adjusted = bitsep.independence_test(columns, "x", "y", given="z", method="g2_adjusted")
    assert plain.df == 19 * 19 * 20
    assert (adjusted.df, adjusted.p_value, adjusted.independent) == (0, 1.0, True)


def test_no_cache_keyed_by_how_the_data_print() -> None:
    # Both frames abbreviate to the same text: they differ only in the rows a print leaves out.
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 50_000)
    noise = rng.integers(0, 2, 50_000)
    copy = x.copy()
    noise[:100], noise[-100:] = x[:100], x[-100:]
    independent, dependent = pd.DataFrame({"x": x, "y": noise}), pd.DataFrame({"x": x, "y": copy})
    assert repr(independent) == repr(dependent)
    for _ in range(2):
        assert bitsep.independence_test(independent, "x", "y").independent
        assert not bitsep.independence_test(dependent, "x", "y").independent


def test_no_cache_keyed_by_the_identity_of_the_data() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(0, 2, 1_000), "y": rng.integers(0, 2, 1_000)})
    assert bitsep.independence_test(frame, "x", "y").independent
    frame["y"] = frame["x"]
    assert not bitsep.independence_test(frame, "x", "y").independent
    array = np.column_stack([frame["x"], rng.integers(0, 2, 1_000)])
    assert bitsep.independence_test(array, 0, 1).independent
    array[:, 1] = array[:, 0]
    assert not bitsep.independence_test(array, 0, 1).independent


@pytest.mark.parametrize("method", [name for name in METHODS if name not in SIGNIFICANCE])
def test_no_p_value_is_made_up(method: str) -> None:
    result = bitsep.independence_test({"x": [0, 1] * 50, "y": [0, 1] * 50}, "x", "y", method=method)
    assert result.p_value is None


def test_a_demand_of_bits_works_at_every_level() -> None:
    columns = {"x": [0, 1] * 6, "y": [0, 1] * 6}
    score = bitsep.independence_test(columns, "x", "y").score_bits
    assert 4 < score < 12
    for bits in range(1, 30):
        assert bitsep.independence_test(columns, "x", "y", alpha=2.0**-bits).independent == (score <= bits)


@pytest.mark.parametrize("method", twins.METHODS)
def test_results_do_not_depend_on_column_order(method: str) -> None:
    table = wide_table(6, 4, 300, seed=9)
    names = sorted(table)
    expected = bitsep.independence_test(table, "x", "y", given=names[2:5], method=method)
    for seed in range(5):
        random.Random(seed).shuffle(names)
        shuffled = {name: table[name] for name in names}
        given = [name for name in names if name in expected.given]
        found = bitsep.independence_test(shuffled, "x", "y", given=given, method=method)
        assert replace(found, given=()) == replace(expected, given=())


def test_exact_zeros_stay_zeros_in_large_tables() -> None:
    # Y a function of Z: zero bits, exactly; with plain running sums rounding shows here as dependence.
    rng = np.random.default_rng(3)
    z = rng.integers(0, 50, 200_000)
    weights = rng.integers(1, 500, 200_000)
    frame = pd.DataFrame({"x": rng.integers(0, 7, 200_000), "y": z % 6, "z": z, "count": weights})
    table = bitsep.Table(frame, weights="count")
    for method in twins.METHODS:
        result = bitsep.independence_test(table, "x", "y", given="z", method=method)
        assert result.n == weights.sum()
        assert result.cmi_bits == 0.0
        assert result.independent
