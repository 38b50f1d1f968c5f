"""The statistics of `make bench-compare`."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from benchmarks.compare.cases import all_cases
from benchmarks.compare.data import write_data
from benchmarks.compare.ratios import Comparison, as_text, compare, geometric_mean, interval_rank, passes


def compared(ratio: float, low: float, high: float) -> Comparison:
    return Comparison("a case", 1e6, 1e6 * ratio, ratio, low, high)


def test_equal_times_have_ratio_one_and_pass() -> None:
    one = compare("a case", [100] * 51, [100] * 51)
    assert (one.ratio, one.low, one.high) == (1.0, 1.0, 1.0)
    assert passes([one])


def test_the_ratio_is_the_median_of_pairs_not_the_ratio_of_medians() -> None:
    # The machine is half as fast in the second half of the run: the pairs know, the medians do not.
    base = [100] * 30 + [200] * 21
    new = [120] * 30 + [240] * 21
    assert compare("a case", base, new).ratio == pytest.approx(1.2)
    assert compare("a case", [100, 100, 400], [110, 120, 360]).ratio == pytest.approx(1.1)


def test_outliers_do_not_move_the_ratio() -> None:
    base = [100] * 51
    new = [105] * 46 + [10_000] * 5
    one = compare("a case", base, new)
    assert (one.ratio, one.low, one.high) == pytest.approx((1.05, 1.05, 1.05))


@pytest.mark.parametrize(("n", "rank"), [(7, None), (8, 0), (51, 15), (101, 37)])
def test_ranks_of_the_interval_are_those_of_the_sign_test(n: int, rank: int | None) -> None:
    assert interval_rank(n) == rank


def test_the_interval_holds_the_true_median_as_often_as_it_says() -> None:
    rng = random.Random(1)
    held = 0
    for _ in range(2_000):
        new = [round(1e6 * rng.lognormvariate(0.0, 0.3)) for _ in range(51)]
        one = compare("a case", [10**6] * 51, new)
        held += one.low <= 1.0 <= one.high
    assert held >= 0.985 * 2_000


def test_too_few_repetitions_decide_nothing() -> None:
    one = compare("a case", [100] * 3, [200] * 3)
    assert (one.low, one.high) == (0.0, math.inf)
    assert not one.too_slow


def test_a_case_is_too_slow_above_the_limit_if_that_is_not_noise() -> None:
    assert compared(1.12, 1.06, 1.2).remark == "too slow"
    assert compared(1.12, 1.04, 1.3).remark == "unclear, repeat it"
    assert not compared(1.12, 1.04, 1.3).too_slow
    assert compared(1.09, 1.08, 1.1).remark == ""


def test_one_slow_case_fails_although_the_mean_is_low() -> None:
    fast = [compared(1.0, 0.99, 1.01)] * 99
    assert passes(fast)
    assert not passes([*fast, compared(1.2, 1.15, 1.25)])


def test_a_mean_above_its_limit_fails_although_no_case_is_too_slow() -> None:
    assert passes([compared(1.05, 1.04, 1.06)] * 10)
    assert not passes([compared(1.06, 1.05, 1.07)] * 10)
    assert geometric_mean([compared(2.0, 1, 3), compared(0.5, 0, 1)]) == pytest.approx(1.0)


def test_the_text_names_the_largest_ratio_and_marks_what_is_too_slow() -> None:
    slow = Comparison("the slow case", 1e6, 1.2e6, 1.2, 1.15, 1.25)
    text = as_text([compared(1.0, 0.9, 1.1), slow])
    assert "largest         1.200  the slow case" in text
    assert next(line for line in text.splitlines() if line.endswith("too slow")).startswith("the slow case")


def test_names_of_cases_are_unique() -> None:
    names = [case.name for case in all_cases()]
    assert len(set(names)) == len(names)


@pytest.mark.slow
def test_every_case_runs(tmp_path: Path) -> None:
    write_data(tmp_path)
    for case in all_cases():
        case.prepare(tmp_path)()
