"""The twins themselves against the golden values: a second opinion has to be right before it can judge."""

from __future__ import annotations

from fractions import Fraction

import pytest

import golden
import twins
from golden import Case


def test_regret_by_definition_is_the_fraction_of_the_sum() -> None:
    for n in range(6):
        for k in range(1, 5):
            assert twins.regret_by_definition(n, k) == twins.regret_exact(n, k)


def test_exact_regrets() -> None:
    for n, k, numerator, denominator, log2 in golden.exact_regrets():
        assert twins.regret_exact(n, k) == Fraction(numerator, denominator)
        assert twins.log2_regret(n, k) == pytest.approx(log2, rel=1e-14)


def test_precise_regrets() -> None:
    for n, k, log2 in golden.precise_regrets():
        assert twins.log2_regret(n, k) == pytest.approx(log2, rel=1e-14)
        assert twins.log2_regret_precise(n, k) == pytest.approx(log2, rel=1e-15)


@pytest.mark.parametrize("case", golden.cases(), ids=lambda case: f"{case.id}-{case.tag}")
def test_statistics(case: Case) -> None:
    x, y, z, expect = [case.x], [case.y], case.z, case.expect
    score_bits = {
        "sci_f": twins.evaluate(x, y, z, "sci_f"),
        "sci_q_obs": twins.evaluate(x, y, z, "sci_q"),
        "sci_q_prod": twins.evaluate(x, y, z, "sci_q", z_size="product"),
        "sci_fs_prod": twins.evaluate(x, y, z, "sci_fs"),
        "sci_fs_obs": twins.evaluate(x, y, z, "sci_fs", xy_size="observed"),
    }
    for key, result in score_bits.items():
        assert result["score_bits"] == pytest.approx(expect[key], abs=1e-9)
        assert result["independent"] == expect["independent"][key]
    for size, z_size in (("obs", "observed"), ("prod", "product")):
        jic = twins.evaluate(x, y, z, "jic", z_size=z_size)
        assert jic["score_bits"] / jic["n"] == pytest.approx(expect[f"jic_untruncated_{size}"], abs=1e-9)
        g2 = twins.evaluate(x, y, z, "g2", z_size=z_size)
        assert g2["statistic"] == pytest.approx(expect["g2_statistic"], abs=1e-9)
        assert g2["df"] == expect[f"g2_dof_{size}"]
        assert g2["p_value"] == pytest.approx(expect[f"g2_p_{size}"], abs=1e-9)
