"""Every case of reference.json through the public entry, to 1e-9 absolute."""

from __future__ import annotations

from typing import Any

import pytest

import bitsep
import golden
from golden import Case

every_case = pytest.mark.parametrize("case", golden.cases(), ids=lambda case: f"{case.id}-{case.tag}")

SIZES = (("obs", "observed"), ("prod", "product"))
TOLERANCE = 1e-9


def run(case: Case, method: str, **options: Any) -> bitsep.IndependenceResult:
    return bitsep.independence_test(case.columns, "x", "y", given=case.given, method=method, **options)


def close(value: float) -> Any:
    return pytest.approx(value, abs=TOLERANCE, rel=0)


@every_case
def test_sci_f(case: Case) -> None:
    result = run(case, "sci_f")
    expect = case.expect
    assert result.score_bits == close(expect["sci_f"])
    assert result.score_bits == close(max(expect["sci_f_xy"], expect["sci_f_yx"]))
    assert result.cmi_bits == close(expect["cmi"])
    assert result.n == expect["n"]
    assert result.independent == expect["independent"]["sci_f"]
    assert result.domain_sizes == (expect["kx"], expect["ky"], expect["kz_obs"])


@pytest.mark.parametrize(
    "case", [case for case in golden.cases() if case.expect["exact_zero_sci_f"]], ids=lambda case: str(case.id)
)
def test_exact_zeros_are_independence(case: Case) -> None:
    result = run(case, "sci_f")
    assert result.independent
    assert abs(result.score_bits) <= 1e-7


@every_case
def test_sci_q(case: Case) -> None:
    for suffix, z_size in SIZES:
        result = run(case, "sci_q", z_size=z_size)
        assert result.score_bits == close(case.expect[f"sci_q_{suffix}"])
        assert result.independent == case.expect["independent"][f"sci_q_{suffix}"]


@every_case
def test_sci_fs(case: Case) -> None:
    for suffix, xy_size in SIZES:
        result = run(case, "sci_fs", xy_size=xy_size)
        assert result.score_bits == close(case.expect[f"sci_fs_{suffix}"])
        assert result.independent == case.expect["independent"][f"sci_fs_{suffix}"]


@every_case
def test_jic(case: Case) -> None:
    for suffix, z_size in SIZES:
        result = run(case, "jic", z_size=z_size)
        expected = case.expect[f"jic_untruncated_{suffix}"]
        # One case has a value of 4e5 bits per row, where 1e-9 is close to the spacing of doubles.
        assert result.score_bits / result.n == pytest.approx(expected, abs=TOLERANCE, rel=1e-14)
        assert result.independent == case.expect["independent"][f"jic_{suffix}"]


@every_case
def test_cmi(case: Case) -> None:
    result = run(case, "cmi")
    assert result.cmi_bits == close(case.expect["cmi"])
    assert result.threshold_bits == 0.0
    assert result.independent == case.expect["independent"]["cmi0"]


@every_case
def test_g2(case: Case) -> None:
    for suffix, z_size in SIZES:
        result = run(case, "g2", z_size=z_size)
        assert result.statistic == close(case.expect["g2_statistic"])
        assert result.df == case.expect[f"g2_dof_{suffix}"]
        assert result.p_value == close(case.expect[f"g2_p_{suffix}"])


@every_case
@pytest.mark.parametrize(("level", "alpha"), [("05", 0.05), ("001", 0.001)])
def test_cmi_gamma(case: Case, level: str, alpha: float) -> None:
    for suffix, z_size in SIZES:
        result = run(case, "cmi_gamma", alpha=alpha, z_size=z_size)
        assert result.threshold_bits / result.n == close(case.expect[f"gamma_t{level}_{suffix}"])
        assert result.independent == run(case, "g2", alpha=alpha, z_size=z_size).independent
        for key in (f"gamma_{level}_{suffix}", f"g2_{level}_{suffix}"):
            assert result.independent == case.expect["independent"].get(key, result.independent)
        halved = run(case, "cmi_gamma_halved", alpha=alpha, z_size=z_size)
        assert halved.threshold_bits == pytest.approx(result.threshold_bits / 2, rel=1e-15)


@pytest.mark.parametrize("method", ["sci_q", "g2", "jic", "cmi_gamma"])
def test_observed_is_the_default_for_z(method: str) -> None:
    case = next(c for c in golden.cases() if c.expect["kz_obs"] < c.expect["kz_prod"] and c.expect["cmi"] > 0)
    assert run(case, method) == run(case, method, z_size="observed")
    assert run(case, method).threshold_bits != run(case, method, z_size="product").threshold_bits


def test_product_is_the_default_for_xy() -> None:
    case = next(c for c in golden.cases() if c.expect["sci_fs_obs"] != c.expect["sci_fs_prod"])
    assert run(case, "sci_fs") == run(case, "sci_fs", xy_size="product")
