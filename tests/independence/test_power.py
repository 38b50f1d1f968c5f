"""The power of tests, against scipy and against simulations."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, ncx2

import bitsep
from bitsep.errors import ArgumentError
from bitsep.independence.power_analysis import _chi_square_per_row, _information_per_row, noncentral_tail
from twins.strategies import quick


@quick
@given(value=st.floats(0.01, 500), df=st.integers(1, 300), noncentrality=st.floats(0.01, 2000))
def test_noncentral_tail_like_scipy(value: float, df: int, noncentrality: float) -> None:
    expected = ncx2.sf(value, df, noncentrality)
    assert noncentral_tail(value, df, noncentrality) == pytest.approx(expected, rel=1e-8, abs=1e-12)
    assert noncentral_tail(value, df, 0.0) == pytest.approx(chi2.sf(value, df), rel=1e-10)


def test_the_three_questions_agree() -> None:
    rows = bitsep.power(3, 4, 5, effect_size=0.2, power=0.9, alpha=0.01, method="g2").rows
    exact = [bitsep.power(3, 4, 5, effect_size=0.2, rows=n, alpha=0.01, method="g2").power for n in (rows - 1, rows)]
    assert exact[0] < 0.9 <= exact[1]
    effect = bitsep.power(3, 4, 5, rows=rows, power=exact[1], alpha=0.01, method="g2").effect_size
    assert effect == pytest.approx(0.2, abs=1e-6)
    # Cohen (1988), table 7.4.1: w = .3, one degree of freedom, power .80 at .05.
    assert bitsep.power(2, 2, effect_size=0.3).rows == 88


def test_half_the_threshold() -> None:
    halved = bitsep.power(3, 3, 4, effect_size=0.15, rows=400, method="cmi_gamma_halved").power
    df = 16
    noncentrality = 2 * 400 * copied_information(3, 0.15)
    assert halved == pytest.approx(ncx2.sf(chi2.isf(0.05, df) / 2, df, noncentrality), rel=1e-8)


def copied_information(levels: int, share: float) -> float:
    """The information, in nats, that X shares with a copy of it, if the copy is made with this probability."""
    joint = np.full((levels, levels), (1 - share) / levels**2) + np.eye(levels) * share / levels
    return float((joint * np.log(joint * levels**2)).sum())


@pytest.mark.parametrize("effect", [1e-300, 1e-12, 1e-8, 1e-5])
def test_tiny_effects(effect: float) -> None:
    g2, x2 = (bitsep.power(5, 5, effect_size=effect, rows=10**12, method=method).power for method in ("g2", "x2"))
    assert g2 == pytest.approx(x2, rel=1e-4)
    assert _information_per_row(5, effect) == pytest.approx(_chi_square_per_row(5, effect), rel=1e-2)


@pytest.mark.parametrize(("levels", "effect"), [(2, 0.1), (6, 0.3), (10, 0.9), (3, 1 - 1e-12)])
def test_the_noncentrality_depends_on_the_statistic(levels: int, effect: float) -> None:
    df = (levels - 1) ** 2
    critical = chi2.isf(0.05, df)
    for method, per_row in (
        ("g2", 2 * copied_information(levels, effect)),
        ("x2_calibrated", effect**2 * (levels - 1)),
    ):
        power = bitsep.power(levels, levels, effect_size=effect, rows=60, method=method).power
        assert power == pytest.approx(ncx2.sf(critical, df, 60 * per_row), rel=1e-6)
    assert bitsep.power(levels, levels, effect_size=1.0, rows=60, method="g2").power > 0.9


def test_rows_that_a_test_demands() -> None:
    """With fewer the verdict is always "independent"."""
    plain, demanding = (
        bitsep.power(3, 3, 4, effect_size=0.5, method="g2", **options) for options in ({}, {"min_rows_per_df": 10})
    )
    assert plain.rows < 160 == demanding.rows
    assert bitsep.power(3, 3, 4, effect_size=0.5, rows=159, method="g2", min_rows_per_df=10).power == 0
    assert bitsep.power(3, 3, 4, rows=159, method="g2", min_rows_per_df=10).effect_size is None


def test_tests_without_a_level_need_as_many_rows_as_the_bound() -> None:
    needed = bitsep.power(3, 3, 9, effect_size=1.0, method="sci_f")
    assert needed.rows >= bitsep.sample_size_bound(3, 3, 9)
    assert needed.alpha is None
    strict = bitsep.power(3, 3, 9, effect_size=0.3, method="sci_f", alpha=0.01)
    assert strict.rows > bitsep.power(3, 3, 9, effect_size=0.3, method="sci_f").rows


def test_shown_and_as_plain_values() -> None:
    found = bitsep.power(3, 3, 4, effect_size=0.2, rows=500)
    assert str(found) == "500 rows, effect size 0.2: 99% power (3 × 3 levels in 4 strata; x2_calibrated, alpha = 0.05)"
    assert "99% power" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["rows"] == 500
    sparse = bitsep.power(10, 10, effect_size=0.2, rows=499)
    assert sparse.rows_per_cell == pytest.approx(4.99)
    assert str(sparse).endswith("alpha = 0.05); a rough approximation, with few rows per cell")
    none = bitsep.power(2, 2, rows=3)
    assert none.effect_size is None
    assert "no effect is found with 80% power" in str(none)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "effect_size, rows: at least one must be given, got none."),
        ({"effect_size": 0.2, "rows": 10, "power": 0.5}, "at most two can be given, got all three"),
        ({"effect_size": 0}, "effect_size: must be a number above 0 and at most 1, got 0."),
        ({"effect_size": 1.1}, "effect_size: must be"),
        ({"effect_size": "big"}, "effect_size: must be"),
        ({"effect_size": 1e-9}, "effect_size: too small"),
        ({"rows": 0}, "rows: must be an integer of at least 1, got 0."),
        ({"rows": 10.5}, "rows: must be an integer"),
        ({"rows": 100, "power": 1}, "power: must be a number between 0 and 1, both excluded, got 1."),
        ({"rows": 100, "alpha": 0}, "alpha: must lie between 0 and 1"),
        ({"rows": 100, "x_levels": 1}, "x_levels: must be an integer of at least 2, got 1."),
        ({"rows": 100, "strata": 10**6}, "strata: too many cells"),
        ({"rows": 100, "method": "none"}, "method: unknown test"),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    with pytest.raises((ArgumentError, bitsep.BitsepError), match=message):
        bitsep.power(**{"x_levels": 2, "y_levels": 2, **options})


def simulated(sizes: tuple[int, int, int], effect: float, rows: int, method: str, sets: int, seed: int) -> float:
    """The share of data sets called dependent: y copies x with probability `effect`, which is Cramér's V."""
    kx, ky, kz = sizes
    rng = np.random.default_rng(seed)
    data, queries = {}, []
    for i in range(sets):
        x, z = rng.integers(0, kx, rows), rng.integers(0, kz, rows)
        y = np.where(rng.random(rows) < effect, (x + z) % ky, rng.integers(0, ky, rows))
        data |= {f"x{i}": x, f"y{i}": y, f"z{i}": z}
        queries.append((f"x{i}", f"y{i}", (f"z{i}",)))
    results = bitsep.evaluate(data, queries, method=method)
    return sum(not result.independent for result in results) / sets


@pytest.mark.slow
@pytest.mark.parametrize("method", ["x2_calibrated", "g2", "sci_f"])
@pytest.mark.parametrize(
    ("sizes", "effect", "rows"),
    [
        ((2, 2, 1), 0.15, 400),
        ((3, 3, 1), 0.2, 150),
        ((3, 3, 4), 0.2, 400),
        ((4, 4, 2), 0.15, 400),
        ((10, 10, 1), 0.1, 3_600),
    ],
)
def test_like_simulations(sizes: tuple[int, int, int], effect: float, rows: int, method: str) -> None:
    expected = bitsep.power(*sizes, effect_size=effect, rows=rows, method=method).power
    assert simulated(sizes, effect, rows, method, sets=800, seed=1) == pytest.approx(expected, abs=0.06)
