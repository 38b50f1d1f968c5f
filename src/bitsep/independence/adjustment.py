"""Adjustment of p-values for the number of tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from bitsep import _native
from bitsep.errors import ArgumentError
from bitsep.independence.effects.margins import Floats
from bitsep.independence.result import CALIBRATED, IndependenceResult
from bitsep.independence.tests import METHODS
from bitsep.naming import did_you_mean

Adjustment = Literal["bh", "by", "holm"]

TITLES = {"bh": "Benjamini-Hochberg", "by": "Benjamini-Yekutieli", "holm": "Holm"}

_ROUNDING_BITS = 1e-12

_LEAST_LOG2 = -1074.0  # of the smallest float; p-values of 0 count as this if their logarithm is not known


def checked_adjustment(adjust: Any, method: Any, by_permutation: bool = False) -> Adjustment | None:
    """Check the name of an adjustment, and that the test has p-values."""
    if adjust is None:
        return None
    known = get_args(Adjustment)
    if adjust not in known:
        raise ArgumentError(
            f"adjust: must be 'bh', 'by', 'holm' or None, got {adjust!r}.", hint=did_you_mean(adjust, known)
        )
    if by_permutation:
        return adjust  # type: ignore[no-any-return]
    if isinstance(method, str) and method in METHODS and METHODS[method].family != "significance":
        raise ArgumentError(
            f"adjust: needs a test with p-values, got {method!r}, which has none.",
            hint="Use method='x2_calibrated' or another test with a significance level.",
        )
    return adjust  # type: ignore[no-any-return]


def adjusted_results(
    results: Sequence[IndependenceResult], adjust: Adjustment, alpha: float = 0.05
) -> list[IndependenceResult]:
    """The results with adjusted p-values, which decide the verdicts.

    A test without a p-value, because its rows are too few, counts as a test that found nothing.
    """
    known = [result.p_value for result in results]
    if results and all(p is None for p in known) and not any(result.too_few_rows for result in results):
        raise ArgumentError(f"adjust: needs a test with p-values, got {results[0].method!r}, which has none.")
    adjusted = adjusted_log2(np.array([_log2_p(result) for result in results]), adjust).tolist()
    return [
        result if result.p_value is None else _decided(result, logarithm, alpha)
        for result, logarithm in zip(results, adjusted, strict=True)
    ]


def _log2_p(result: IndependenceResult) -> float:
    if result.p_value is None:
        return 0.0
    if result.p_value > 0:
        return math.log2(result.p_value)
    if result.method in CALIBRATED and result.alpha is not None:
        return math.log2(result.alpha) - result.score_bits
    return _LEAST_LOG2


def _decided(result: IndependenceResult, logarithm: float, alpha: float) -> IndependenceResult:
    level = alpha if result.alpha is None else result.alpha
    score, p_value = math.log2(level) - logarithm, 2.0**logarithm
    if abs(score) < _ROUNDING_BITS:  # equal but for rounding, and p <= alpha means dependent
        score, p_value = 2 * _native.zero_bits(result.n), level
    return replace(
        result, independent=score <= 0, score_bits=score, threshold_bits=-math.log2(level), adjusted_p_value=p_value
    )


def adjusted_log2(logarithms: Floats, adjust: Adjustment) -> Floats:
    """The base-2 logarithms of adjusted p-values, from those of the p-values.

    "bh": Benjamini & Hochberg (1995), "by": Benjamini & Yekutieli (2001), "holm": Holm (1979).

    >>> p = np.log2([0.01, 0.02, 0.03, 0.5])
    >>> [(2 ** adjusted_log2(p, adjust)).round(4).tolist() for adjust in ("bh", "by", "holm")]
    [[0.04, 0.04, 0.04, 0.5], [0.0833, 0.0833, 0.0833, 1.0], [0.04, 0.06, 0.06, 0.5]]
    """
    tests = len(logarithms)
    if not tests:
        return logarithms
    order = np.argsort(logarithms, kind="stable")
    place = np.arange(1, tests + 1)
    if adjust == "holm":
        ordered = np.maximum.accumulate(logarithms[order] + np.log2(tests + 1 - place))
    else:
        factor = tests / place if adjust == "bh" else tests / place * harmonic(tests)
        ordered = np.minimum.accumulate((logarithms[order] + np.log2(factor))[::-1])[::-1]
    adjusted = np.empty(tests)
    adjusted[order] = np.minimum(ordered, 0.0)
    return adjusted


def harmonic(tests: int) -> float:
    """1 + 1/2 + … + 1/tests, by which Benjamini and Yekutieli allow for any dependence between tests."""
    return math.fsum(1 / k for k in range(1, tests + 1))
