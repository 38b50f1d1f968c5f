"""Adjusted p-values against scipy and Holm's definition."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

import bitsep
from bitsep.errors import ArgumentError
from bitsep.independence.adjustment import adjusted_log2, adjusted_results
from twins.strategies import quick

p_values = st.lists(st.floats(1e-12, 1.0), min_size=1, max_size=30)


def holm(p: list[float]) -> list[float]:
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, most = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        most = max(most, min(1.0, (len(p) - rank) * p[i]))
        adjusted[i] = most
    return adjusted


@quick
@given(p=p_values)
def test_like_scipy_and_the_definition(p: list[float]) -> None:
    logarithms = np.log2(p)
    for method in ("bh", "by"):
        expected = false_discovery_control(p, method=method)
        assert 2 ** adjusted_log2(logarithms, method) == pytest.approx(expected, rel=1e-9)
    assert 2 ** adjusted_log2(logarithms, "holm") == pytest.approx(holm(p), rel=1e-9)


@pytest.mark.parametrize("tests", range(2, 12))
@pytest.mark.parametrize("draws", [99, 199, 999])
def test_a_p_value_equal_to_alpha_means_dependent(tests: int, draws: int) -> None:
    """Those of permutation tests often are, and rounding must not decide."""
    copy = {"x": [0, 1] * 50, "y": [0, 1] * 50}
    alpha = tests / (1 + draws)
    results = bitsep.evaluate(copy, [("x", "y", ())] * tests, permutations=draws, alpha=alpha, adjust="holm")
    assert {(r.verdict, r.p_value, r.adjusted_p_value) for r in results} == {("dependent", 1 / (1 + draws), alpha)}
    assert all(r.score_bits > 0 for r in results)


@pytest.mark.parametrize("adjust", ["bh", "by", "holm"])
@pytest.mark.parametrize("method", ["g2_adjusted", "x2", "x2_calibrated"])
def test_adjusted_p_values_decide(adjust: Any, method: str) -> None:
    data = bitsep.load_network("alarm").sample(300, seed=1)
    pairs = [(a, b, ()) for i, a in enumerate(data) for b in list(data)[i + 1 :]]
    plain = bitsep.evaluate(data, pairs, method=method, alpha=0.01)
    adjusted = bitsep.evaluate(data, pairs, method=method, alpha=0.01, adjust=adjust)
    for before, after in zip(plain, adjusted, strict=True):
        assert before.adjusted_p_value is None
        assert after.p_value == before.p_value
        assert after.adjusted_p_value is not None
        assert after.p_value is not None
        assert after.adjusted_p_value >= after.p_value * (1 - 1e-9)
        assert after.independent == (after.adjusted_p_value >= 0.01)
        assert after.independent == (after.score_bits <= 0)
        assert after.score_bits == pytest.approx(math.log2(0.01) - math.log2(after.adjusted_p_value))
    dependent = [sum(not r.independent for r in results) for results in (plain, adjusted)]
    assert dependent[0] > dependent[1] > 0
    back = bitsep.IndependenceResult.from_dict(json.loads(json.dumps(adjusted[0].to_dict())))
    assert back == adjusted[0]
    assert "which decides the verdict" in str(adjusted[0])


def test_tests_with_too_few_rows_count() -> None:
    data = bitsep.load_network("asia").sample(200, seed=1)
    pairs = [("xray", "lung", ()), ("smoke", "asia", ("xray", "dysp", "bronc"))]
    first, second = bitsep.evaluate(data, pairs, method="g2", min_rows_per_df=100, adjust="holm")
    assert first.adjusted_p_value == pytest.approx(2 * (first.p_value or 0))
    assert second.too_few_rows
    assert second.adjusted_p_value is None
    assert second.independent
    assert bitsep.evaluate(data, [], method="x2", adjust="bh") == []


class Bare:
    name = "bare"

    def judge(self, counts: Any) -> bitsep.Judgment:
        return bitsep.Judgment(threshold_bits=1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"adjust": "bonferroni", "method": "x2"}, "adjust: must be 'bh', 'by', 'holm' or None, got 'bonferroni'."),
        ({"adjust": True, "method": "x2"}, "adjust: must be"),
        ({"adjust": "bh"}, "adjust: needs a test with p-values, got 'sci_f', which has none."),
        ({"adjust": "bh", "method": "jic"}, "got 'jic'"),
        ({"adjust": "bh", "method": Bare()}, "got 'bare'"),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    data = {"x": [0, 1] * 10, "y": [0, 1] * 10}
    with pytest.raises(ArgumentError, match=message):
        bitsep.evaluate(data, [("x", "y", ())], **options)


class Given:
    """A test written in Python; every p-value is 0.02."""

    name = "given"

    def judge(self, counts: Any) -> bitsep.Judgment:
        return bitsep.Judgment(p_value=0.02)


def test_a_test_without_a_level_is_decided_at_5_percent() -> None:
    data = {name: [0, 1] * 10 for name in "xyz"}
    results = bitsep.evaluate(data, [("x", "y", ()), ("x", "z", ())], method=Given(), adjust="holm")
    for result in results:
        assert result.alpha is None
        assert result.adjusted_p_value == pytest.approx(0.04)
        assert result.score_bits == pytest.approx(math.log2(0.05 / 0.04))
        assert not result.independent


def certain(method: str, p_value: float = 0.0) -> bitsep.IndependenceResult:
    """A result with a score of 2,000 bits, whose p-value is below the smallest float."""
    return bitsep.IndependenceResult(
        False, 2000.0, 1.0, -math.log2(0.05), 2000, method, "x", "y", (), alpha=0.05, p_value=p_value
    )


def test_the_logarithm_of_a_p_value_of_0_follows_from_the_score() -> None:
    """For a calibrated test log2 p is log2 alpha − score; for the others only the smallest float is known."""
    calibrated, other = adjusted_results([certain("x2_calibrated"), certain("x2")], "holm")
    assert calibrated.score_bits == pytest.approx(2000 - 1)
    assert other.score_bits == pytest.approx(math.log2(0.05) + 1074)
    (alone,) = adjusted_results([certain("x2_calibrated", 0.01)], "holm")
    assert alone.score_bits == pytest.approx(math.log2(0.05 / 0.01))
