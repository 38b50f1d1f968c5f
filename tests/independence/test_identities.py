"""How the parts of a result hang together: score, threshold, p-value, bound, flag, verdict."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
from bitsep.independence import METHODS
from twins.strategies import Columns, methods, quick, tables

SCI = [name for name, method in METHODS.items() if method.family == "sci"]
SIGNIFICANCE = [name for name, method in METHODS.items() if method.family == "significance"]
givens = st.sampled_from([[], ["a"], ["a", "b"], ["a", "b", "c"]])


def run(columns: object, z: list[str], method: str, **options: object) -> bitsep.IndependenceResult:
    return bitsep.independence_test(columns, "x", "y", given=z, method=method, **options)


@given(tables(), methods, givens)
@quick
def test_score_is_information_less_threshold(columns: Columns, method: str, z: list[str]) -> None:
    result = run(columns, z, method)
    evidence = result.n * result.cmi_bits if result.statistic is None else result.statistic / (2 * math.log(2))
    if result.decides_by_p_value:
        assert result.p_value is not None
        evidence = -math.log2(result.p_value)
    assert result.score_bits == pytest.approx(evidence - result.threshold_bits, abs=1e-9)
    assert result.independent == (result.score_bits <= 1e-7)


@given(tables(), st.sampled_from(SCI), givens, st.floats(1e-9, 0.999))
@quick
def test_alpha_asks_a_sci_test_for_more_bits(columns: Columns, method: str, z: list[str], alpha: float) -> None:
    plain, strict = run(columns, z, method), run(columns, z, method, alpha=alpha)
    assert strict.threshold_bits == pytest.approx(plain.threshold_bits - math.log2(alpha), abs=1e-9)
    assert strict.score_bits == pytest.approx(plain.score_bits + math.log2(alpha), abs=1e-9)
    assert strict.no_hypercompression_bound == pytest.approx(plain.no_hypercompression_bound, rel=1e-12)
    assert (plain.alpha, strict.alpha) == (None, alpha)


@given(tables(), st.sampled_from(SCI), givens)
@quick
def test_no_hypercompression_bound(columns: Columns, method: str, z: list[str]) -> None:
    result = run(columns, z, method)
    assert result.no_hypercompression_bound == pytest.approx(min(1.0, 2.0**-result.score_bits), rel=1e-9)
    assert result.p_value is result.statistic is result.df is None


@pytest.mark.parametrize("method", [method for method in METHODS if method not in SCI])
def test_only_sci_tests_have_the_bound(method: str) -> None:
    assert run({"x": [0, 1], "y": [0, 1]}, [], method).no_hypercompression_bound is None


@given(tables(max_rows=80), givens, st.sampled_from([0.3, 0.05, 0.001]))
@quick
def test_cmi_gamma_is_the_g2_test(columns: Columns, z: list[str], alpha: float) -> None:
    gamma, g2 = run(columns, z, "cmi_gamma", alpha=alpha), run(columns, z, "g2", alpha=alpha)
    assert gamma.independent == g2.independent
    assert gamma.threshold_bits == pytest.approx(g2.threshold_bits, abs=1e-9)
    assert g2.statistic == pytest.approx(2 * math.log(2) * g2.n * g2.cmi_bits, abs=1e-9)


@given(tables(max_rows=80), st.sampled_from(SIGNIFICANCE), givens, st.sampled_from([0.3, 0.05, 0.001]))
@quick
def test_a_verdict_with_a_p_value_follows_from_it(columns: Columns, method: str, z: list[str], alpha: float) -> None:
    result = run(columns, z, method, alpha=alpha)
    assert result.p_value is not None
    if abs(result.p_value - alpha) > 1e-7:
        assert result.independent == (result.p_value >= alpha)


@given(tables(), st.sampled_from([name for name in SIGNIFICANCE if "min_rows_per_df" in METHODS[name].options]), givens)
@quick
def test_too_few_rows_per_degree_of_freedom(columns: Columns, method: str, z: list[str]) -> None:
    plain, careful = run(columns, z, method), run(columns, z, method, min_rows_per_df=10)
    assert plain.df is not None
    if plain.n < 10 * plain.df:
        assert careful.independent
        assert careful.p_value is None
    else:
        assert careful == plain
    assert run(columns, z, method, min_rows_per_df=0) == plain


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 200))
@quick
def test_sample_size_bound(kx: int, ky: int, kz: int) -> None:
    large, small = max(kx, ky), min(kx, ky)
    bound = 35 + 2 * large * small ** (2 / 3) * (kz + 1)
    assert abs(bitsep.sample_size_bound(kx, ky, kz) - bound) < 1  # rounded up or not
    assert bitsep.sample_size_bound(kx, ky, kz) >= bound - 1e-9


@pytest.mark.parametrize("method", ["sci_f", "g2"])
def test_small_sample_flag_turns_at_the_bound(method: str) -> None:
    # (2, 2, 4): the paper says 67.
    def columns(n: int) -> Columns:
        return {
            "x": [i % 2 for i in range(n)],
            "y": [i // 2 % 2 for i in range(n)],
            "z": [i // 4 % 4 for i in range(n)],
        }

    assert bitsep.independence_test(columns(66), "x", "y", given="z", method=method).small_sample
    assert not bitsep.independence_test(columns(67), "x", "y", given="z", method=method).small_sample
