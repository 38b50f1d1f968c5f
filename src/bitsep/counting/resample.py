"""Bootstrap samples: the weight of each row in a sample follows from the number of the row and a seed.

The Poisson bootstrap gives every row an independent weight Poisson(1). Unlike sampling n rows with replacement, it does
not need n: a weight depends only on the number of the row, so every backend gets the same sample, whatever the chunks.
A row of weight w stands for w rows, whose weights sum to Poisson(w), which is drawn as one number.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from bitsep.data.fingerprint import ODD, mixed

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

LARGEST_SUM = 1 << 55
"""The largest sum of weights that can be resampled: the sum of a sample is then below the limit of tables, 2^56."""

_MAX_TABULATED_MEAN = 32  # Poisson numbers with a smaller mean are found in a table


def sample_rows(
    seed: int, start: int, rows: int, weights: Integers | None
) -> tuple[npt.NDArray[np.intp], Integers | None]:
    """The rows of ``start … start + rows - 1`` that are in a sample, and their weights.

    Without weights a row is repeated as often as it was drawn, since bitmaps can be used only without weights.
    """
    if weights is None:
        return np.repeat(np.arange(rows), bootstrap_weights(seed, start, rows)), None
    drawn = resampled_weights(seed, weights, start)
    take = np.flatnonzero(drawn)
    return take, drawn[take]


def bootstrap_weights(seed: int, start: int, count: int) -> Integers:
    """The weights of the rows ``start … start + count - 1``.

    >>> whole = bootstrap_weights(7, 0, 1000)
    >>> bool((bootstrap_weights(7, 400, 10) == whole[400:410]).all()), abs(float(whole.mean()) - 1) < 0.1
    (True, True)
    """
    return _tabulated(1, _uniform(_stream(seed), _numbers(start, count)))


def resampled_weights(seed: int, weights: Integers, start: int = 0) -> Integers:
    """The resampled weights of rows from `start` on, where a row of weight w stands for w rows.

    >>> weights = np.array([3, 0, 2, 40, 10**15])
    >>> whole = resampled_weights(7, weights)
    >>> bool((resampled_weights(7, weights[2:], start=2) == whole[2:]).all()), abs(int(whole[-1]) - 10**15) < 10**9
    (True, True)
    """
    rows = _numbers(start, len(weights))
    drawn = np.zeros(len(weights), dtype=np.int64)
    large = weights >= _MAX_TABULATED_MEAN
    drawn[large] = _by_rejection(seed, weights[large].astype(np.float64), rows[large])
    uniform = _uniform(_stream(seed), rows)
    for weight in np.unique(weights[~large]).tolist():
        same = weights == weight
        drawn[same] = _tabulated(weight, uniform[same])
    return drawn


def _tabulated(mean: int, uniform: Floats) -> Integers:
    """Poisson numbers by inversion: the smallest one whose cumulative probability exceeds the uniform number."""
    return np.searchsorted(_cumulative(mean), uniform, side="right").astype(np.int64)


@cache
def _cumulative(mean: int) -> Floats:
    terms = 19 + mean + 10 * math.isqrt(mean)  # further terms are below the rounding error of 1
    return np.cumsum([math.exp(-mean) * mean**k / math.factorial(k) for k in range(terms)])


def _by_rejection(seed: int, mean: Floats, rows: npt.NDArray[np.uint64]) -> Integers:
    """Poisson numbers by transformed rejection (algorithm PTRS of Hörmann 1993), each from its own random numbers."""
    b = 0.931 + 2.53 * np.sqrt(mean)
    a = -0.059 + 0.02483 * b
    scale = 1.1239 + 1.1328 / (b - 3.4)
    squeeze = 0.9277 - 3.6224 / (b - 2)
    drawn = np.zeros(len(mean), dtype=np.int64)
    left = np.arange(len(mean))
    attempt = 0
    while len(left):
        u = _uniform(_stream(seed, 2 * attempt + 1), rows[left]) - 0.5
        v = 1 - _uniform(_stream(seed, 2 * attempt + 2), rows[left])  # above 0
        inside = np.maximum(0.5 - np.abs(u), 2.0**-54)
        k = np.floor((2 * a[left] / inside + b[left]) * u + mean[left] + 0.43)
        accepted = (inside >= 0.07) & (v <= squeeze[left])
        undecided = ~accepted & (k >= 0) & ((inside >= 0.013) | (v <= inside))
        ratio = v * scale[left] / (a[left] / inside**2 + b[left])
        accepted[undecided] = np.log(ratio[undecided]) <= _log_probability(k[undecided], mean[left][undecided])
        drawn[left[accepted]] = k[accepted]
        left = left[~accepted]
        attempt += 1
    return drawn


def _log_probability(k: Floats, mean: Floats) -> Floats:
    """ln of mean^k e^-mean / k!, by Stirling's series; large terms are combined before they cancel (Loader 2000)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        d = (mean - k) / k
        series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / k**2) / k**2) / k**2) / k
        log = -k * (d - np.log1p(d)) - series - 0.5 * np.log(2 * math.pi * k)
    return np.where(k == 0, -mean, log)


def _numbers(start: int, count: int) -> npt.NDArray[np.uint64]:
    return np.arange(start, start + count, dtype=np.uint64)


def _uniform(stream: np.uint64, rows: npt.NDArray[np.uint64]) -> Floats:
    """Numbers in [0, 1) from row numbers by SplitMix64 (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        numbers = mixed((rows + np.uint64(1)) * ODD + stream)
    return (numbers >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _stream(seed: int, number: int = 0) -> np.uint64:
    """The start of a stream of random numbers: the first stream of a seed, or another one."""
    key = (number,) if number else ()
    return np.uint64(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0])
