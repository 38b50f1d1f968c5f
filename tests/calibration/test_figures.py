"""From counts to figures."""

from __future__ import annotations

import pytest

from calibration.cells import Cell
from calibration.figures import Share, failures, levels, power_difference
from calibration.results import Result
from calibration.simulate import Counted


def result(errors: list[int], *, more: int = 0, less: int = 0, power: tuple[int, int] = (500, 500)) -> Result:
    """Type I errors in 10,000 data sets; in 1,000 of them the permutation test says dependent more or less often."""
    both = [errors[i] // 10 - less for i in range(3)]
    independent = Counted(
        10_000,
        {"x2_calibrated": errors},
        1_000,
        [count + more for count in both],
        [count + less for count in both],
        [more] * 3,
        [less] * 3,
    )
    dependent = Counted(10_000, {}, 1_000, [power[1]], [power[0]], [0], [0])
    return Result(Cell("uniform", 2, 1, 50), independent, dependent, 0.1, "", "2026-11-18")


def test_interval() -> None:
    """R 4.2.2: binom.test(500, 10000, conf.level = .999)$conf.int; and the closed forms at both ends."""
    low, high = Share(500, 10_000).interval
    assert (low, high) == pytest.approx((0.0431192788, 0.0575667496), rel=1e-8)
    assert Share(0, 100).interval == pytest.approx((0, 1 - 0.0005**0.01))
    assert Share(100, 100).interval == pytest.approx((0.0005**0.01, 1))


def test_a_level_that_is_kept() -> None:
    assert failures(result([1000, 500, 100])) == []
    assert all(one.is_admissible and one.is_kept for one in levels(result([1000, 500, 100])))


def test_a_level_that_is_not_kept() -> None:
    assert [one.is_kept for one in levels(result([1400, 700, 170]))] == [False, False, False]
    assert len(failures(result([1400, 700, 170]))) == 3
    assert "type I error 0.1400" in failures(result([1400, 700, 170]))[0]


def test_too_few_values() -> None:
    """Below alpha: right if the permutation test is, too, wrong if it is not."""
    assert [one.is_admissible for one in levels(result([500, 250, 30]))] == [False, False, False]
    assert failures(result([500, 250, 30])) == []
    assert len(failures(result([500, 250, 30], more=50))) == 3


def test_power() -> None:
    assert power_difference(result([1000, 500, 100], power=(480, 500))) == pytest.approx(-0.02)
    assert failures(result([1000, 500, 100], power=(480, 500))) == []
    assert "power -0.021" in failures(result([1000, 500, 100], power=(479, 500)))[0]
