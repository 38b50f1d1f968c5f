"""The odds ratio that 2 × 2 strata have in common, and the test of Mantel and Haenszel."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bitsep import _native
from bitsep.counting import Counts
from bitsep.independence.effects.information import NORMAL_QUANTILE
from bitsep.independence.effects.margins import Floats


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """The common odds ratio of 2 × 2 strata (Mantel & Haenszel 1959).

    The odds of the first level of Y against the second, among the rows with the first level of X, divided by the same
    odds among those with the second level of X.

    Attributes
    ----------
    ratio : float
        The estimate of Mantel and Haenszel; 0 or infinite if one of its two sums is 0.
    interval : tuple of two float
        The 95% interval by the variance of Robins, Breslow & Greenland (1986); from 0 to infinity if the estimate is 0
        or infinite.
    statistic, p_value : float
        The statistic of the Mantel-Haenszel test that the ratio is 1, with continuity correction (chi-square, one
        degree of freedom), and its p-value; 0 and 1 if no stratum has two levels of both variables.
    x_levels, y_levels : tuple of two str
        The levels of X and of Y; empty if they are not known (merged columns).

    Examples
    --------
    >>> import bitsep
    >>> data = {"drug": ["a", "b"] * 30, "cured": [0] * 10 + [1] * 20 + [0, 1] * 15}
    >>> ratio = bitsep.independence_test(data, "drug", "cured").odds_ratio
    >>> round(ratio.ratio, 2), [round(limit, 2) for limit in ratio.interval], ratio.x_levels, ratio.y_levels
    (10.0, [2.94, 34.01], ('a', 'b'), ('0', '1'))
    """

    ratio: float
    interval: tuple[float, float]
    statistic: float
    p_value: float
    x_levels: tuple[str, ...] = ()
    y_levels: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent; infinite numbers become None."""
        return {
            "ratio": self.ratio if math.isfinite(self.ratio) else None,
            "interval": [limit if math.isfinite(limit) else None for limit in self.interval],
            "statistic": self.statistic,
            "p_value": self.p_value,
            "x_levels": list(self.x_levels),
            "y_levels": list(self.y_levels),
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> OddsRatio:
        """An odds ratio from the dictionary that `to_dict` returned."""
        low, high = (math.inf if limit is None else limit for limit in fields["interval"])
        return cls(
            math.inf if fields["ratio"] is None else fields["ratio"],
            (low, high),
            fields["statistic"],
            fields["p_value"],
            tuple(fields["x_levels"]),
            tuple(fields["y_levels"]),
        )


def two_by_two(counts: Counts) -> Floats | None:
    """The counts as 2 × 2 tables, one per stratum; None unless X and Y have two levels each in these rows."""
    x_levels, x = np.unique(counts.x, return_inverse=True)
    y_levels, y = np.unique(counts.y, return_inverse=True)
    if len(x_levels) != 2 or len(y_levels) != 2:
        return None
    tables = np.zeros((counts.kz, 2, 2))
    tables[counts.stratum, x, y] = counts.count
    return tables


def common_odds_ratio(
    tables: Floats, x_levels: tuple[str, ...] = (), y_levels: tuple[str, ...] = ()
) -> OddsRatio | None:
    """The odds ratio of these strata; None if no stratum says anything about it."""
    (a, b), (c, d) = tables[:, 0].T, tables[:, 1].T
    n = a + b + c + d
    agreeing, opposed = a * d / n, b * c / n
    up, down = math.fsum(agreeing), math.fsum(opposed)
    if up == down == 0:
        return None
    statistic = _statistic(a, a + b, a + c, n)
    p_value = float(_native.chi_square_tail(np.array([statistic]), np.array([1.0]))[0])
    ratio = up / down if down else math.inf
    interval = (0.0, math.inf)
    if up and down:
        share_a, share_b = (a + d) / n, (b + c) / n
        variance = (
            math.fsum(share_a * agreeing) / (2 * up**2)
            + math.fsum(share_a * opposed + share_b * agreeing) / (2 * up * down)
            + math.fsum(share_b * opposed) / (2 * down**2)
        )
        factor = math.exp(NORMAL_QUANTILE * math.sqrt(variance))
        interval = ratio / factor, ratio * factor
    return OddsRatio(ratio, interval, statistic, p_value, x_levels, y_levels)


def _statistic(a: Floats, row: Floats, column: Floats, n: Floats) -> float:
    """Whether the first cells together exceed their mean under independence, given the margins."""
    difference = abs(math.fsum(a - row * column / n))
    variance = math.fsum(row / n * column * ((n - row) / n) * ((n - column) / np.maximum(n - 1, 1)))
    if variance <= 0:
        return 0.0
    return max(0.0, difference - 0.5) ** 2 / variance


def stratum_odds_ratios(tables: Floats) -> list[float | None]:
    """The odds ratio of each stratum; None where it is infinite or undefined."""
    (a, b), (c, d) = tables[:, 0].T, tables[:, 1].T
    up, down = (a * d).tolist(), (b * c).tolist()
    return [above / below if below else None for above, below in zip(up, down, strict=True)]
