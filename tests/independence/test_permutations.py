"""Permutation tests: of every method, on every kind of data, against enumeration and R."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
from bitsep import _native
from bitsep.independence import METHODS
from independence.test_calibrated import CASES, table_of
from twins.calibrated import distribution
from twins.strategies import Columns, quick, tables


def run(columns: Any, z: list[str], method: Any = "x2", **options: Any) -> bitsep.IndependenceResult:
    return bitsep.independence_test(columns, "x", "y", given=z, method=method, **options)


@pytest.fixture(scope="module")
def data() -> bitsep.Table:
    return bitsep.Table(columns())


def columns() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    z = rng.integers(0, 4, 300)
    x = rng.integers(0, 3, 300)
    y = np.where(rng.random(300) < 0.15, x, rng.integers(0, 3, 300))
    return {"x": x, "y": y, "z": z}


@pytest.mark.parametrize("method", METHODS)
def test_every_method(data: bitsep.Table, method: str) -> None:
    result = run(data, ["z"], method, permutations=199)
    tables_as_high = result.p_value * 200 if result.p_value else 0
    assert tables_as_high == pytest.approx(round(tables_as_high))
    assert (result.permutations, result.alpha, result.method) == (199, 0.05, method)
    assert result.independent == (result.p_value is not None and result.p_value > 0.05)
    assert result.threshold_bits == -math.log2(0.05)
    assert result.no_hypercompression_bound is None
    assert result.decides_by_p_value
    assert "199 permutations" in str(result)


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["name"])
def test_simulation_in_r(case: dict[str, Any]) -> None:
    result = run(table_of(case["strata"]), ["z"], permutations=9999)
    p = case["p_value"]
    error = 4.5 * math.sqrt(p * (1 - p) * (1 / 9999 + 1 / CASES["draws"])) + 2 / 10_000
    assert result.p_value == pytest.approx(p, abs=error)


@pytest.mark.parametrize(
    "cells",
    [
        [[2, 1, 1], [1, 1, 0], [0, 1, 0]],  # few rows per cell: shuffled
        [[14, 9], [6, 15]],  # many: from hypergeometric distributions
    ],
)
def test_tables_have_their_exact_probabilities(cells: list[list[int]]) -> None:
    """Chi-square of the drawn values of X² against those of all tables."""
    table = np.array(cells)
    n, rows, of_columns = int(table.sum()), tuple(table.sum(1).tolist()), tuple(table.sum(0).tolist())
    x, y = np.nonzero(table)
    drawn = _native.PermutedTables(np.zeros_like(x), x, y, table[x, y], 5)
    every = distribution((rows, of_columns))
    assert every is not None
    seen = dict.fromkeys(every, 0)
    draws = 4000
    for _ in range(draws):
        _, x, y, count = drawn.draw()
        assert np.bincount(x, count, len(rows)).tolist() == list(rows)
        assert np.bincount(y, count, len(of_columns)).tolist() == list(of_columns)
        found = zip(x.tolist(), y.tolist(), count.tolist(), strict=True)
        seen[n * sum(Fraction(k * k, rows[i] * of_columns[j]) for i, j, k in found) - n] += 1
    common = [value for value, p in every.items() if draws * float(p) >= 5]
    distance = sum((seen[value] - draws * float(every[value])) ** 2 / (draws * float(every[value])) for value in common)
    df = len(common) - 1
    assert distance < df + 5 * math.sqrt(2 * df)


@given(tables(), st.integers(0, 5))
@quick
def test_a_test_sees_these_tables(table: Columns, seed: int) -> None:
    """X² of each drawn table, computed here."""
    z = np.unique(list(zip(table["a"], table["b"], strict=True)), axis=0, return_inverse=True)[1].ravel()
    x, y = (np.unique(table[name], return_inverse=True)[1] for name in "xy")
    cells, count = np.unique(np.stack([z, x, y]), axis=1, return_counts=True)

    def x2(z: Any, x: Any, y: Any, count: Any) -> float:
        n, rows, of_columns = (np.zeros(size) for size in (z.max() + 1, (z.max() + 1) * 99, (z.max() + 1) * 99))
        for sums, place in ((n, z), (rows, z * 99 + x), (of_columns, z * 99 + y)):
            np.add.at(sums, place, count)
        return float((count**2 * n[z] / (rows[z * 99 + x] * of_columns[z * 99 + y])).sum() - count.sum())

    z, x, y = cells.astype(np.int64)
    drawn = _native.PermutedTables(z, x, y, count.astype(np.int64), seed)
    as_high = sum(x2(*drawn.draw()) >= x2(z, x, y, count) - 1e-8 for _ in range(30))
    assert run(table, ["a", "b"], permutations=30, seed=seed).p_value == pytest.approx((1 + as_high) / 31)


@given(tables(), st.sampled_from(list(METHODS)), st.randoms(use_true_random=False))
@quick
def test_order_and_names_change_nothing(table: Columns, method: str, random: Any) -> None:
    plain = run(table, ["a", "b"], method, permutations=30, seed=4)
    order = list(range(len(table["x"])))
    random.shuffle(order)
    shuffled = {name: [values[i] for i in order] for name, values in table.items()}
    renamed = {"q": shuffled["x"], "e": shuffled["y"], "d": shuffled["a"], "c": shuffled["b"]}
    other = bitsep.independence_test(renamed, "e", "q", given=["c", "d"], method=method, permutations=30, seed=4)
    assert (other.p_value, other.score_bits) == (plain.p_value, plain.score_bits)


def test_threads_and_batches(data: bitsep.Table) -> None:
    queries = [("x", "y", ()), ("x", "y", ("z",)), ("y", "z", ()), ("z", "x", ("y",))]
    one, two = (bitsep.evaluate(data, queries, "sci_f", permutations=99, seed=1, threads=k) for k in (1, 2))
    assert [r.to_dict() for r in one] == [r.to_dict() for r in two]
    single = run(data, ["z"], "sci_f", permutations=99, seed=1)
    assert one[1].p_value == single.p_value


def test_seeds_differ(data: bitsep.Table) -> None:
    found = {bitsep.independence_test(data, "x", "z", permutations=99, seed=seed).p_value for seed in range(8)}
    assert len(found) > 1


def test_stream(data: bitsep.Table, tmp_path: Any) -> None:
    path = tmp_path / "data.csv"
    pd.DataFrame(columns()).to_csv(path, index=False)
    with bitsep.scan(path) as scanned:
        found = run(scanned, ["z"], "g2", permutations=99)
    assert found.p_value == run(data, ["z"], "g2", permutations=99).p_value


def test_weights_are_rows() -> None:
    rows = {"x": [0] * 8 + [1] * 8, "y": ([0] * 6 + [1] * 2) + ([0] * 3 + [1] * 5)}
    weighted = bitsep.Table({"x": [0, 0, 1, 1], "y": [0, 1, 0, 1], "w": [6, 2, 3, 5]}, weights="w")
    assert run(rows, [], permutations=500).p_value == run(weighted, [], permutations=500).p_value


def test_merged_columns(data: bitsep.Table) -> None:
    merged = bitsep.independence_test(data, ["x", "z"], "y", method="x2", permutations=99)
    assert merged.p_value == 0.01
    assert merged.x == ("x", "z")


def test_sequential_stops_with_the_same_verdict(data: bitsep.Table) -> None:
    for z in ([], ["z"]):
        for x, y in (("x", "y"), ("z", "y")):
            given_z = [name for name in z if name not in (x, y)]
            full, early = (
                bitsep.independence_test(data, x, y, given_z, "x2", permutations=999, sequential=sequential)
                for sequential in (False, True)
            )
            assert full.independent == early.independent
            assert full.permutations == 999
            if early.independent:
                assert early.permutations is not None
                assert early.permutations < 999
                assert early.p_value == pytest.approx(51 / (1 + early.permutations))


@pytest.mark.parametrize(("alpha", "draws"), [(0.29, 99), (0.145, 199)])
def test_sequential_does_not_stop_short_of_alpha(alpha: float, draws: int) -> None:
    """alpha · (1 + draws) is a whole number, but in floating point less."""
    assert int(alpha * (1 + draws)) < round(alpha * (1 + draws))
    rng, at_alpha = np.random.default_rng(1), 0
    for seed in range(400):
        x = rng.integers(0, 2, 40)
        columns = {"x": x, "y": np.where(rng.random(40) < 0.2, x, rng.integers(0, 2, 40))}
        for method in ("x2", Largest()):
            full, early = (
                bitsep.independence_test(
                    columns, "x", "y", (), method, alpha, permutations=draws, seed=seed, sequential=sequential
                )
                for sequential in (False, True)
            )
            assert full.verdict == early.verdict
            at_alpha += full.p_value == alpha
        if at_alpha > 2:
            break
    assert at_alpha


class Largest:
    """A test in Python: the largest deviation of a cell."""

    name = "largest"

    def judge(self, counts: bitsep.Counts) -> bitsep.Judgment:
        deviation = 0.0
        for table in counts.tables():
            expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
            deviation = max(deviation, float(np.abs(table - expected).max()))
        counts.count[:] = 0  # a test may use the counts as it likes
        return bitsep.Judgment(score_bits=deviation - 5)


def test_a_test_in_python(data: bitsep.Table) -> None:
    result = run(data, ["z"], Largest(), permutations=99, alpha=0.2)
    assert (result.permutations, result.alpha) == (99, 0.2)
    assert result.p_value is not None
    assert result.p_value * 100 == pytest.approx(round(result.p_value * 100))
    assert result.independent == (result.p_value > 0.2)
    [again] = bitsep.evaluate(data, [("x", "y", ("z",))], Largest(), permutations=99, alpha=0.2)
    assert again.p_value == result.p_value
    early = run(data, ["z"], Largest(), permutations=999, sequential=True)
    assert early.permutations is not None


def test_adjusted(data: bitsep.Table) -> None:
    queries = [("x", "y", ()), ("x", "z", ()), ("y", "z", ())]
    results = bitsep.evaluate(data, queries, "sci_f", permutations=999, adjust="holm")
    assert all(r.adjusted_p_value is not None and r.adjusted_p_value >= (r.p_value or 1) for r in results)


def test_to_json_and_back(data: bitsep.Table) -> None:
    result = run(data, ["z"], permutations=99)
    assert bitsep.IndependenceResult.from_dict(result.to_dict()) == result


@pytest.mark.parametrize("table", [{"x": [0], "y": [1]}, {"x": [0, 0, 0], "y": [0, 1, 0]}])
def test_nothing_to_permute(table: Any) -> None:
    result = run(table, [], permutations=20)
    assert (result.verdict, result.p_value) == ("independent", 1.0)


def test_too_few_tables_for_the_level_are_told() -> None:
    table = {"x": ["a", "b"] * 50, "y": ["c", "d"] * 50}
    few = run(table, [], alpha=0.01, permutations=20)
    assert few.verdict == "independent"
    assert few.warnings == (
        "20 permutations give no p-value below 0.0476, so with alpha = 0.01 the verdict is always independent.",
    )
    enough = run(table, [], alpha=0.01, permutations=99)
    assert (enough.verdict, enough.warnings) == ("dependent", ())


def test_too_few_rows_for_the_test(data: bitsep.Table) -> None:
    assert run(data, ["z"], "g2", permutations=20, min_rows_per_df=1000).p_value == 1.0


def test_large_domains() -> None:
    """Too many cells for a dense table."""
    rng = np.random.default_rng(1)
    large = {"x": rng.integers(0, 2000, 3000), "y": rng.integers(0, 2000, 3000)}
    p = run(large, [], permutations=19).p_value
    assert p is not None
    assert p > 0.05


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"permutations": 0}, "permutations: must be an integer of at least 1, got 0."),
        ({"permutations": -5}, "permutations: must be an integer of at least 1, got -5."),
        ({"permutations": 2.5}, "permutations: must be an integer of at least 1, got 2.5."),
        ({"permutations": True}, "permutations: must be an integer of at least 1, got True."),
        ({"permutations": 10**7}, "permutations: must be an integer of at most 1000000, got 10000000."),
        ({"permutations": 9, "seed": -1}, "seed: must be an integer of at least 0, got -1."),
        ({"permutations": 9, "sequential": 1}, "sequential: must be True or False, got 1."),
        ({"permutations": 9, "alpha": 0}, "alpha: must lie between 0 and 1, both excluded, got 0."),
        ({"permutations": 9, "alpha": 1.5}, "alpha: must lie between 0 and 1, both excluded, got 1.5."),
    ],
)
def test_bad_input(data: bitsep.Table, options: dict[str, Any], message: str) -> None:
    with pytest.raises(bitsep.BitsepError) as raised:
        run(data, ["z"], **options)
    assert str(raised.value).startswith(message)


def test_an_oracle_has_nothing_to_permute() -> None:
    oracle = bitsep.Oracle(bitsep.load_network("asia").dag)
    with pytest.raises(bitsep.BitsepError, match="permutations: an oracle has no data"):
        bitsep.independence_test(oracle, "xray", "smoke", permutations=9)
    with pytest.raises(bitsep.BitsepError, match="permutations: an oracle has no data"):
        bitsep.evaluate(oracle, [("xray", "smoke", ())], permutations=9)


def test_a_test_without_a_complete_row_is_independent() -> None:
    columns = {"x": [0, 1, None, None], "y": [None, None, 1, 0]}
    result = bitsep.evaluate(columns, [("x", "y", ())], permutations=9)[0]
    assert result.n == 0
    assert result.independent
    assert result.p_value == 1
