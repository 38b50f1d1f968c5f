"""The rules of other libraries for the verdict, as user-defined tests of bitsep.

Each library uses the G² test, but computes its degrees of freedom differently. Graphs can be compared edge by edge only
if the rule is the same. With these objects bitsep searches with the rule of the library and must find the same edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import bitsep

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class PyAgrumRule:
    """df = (|X|−1)(|Y|−1)·∏|Z| − (cells whose expected count is zero), at least 1."""

    alpha: float
    name: str = "g2_pyagrum"

    def judge(self, counts: bitsep.Counts) -> bitsep.Judgment:
        observed = _dense(counts)
        _, expected = _expected(observed)
        empty = counts.kz_product * counts.kx * counts.ky - np.count_nonzero(expected)
        df = max((counts.kx - 1) * (counts.ky - 1) * counts.kz_product - empty, 1)
        return _verdict(observed, expected, df, self.alpha)


@dataclass(frozen=True)
class PgmpyRule:
    """df over non-empty rows and columns; Yates' correction if these are 2 × 2; dependent if the statistic is NaN.

    The statistic is NaN if df = 0, or if a combination of the levels of Z never occurs.
    """

    alpha: float
    name: str = "g2_pgmpy"

    def judge(self, counts: bitsep.Counts) -> bitsep.Judgment:
        observed = _dense(counts)
        per_stratum, expected = _expected(observed)
        shift = np.clip(expected - observed, -0.5, 0.5)
        corrected = np.where((per_stratum == 1)[:, None, None], observed + shift, observed)
        df = float(per_stratum.sum())
        if df == 0 or counts.kz < counts.kz_product:
            return bitsep.Judgment(score_bits=1.0)
        return _verdict(corrected, expected, df, self.alpha)


RULES: dict[str, Callable[[float], Any]] = {"pyAgrum": PyAgrumRule, "pgmpy": PgmpyRule}


def _dense(counts: bitsep.Counts) -> Array:
    table = np.zeros((max(counts.kz, 1), counts.kx, counts.ky))
    table[counts.stratum, counts.x, counts.y] = counts.count
    return table


def _expected(observed: Array) -> tuple[Array, Array]:
    """Per stratum (non-empty rows − 1)(non-empty columns − 1), and the expected counts of independent variables."""
    rows, columns = observed.sum(axis=2), observed.sum(axis=1)
    df = ((rows > 0).sum(axis=1) - 1) * ((columns > 0).sum(axis=1) - 1)
    return df, rows[:, :, None] * columns[:, None, :] / observed.sum(axis=(1, 2))[:, None, None]


def _verdict(observed: Array, expected: Array, df: float, alpha: float) -> bitsep.Judgment:
    from scipy.stats import chi2

    seen = observed > 0
    g2 = float(2 * np.sum(observed[seen] * np.log(observed[seen] / expected[seen])))
    p = float(chi2.sf(g2, df))
    return bitsep.Judgment(score_bits=alpha - p, statistic=g2, df=df, p_value=p)
