"""Sentences of the paper, and what was measured about them, as tests."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bitsep
import golden
import twins


def test_example_1_the_function_with_evidence_scores_higher() -> None:
    # |X1| = 1,000, |X2| = 8, |Y| = 4, 1,000 rows; Y is a function of both, and one row per value is no evidence.
    x2 = [i % 8 for i in range(1_000)]
    columns = {"X1": list(range(1_000)), "X2": x2, "Y": [max(0, value - 4) for value in x2]}
    by_x1 = bitsep.independence_test(columns, "X1", "Y")
    by_x2 = bitsep.independence_test(columns, "X2", "Y")
    assert by_x1.cmi_bits == pytest.approx(by_x2.cmi_bits, abs=1e-12)
    assert by_x2.score_bits > 2.5 * by_x1.score_bits
    assert by_x1.small_sample
    assert not by_x2.small_sample


def test_example_1_nothing_is_left_to_explain_given_the_right_function() -> None:
    x2 = [i % 8 for i in range(1_000)]
    columns = {"X1": list(range(1_000)), "X2": x2, "Y": [value % 4 for value in x2]}
    assert bitsep.independence_test(columns, "X1", "Y", given="X2").independent


@pytest.mark.parametrize(("sizes", "bound"), [((2, 2, 4), 67), ((4, 4, 16), 378)])
def test_bounds_the_paper_prints(sizes: tuple[int, int, int], bound: int) -> None:
    assert math.ceil(bitsep.sample_size_bound(*sizes)) == bound


@pytest.mark.parametrize(("n", "low", "high"), [(100, 0.95, 1.0), (200, 0.52, 0.80), (500, 0.0, 0.01)])
def test_type_1_errors_below_the_sample_size_bound(n: int, low: float, high: float) -> None:
    # Independent uniform data, |X| = |Y| = 4, |Z| = 16: measured 99%, 66% and 0% "dependent"; the bound is 378.
    rng = np.random.default_rng(n)
    results = [
        bitsep.independence_test(np.column_stack([rng.integers(0, k, n) for k in (4, 4, 16)]), 0, 1, given=2)
        for _ in range(200)
    ]
    share = sum(not result.independent for result in results) / len(results)
    assert low <= share <= high
    assert all(result.small_sample == (n < 378) for result in results)


@pytest.mark.parametrize("n", [500, 1_500, 2_500])
def test_d_separation_with_little_noise(n: int) -> None:
    # Figure 1: F independent of T given D, E; neither D nor E independent of T given the rest.
    right = 0
    for seed in range(20):
        columns = golden.dsep_columns(seed, n, 4, 0.2)
        results = bitsep.evaluate(columns, [("F", "T", ("D", "E")), ("D", "T", ("E", "F")), ("E", "T", ("D", "F"))])
        right += results[0].independent + (not results[1].independent) + (not results[2].independent)
    assert right >= 0.93 * 60


def test_thresholds_at_the_peak_of_figure_2() -> None:
    # Measured with an independent implementation: fNML 1.057, qNML .542, JIC 10.1, Gamma(.05) 1.737.
    n, k, kz = 500, 4, 125
    fnml = (kz * k * bitsep.log2_regret(1, k) - kz * bitsep.log2_regret(4, k)) / n
    assert fnml == pytest.approx(1.057, abs=5e-4)
    regrets = [bitsep.log2_regret(n, size) for size in (k * k * kz, k * kz, k * kz, kz)]
    assert (regrets[0] - regrets[1] - regrets[2] + regrets[3]) / n == pytest.approx(0.542, abs=5e-4)
    assert twins.statistics.gamma_threshold(9 * kz, n, 0.05) == pytest.approx(1.737, abs=5e-4)
    assert 9 * kz / 2 * math.log2(n) / n == pytest.approx(10.1, abs=0.05)


def test_tests_reach_the_thresholds_of_figure_2() -> None:
    # A full grid: every (X, Y, Z) once.
    n, kz = 2_000, 125
    columns = {
        "x": [i // 500 for i in range(n)],
        "y": [i // kz % 4 for i in range(n)],
        "z": [i % kz for i in range(n)],
    }
    expected = {
        "sci_f": kz * (4 * twins.log2_regret(4, 4) - twins.log2_regret(16, 4)),
        "sci_q": twins.log2_regret(n, 16 * kz) - 2 * twins.log2_regret(n, 4 * kz) + twins.log2_regret(n, kz),
        "jic": 9 * kz / 2 * math.log2(n),
        "cmi_gamma": n * twins.statistics.gamma_threshold(9 * kz, n, 0.05),
    }
    for method, bits in expected.items():
        result = bitsep.independence_test(columns, "x", "y", given="z", method=method)
        assert result.threshold_bits == pytest.approx(bits, rel=1e-12)
        assert result.cmi_bits == pytest.approx(0.0, abs=1e-12)
