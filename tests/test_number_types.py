"""Numbers of any type do for every numeric option, and numbers of any size are neither written out nor a crash."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bitsep
from bitsep.errors import ArgumentError, DataError
from bitsep.graphs import random_dag
from bitsep.networks import random_network
from bitsep.report.thresholds import plot_thresholds

DATA = bitsep.load_network("asia").sample(300, seed=1)
NUMBERS = pd.DataFrame({"age": np.arange(300) % 60, "smoke": DATA["smoke"], "lung": DATA["lung"]})
NETWORK = bitsep.load_network("asia")


def verdict(**options: Any) -> Any:
    return bitsep.independence_test(DATA, "smoke", "lung", **options)


REALS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "alpha": (lambda value: verdict(method="g2", alpha=value), "0.0625"),
    "alpha of SCI": (lambda value: verdict(alpha=value), "0.0625"),
    "alpha of a search": (lambda value: bitsep.pc_stable(DATA, method="x2", alpha=value).to_json(), "0.0625"),
    "alpha of a blanket": (lambda value: bitsep.markov_blanket(DATA, "lung", method="x2", alpha=value), "0.0625"),
    "threshold": (lambda value: verdict(method="cmi", threshold=value), "0.125"),
    "min_rows_per_df": (lambda value: verdict(method="g2", min_rows_per_df=value), "5.5"),
    "options of a search": (
        lambda value: bitsep.pc_stable(DATA, method="cmi", threshold=value).to_json(), "0.125",
    ),
    "memory": (lambda value: bitsep.scan(pa.Table.from_pandas(DATA), memory=value)._budget, "50000000"),
    "sizes of the bound": (lambda value: bitsep.sample_size_bound(value, 3, value), "4"),
    "regret": (lambda value: bitsep.log2_regret(value, 3), "40"),
    "mean_degree": (lambda value: random_dag(6, mean_degree=value, seed=1), "1.5"),
}  # fmt: skip
REAL_TYPES: dict[str, Callable[[str], Any]] = {
    "float32": lambda text: np.float32(text),
    "float64": lambda text: np.float64(text),
    "longdouble": lambda text: np.longdouble(text),
    "Decimal": Decimal,
    "Fraction": Fraction,
}


@pytest.mark.parametrize("kind", REAL_TYPES)
@pytest.mark.parametrize("option", REALS)
def test_any_real_number_does_for_an_option(option: str, kind: str) -> None:
    call, text = REALS[option]
    assert call(REAL_TYPES[kind](text)) == call(float(text))


WHOLES: dict[str, tuple[Callable[[Any], Any], int]] = {
    "max_given": (lambda value: bitsep.pc_stable(DATA, max_given=value).to_json(), 1),
    "max_given of a blanket": (lambda value: bitsep.markov_blanket(DATA, "lung", max_given=value), 1),
    "max_given of separate": (
        lambda value: bitsep.separate(DATA, [("xray", "smoke", ("either", "dysp"))], max_given=value), 1,
    ),
    "bootstrap": (lambda value: bitsep.pc_stable(DATA, bootstrap=value).to_json(), 2),
    "seed": (lambda value: bitsep.pc_stable(DATA, bootstrap=1, seed=value).to_json(), 3),
    "threads": (lambda value: bitsep.pc_stable(DATA, threads=value).to_json(), 2),
    "threads of evaluate": (lambda value: bitsep.evaluate(DATA, [("smoke", "lung", ())], threads=value), 2),
    "max_float_levels": (lambda value: bitsep.Table(DATA, max_float_levels=value).fingerprint(), 7),
    "bins": (lambda value: bitsep.discretize(NUMBERS, "equal-width", bins=value).fingerprint(), 3),
    "rows and seed of a sample": (lambda value: NETWORK.sample(value, seed=value).to_dict(), 5),
    "variables and seed of a DAG": (lambda value: random_dag(value, seed=value), 6),
    "levels and seed of a network": (
        lambda value: random_network(NETWORK.dag, levels=value, seed=value).sample(10).to_dict(), 3,
    ),
    "sizes of a plot": (lambda value: len(plot_thresholds(kx=value, ky=value, kz=value, n=value).axes), 10),
}  # fmt: skip


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
@pytest.mark.parametrize("option", WHOLES)
def test_any_integer_does_for_an_option(option: str, kind: type) -> None:
    call, value = WHOLES[option]
    assert call(kind(value)) == call(value)


@pytest.mark.parametrize("value", [True, np.True_, "0.05", None, [0.05], 0.05j, np.datetime64("2024")])
def test_what_is_not_a_number_is_refused(value: Any) -> None:
    for option in REALS:
        if value is None and "alpha" in option:
            continue  # the default
        with pytest.raises(bitsep.BitsepError):
            REALS[option][0](value)


def str_of_type(value: Any) -> str:
    """pytest would write the number out."""
    return f"{'negative ' * (value < 0)}{type(value).__name__}"


HUGE = [10**10**6, -(10**10**6), Fraction(10**10**6, 3), Decimal("1e30000000"), Decimal("-1e30000000")]


@pytest.mark.parametrize("value", HUGE, ids=str_of_type)
def test_a_huge_number_as_an_option_is_refused_with_a_short_message(value: Any) -> None:
    for option in REALS:
        if option == "sizes of the bound" and value > 0:
            assert bitsep.sample_size_bound(value, 3, 1) == math.inf
            continue
        with pytest.raises(bitsep.BitsepError) as error:
            REALS[option][0](value)
        assert len(str(error.value)) < 300


def test_a_tiny_number_as_alpha_is_refused() -> None:
    for value in (Fraction(1, 10**10**6), Decimal("1e-30000000")):
        with pytest.raises(ArgumentError, match="alpha: must lie between 0 and 1"):
            verdict(alpha=value)


def test_limits_beyond_everything_are_no_limits() -> None:
    huge = 10**10**6
    assert bitsep.pc_stable(DATA, max_given=huge).graph == bitsep.pc_stable(DATA).graph
    assert bitsep.markov_blanket(DATA, "lung", max_given=huge) == bitsep.markov_blanket(DATA, "lung")
    tasks = [("xray", "smoke", ("either", "dysp"))]
    assert bitsep.separate(DATA, tasks, max_given=huge) == bitsep.separate(DATA, tasks)
    assert bitsep.Table(DATA, max_float_levels=huge).n_rows == 300
    with pytest.raises(bitsep.BitsepError, match="an int of 3321929 bits"):
        bitsep.pc_stable(DATA, max_given=-huge)


def test_a_judgment_takes_any_real_numbers() -> None:
    class Exact:
        name = "exact"

        def judge(self, counts: bitsep.Counts) -> bitsep.Judgment:
            return bitsep.Judgment(threshold_bits=Fraction(1, 2), statistic=np.float32(2.5), p_value=Decimal("0.25"))

    result = verdict(method=Exact())
    assert (result.threshold_bits, result.statistic, result.p_value) == (0.5, 2.5, 0.25)
    with pytest.raises(ArgumentError, match="threshold_bits: must be a number, got 'much'"):
        bitsep.Judgment(threshold_bits="much")  # type: ignore[arg-type]


BIG = 10**10**6
LEVELS: dict[str, list[Any]] = {
    "decimals": [Decimal("-1e30000000"), 0, Decimal("1e-30000000"), 1, Decimal("1e30000000")],
    "integers": [-BIG, 0, 1, BIG, BIG + 1],
    "fractions": [Fraction(-BIG, 3), Fraction(-1, BIG), Fraction(1, BIG), Fraction(1, 3), Fraction(BIG, 3)],
    "all kinds": [Decimal("-1e30000000"), Fraction(1, BIG), 1.5, BIG, Decimal("1e30000000"), math.inf, "text"],
    "tuples": [(0, Decimal("1e30000000")), (Fraction(1, BIG), 2), (BIG, 1)],
    "decimals beyond the usual context": [0, Decimal("1e-1000100"), Decimal("2e-1000100"), Decimal("1e99999999999")],
}


@pytest.mark.parametrize("kind", LEVELS)
def test_huge_numbers_are_levels_like_others(kind: str) -> None:
    """In minutes and gigabytes if a number were written out; here in moments."""
    expected = LEVELS[kind]
    rows = expected * 20
    table = bitsep.Table({"x": rows, "y": rows[::-1]})
    assert len(table.levels("x")) == len(expected)
    assert all(level is want or level == want for level, want in zip(table.levels("x"), expected, strict=True))
    assert table.codes("x").tolist() == list(range(len(expected))) * 20
    assert bitsep.Table({"x": rows[::-1]}).levels("x") == table.levels("x")
    assert len(repr(table)) < 1000
    assert pickle.loads(pickle.dumps(table)).fingerprint() == table.fingerprint()
    assert not bitsep.independence_test(table, "x", "y").independent
    if kind != "tuples":  # values that are missing are texts and numbers
        assert bitsep.Table({"x": rows}, missing=[expected[-1]]).missing("x") == 20


def test_tables_that_differ_in_a_huge_number_have_different_fingerprints() -> None:
    tables = [bitsep.Table({"x": [1, value]}) for value in (BIG, BIG + 1, Fraction(1, BIG), Fraction(1, BIG + 1))]
    assert len({table.fingerprint() for table in tables}) == 4


def test_the_form_of_equal_numbers_does_not_depend_on_the_order_of_rows() -> None:
    for values in ([10**400, Decimal("1e400"), Fraction(10**400)], [Decimal("0.1"), Fraction(1, 10)]):
        forms = {repr(bitsep.Table({"x": order}).levels("x")) for order in (values, values[::-1])}
        assert len(forms) == 1
        assert bitsep.Table({"x": values}).n_levels("x") == 1


def test_fractions_stand_by_value_among_other_numbers() -> None:
    values = [2, Decimal("0.4"), Fraction(1, 3), 0.25, Fraction(10, 3), Fraction(9, 2)]
    assert bitsep.Table({"x": values}).levels("x") == (0.25, Fraction(1, 3), Decimal("0.4"), 2, Fraction(10, 3), 4.5)


@pytest.mark.parametrize("weight", HUGE, ids=str_of_type)
def test_huge_weights_are_refused(weight: Any) -> None:
    with pytest.raises(DataError, match=r"weights: the array must have integers from 0 to 2\^56, got .{,40} in row 2"):
        bitsep.Table({"x": [1, 2]}, weights=[1, weight])


def test_a_report_of_huge_numbers_is_written(tmp_path: Any) -> None:
    rows = LEVELS["all kinds"] * 20
    bitsep.pc_stable({"x": rows, "y": rows}).save_report(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 10**6


def test_huge_numbers_are_cut_into_intervals_as_infinite_ones() -> None:
    data = {"x": [1, 2, 3, BIG, Decimal("1e30000000"), Fraction(BIG, 3)]}
    assert bitsep.discretize(data, "equal-frequency", bins=2, columns=["x"]).n_levels("x") == 2
    with pytest.raises(DataError, match="infinite"):
        bitsep.discretize(data, "equal-width", bins=2, columns=["x"])
