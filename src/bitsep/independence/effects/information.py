"""Conditional mutual information without the bias of the plug-in estimate, and an interval for it.

The plug-in estimate Î is too large: even if X and Y are independent, it is above zero. Its mean e under independence,
given the margins of every stratum, is known exactly: each count then has a hypergeometric distribution (as in the
adjusted mutual information of Vinh, Epps & Bailey, JMLR 11, 2010). The corrected estimate is Î − e.

The interval has the values I that Î does not contradict: (Î − e − I)² ≤ z² V(I), with V(I) = (e + 2κI)/n, in nats. For
large samples n Î is half a chi-square variable: with df degrees of freedom its mean is df/2 = n e, and its variance is
also df/2; a dependence of I nats adds n times the variance of log p(x,y|z)/p(x|z)p(y|z), which is 2I if it is weak. κ
is the ratio of the two in the data. As in Wilson's interval, V is taken at I, not at Î.

The bias is e only if the dependence is weak; if X and Y determine each other, Î has its largest value, the smaller
conditional entropy M of the two, and no such bias. So the lower limit uses the bias e, and the upper limit e (1 − I/M).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bitsep.counting import Counts
from bitsep.independence.effects.margins import Floats, Integers, Margins, Side, sums_of_strata

CONFIDENCE = 0.95
NORMAL_QUANTILE = 1.959963984540054  # of (1 + CONFIDENCE)/2

_EXACT_UP_TO = 1000.0  # expected counts; beyond, the error of the series is below 1e-6 nats per cell
_TERMS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class Information:
    """Estimates in bits per row.

    corrected : the corrected estimate, which can be negative.
    interval : the limits of the interval.
    of_stratum : the plug-in information of each stratum, in bits over all its rows.
    """

    corrected: float
    interval: tuple[float, float]
    of_stratum: Floats


def information(counts: Counts, margins: Margins) -> Information:
    """The corrected information of X and Y given Z, with its interval."""
    n = counts.n
    ratio = (counts.count / margins.x.of_cell) / (margins.y.of_cell / margins.n[counts.stratum])
    logarithm: Floats = np.log(ratio)
    terms = logarithm * counts.count
    plug_in = max(0.0, math.fsum(terms) / n)
    variance = max(0.0, math.fsum(terms * logarithm) / n - plug_in**2)
    kappa = variance / (2 * plug_in) if plug_in > 0 else 1.0
    bias = mean_under_independence(margins) / n
    most = min(_conditional_entropy(margins.x, margins), _conditional_entropy(margins.y, margins)) / n
    slope = 1 - bias / most if most > bias else 0.0
    low = _limit(plug_in - bias, bias, kappa, n, 1.0, -1)
    high = _limit(plug_in - bias, bias, kappa, n, slope, 1) if slope else math.inf
    bits = np.maximum(sums_of_strata(counts, terms), 0.0) / math.log(2)
    limits = low / math.log(2), min(high / math.log(2), _largest(counts))
    return Information((plug_in - bias) / math.log(2), limits, bits)


def _limit(corrected: float, bias: float, kappa: float, n: int, slope: float, sign: int) -> float:
    """A root of (corrected − slope · I)² = z² (bias + 2κI)/n, cut at 0."""
    unit = NORMAL_QUANTILE**2 / n
    center = (slope * corrected + unit * kappa) / slope**2
    under_root = center**2 - (corrected**2 - unit * bias) / slope**2
    return max(0.0, center + sign * math.sqrt(max(0.0, under_root)))


def _conditional_entropy(side: Side, margins: Margins) -> float:
    """n · H of one variable given Z, in nats."""
    return max(0.0, -math.fsum(side.total * np.log(side.total / margins.n[side.stratum])))


def _largest(counts: Counts) -> float:
    """No distribution over these levels has more bits."""
    return math.log2(max(1, min(counts.kx, counts.ky)))


def mean_under_independence(margins: Margins) -> float:
    """The mean of n Î in nats, over all tables with these margins."""
    n, row, column, cells = _cells(margins)
    mean = row * column / n
    means = np.empty_like(mean)
    large = mean > _EXACT_UP_TO
    means[large] = _series(n[large], row[large], column[large])
    means[~large] = _exact(n[~large], row[~large], column[~large])
    return math.fsum(means * cells)


def _cells(margins: Margins) -> tuple[Floats, Floats, Floats, Integers]:
    """All cells of the strata, empty ones included, by rows of the stratum, row sum and column sum; and how many have
    the same three numbers. A stratum of n rows has at most √(2n) different row sums, so these are at most about 2n."""
    rows, columns = _distinct(margins.x), _distinct(margins.y)
    first = np.searchsorted(columns[0], np.arange(len(margins.n) + 1))
    partners = np.diff(first)[rows[0]]  # the columns that each row meets
    r = np.repeat(np.arange(len(rows[0])), partners)
    c = np.arange(partners.sum()) - np.repeat(np.cumsum(partners) - partners, partners) + first[rows[0]][r]
    smaller, larger = np.minimum(rows[1][r], columns[1][c]), np.maximum(rows[1][r], columns[1][c])
    keys = np.stack([margins.n[rows[0][r]], smaller, larger], axis=1)
    distinct, inverse = np.unique(keys, axis=0, return_inverse=True)
    cells = np.zeros(len(distinct), np.int64)
    np.add.at(cells, inverse.reshape(-1), rows[2][r] * columns[2][c])
    n, row, column = distinct.T.astype(np.float64)
    return n, row, column, cells


def _distinct(side: Side) -> tuple[Integers, Integers, Integers]:
    """The stratum, total and number of the occupied levels with the same total."""
    keys, number = np.unique(np.stack([side.stratum, side.total], axis=1), axis=0, return_counts=True)
    return keys[:, 0], keys[:, 1], number


def _variance(n: Floats, row: Floats, column: Floats) -> Floats:
    """Of the hypergeometric distribution."""
    return row / n * (column / n) * (n - row) * (n - column) / np.maximum(n - 1, 1)


def _series(n: Floats, row: Floats, column: Floats) -> Floats:
    """The mean of N ln(N/m) − N + m for a hypergeometric N with a large mean m, from its central moments."""
    mean, variance = row * column / n, _variance(n, row, column)
    third = variance * (1 - 2 * row / n) * (n - 2 * column) / np.maximum(n - 2, 1)
    result: Floats = variance / (2 * mean) - third / (6 * mean**2) + variance**2 / (4 * mean**3)
    return result


def _exact(n: Floats, row: Floats, column: Floats) -> Floats:
    """The same mean as a sum over the values of N, without those whose probability is negligible."""
    mean = row * column / n
    reach = 10 * np.sqrt(_variance(n, row, column)) + 20
    lowest = np.maximum(np.maximum(0, row + column - n), np.floor(mean - reach))
    highest = np.minimum(np.minimum(row, column), np.ceil(mean + reach))
    values = (highest - lowest + 1).astype(np.int64)
    means = np.empty_like(mean)
    ends = np.cumsum(values)
    begin = 0
    while begin < len(mean):
        used = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, used + _TERMS_AT_ONCE, side="right")))
        part = slice(begin, end)
        means[part] = _sums(n[part], row[part], column[part], lowest[part], values[part])
        begin = end
    return means


def _sums(n: Floats, row: Floats, column: Floats, lowest: Floats, values: Integers) -> Floats:
    starts = np.cumsum(values) - values
    cell = np.repeat(np.arange(len(n)), values)
    count = lowest[cell] + (np.arange(len(cell)) - starts[cell])
    row, column, n = row[cell], column[cell], n[cell]
    logarithm = -(
        _log_factorial(count)
        + _log_factorial(row - count)
        + _log_factorial(column - count)
        + _log_factorial(n - row - column + count)
    )
    weight = np.exp(logarithm - np.maximum.reduceat(logarithm, starts)[cell])
    mean = row * column / n
    # The mean of N − m is 0; subtracting it makes all terms positive and small.
    excess = np.where(count > 0, count * np.log(np.maximum(count, 1) / mean), 0.0) - count + mean
    result: Floats = np.add.reduceat(weight * excess, starts) / np.add.reduceat(weight, starts)
    return result


_FACTORIALS = np.array([math.lgamma(k + 1.0) for k in range(32)])


def _log_factorial(values: Floats) -> Floats:
    """ln k! by Stirling's series, and by a table for small k."""
    k = np.maximum(values, len(_FACTORIALS))
    series = (k + 0.5) * np.log(k) - k + 0.5 * math.log(2 * math.pi) + 1 / (12 * k) - 1 / (360 * k**3)
    small = _FACTORIALS[np.minimum(values, len(_FACTORIALS) - 1).astype(np.int64)]
    return np.where(values < len(_FACTORIALS), small, series)
