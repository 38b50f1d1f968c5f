"""What must not change a result: any order, any names, weights for repeated rows, rows dropped by hand."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
from twins.strategies import Columns, methods, quick, tables

givens = st.sampled_from([[], ["a"], ["a", "b"], ["a", "b", "c"]])


def run(columns: object, z: list[str], method: str, **options: object) -> bitsep.IndependenceResult:
    return bitsep.independence_test(columns, "x", "y", given=z, method=method, **options)


def assert_same(left: bitsep.IndependenceResult, right: bitsep.IndependenceResult) -> None:
    """Equal up to the rounding of sums taken in another order."""
    for field in ("score_bits", "cmi_bits", "threshold_bits", "statistic", "p_value", "no_hypercompression_bound"):
        expected = getattr(right, field)
        assert getattr(left, field) == (None if expected is None else pytest.approx(expected, abs=1e-9)), field
    for field in ("independent", "n", "df", "small_sample"):
        assert getattr(left, field) == getattr(right, field), field


@given(tables(missing=False), methods, givens)
@quick
def test_symmetric_in_x_and_y_exactly(columns: Columns, method: str, z: list[str]) -> None:
    there = bitsep.independence_test(columns, "x", "y", given=z, method=method)
    back = bitsep.independence_test(columns, "y", "x", given=z, method=method)
    kx, ky, kz = there.domain_sizes
    assert back == replace(there, x="y", y="x", domain_sizes=(ky, kx, kz))


@given(tables(), methods, givens, st.randoms(use_true_random=False))
@quick
def test_order_of_rows_changes_nothing_at_all(columns: Columns, method: str, z: list[str], rng: random.Random) -> None:
    order = list(range(len(columns["x"])))
    rng.shuffle(order)
    shuffled = {name: [column[i] for i in order] for name, column in columns.items()}
    assert run(shuffled, z, method) == run(columns, z, method)


@given(tables(), methods, st.permutations(["a", "b", "c"]))
@quick
def test_order_of_given_changes_nothing(columns: Columns, method: str, order: list[str]) -> None:
    left, right = run(columns, order, method), run(columns, ["a", "b", "c"], method)
    assert replace(left, given=()) == replace(right, given=())
    assert set(left.given) == set(right.given)


@given(tables(), methods, st.permutations(["x", "y", "a", "b", "c"]))
@quick
def test_order_of_columns_changes_nothing_at_all(columns: Columns, method: str, order: list[str]) -> None:
    assert run({name: columns[name] for name in order}, ["b", "a"], method) == run(columns, ["b", "a"], method)


@given(tables(), methods, givens, st.randoms(use_true_random=False))
@quick
def test_relabelling_levels(columns: Columns, method: str, z: list[str], rng: random.Random) -> None:
    words = ["north", "east", "south", "west"]
    renamed = {}
    for name, column in columns.items():
        rng.shuffle(words)
        renamed[name] = [words[value] for value in column]
    assert_same(run(renamed, z, method), run(columns, z, method))


@given(tables(), givens, methods)
@quick
def test_duplicating_a_conditioning_column(columns: Columns, z: list[str], method: str) -> None:
    copies = columns | {f"copy of {name}": list(columns[name]) for name in z}
    assert_same(run(copies, [*z, *(f"copy of {name}" for name in z)], method), run(columns, z, method))


@given(tables(), methods, givens)
@quick
def test_a_constant_conditioning_column_adds_nothing(columns: Columns, method: str, z: list[str]) -> None:
    constant = columns | {"constant": ["same"] * len(columns["x"])}
    assert_same(run(constant, [*z, "constant"], method), run(columns, z, method))


# --- weights and missing values ---------------------------------------------------------------------------------------


@given(tables(), methods, givens, st.randoms(use_true_random=False))
@quick
def test_weights_equal_repeated_rows(columns: Columns, method: str, z: list[str], rng: random.Random) -> None:
    weights = [rng.choice([0, 1, 1, 2, 7]) for _ in columns["x"]]
    if not sum(weights):
        return
    repeated = {
        name: [v for v, w in zip(column, weights, strict=True) for _ in range(w)] for name, column in columns.items()
    }
    weighted = bitsep.Table(columns | {"count": weights}, weights="count")
    assert run(weighted, z, method) == run(repeated, z, method)


@given(tables(), methods)
@quick
def test_a_frequency_table_equals_its_rows(columns: Columns, method: str) -> None:
    counts = Counter(zip(*(columns[name] for name in "xyab"), strict=True))
    cells = [list(column) for column in zip(*counts, strict=True)]
    frequency = dict(zip("xyab", cells, strict=True)) | {"count": list(counts.values())}
    assert run(bitsep.Table(frequency, weights="count"), ["a", "b"], method) == run(columns, ["a", "b"], method)


@given(tables(missing=True), methods, givens)
@quick
def test_testwise_deletion_equals_dropping_the_rows_by_hand(columns: Columns, method: str, z: list[str]) -> None:
    used = ("x", "y", *z)
    kept = [i for i in range(len(columns["x"])) if all(columns[name][i] is not None for name in used)]
    if not kept:
        return
    by_hand = {name: [columns[name][i] for i in kept] for name in used}
    result, expected = run(columns, z, method), run(by_hand, z, method)
    assert result.n == expected.n == len(kept)
    assert result.cmi_bits == pytest.approx(expected.cmi_bits, abs=1e-9)
    assert result.domain_sizes[2] == expected.domain_sizes[2]
    if all(set(by_hand[name]) >= set(columns[name]) - {None} for name in "xy"):  # no level is lost with its rows
        assert_same(result, expected)


def test_domain_sizes_of_x_and_y_are_those_of_the_whole_column() -> None:
    # A level does not leave the domain of X because the rows that show it lack a value of Z; |Z| counts rows used.
    columns = {"x": [0, 1, 0, 1, 2, 3], "y": [0, 1, 1, 0, 1, 1], "z": [0, 0, 0, 0, None, None], "w": [0, 0, 0, 0, 1, 1]}
    result = bitsep.independence_test(columns, "x", "y", given=["z", "w"])
    assert result.n == 4
    assert result.domain_sizes == (4, 2, 1)


def test_missing_values_of_other_columns_do_not_matter() -> None:
    columns = {"x": [0, 1] * 20, "y": [0, 1] * 20, "other": [None] * 40}
    assert bitsep.independence_test(columns, "x", "y").n == 40
