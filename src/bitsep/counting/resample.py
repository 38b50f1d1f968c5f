"""Bootstrap samples: whether a row is in a sample follows from the number of the row and a seed.

A sample has the different rows of a bootstrap sample: each row with probability 1 - 1/e = 0.632, independently, the
share of rows that n draws with replacement hit. Rows that were drawn several times count once. Repeated rows look
like a dependence between all variables: searches find many edges in them that are not there (Steck & Jaakkola 2003),
and take longer.

Whether a row is drawn depends only on its number, so every backend gets the same sample, whatever the chunks. A row of
weight w stands for w rows, of which Binomial(w, 1 - 1/e) are drawn as one number.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from bitsep.counting.contract import Counter
from bitsep.data.fingerprint import ODD, mixed

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

LARGEST_SUM = 1 << 55
"""The largest sum of weights that can be resampled: the sum of a sample is then below the limit of tables, 2^56."""

_MAX_SMALL_CELLS = 1 << 26  # rows × columns: a sample of such a table takes about 64 MB or a few times that

_NOT_DRAWN = math.exp(-1)
"""The share of rows that are not in a sample."""

_MAX_TABULATED_WEIGHT = 32  # binomial numbers of a smaller weight are found in a table


def samples_at_once(counter: Counter, threads: int) -> int:
    """How many samples are to be drawn and searched at the same time: one per thread if the table is small.

    Of a large table one, which all threads search: a sample takes as much memory as the table.
    """
    table = counter.native
    small = table is not None and table.rows * max(1, len(counter.variables)) <= _MAX_SMALL_CELLS
    return threads if small else 1


def sample_rows(
    seed: int, start: int, rows: int, weights: Integers | None
) -> tuple[npt.NDArray[np.intp], Integers | None]:
    """The rows of ``start … start + rows - 1`` that are in a sample, and their weights."""
    if weights is None:
        return np.flatnonzero(drawn_rows(seed, start, rows)), None
    drawn = drawn_weights(seed, weights, start)
    take = np.flatnonzero(drawn)
    return take, drawn[take]


def drawn_rows(seed: int, start: int, count: int) -> npt.NDArray[np.bool_]:
    """Which of the rows ``start … start + count - 1`` are in a sample.

    >>> whole = drawn_rows(7, 0, 1000)
    >>> bool((drawn_rows(7, 400, 10) == whole[400:410]).all()), abs(float(whole.mean()) - 0.632) < 0.05
    (True, True)
    """
    return _uniform(_stream(seed), _numbers(start, count)) >= _NOT_DRAWN


def drawn_weights(seed: int, weights: Integers, start: int = 0) -> Integers:
    """How many of the rows that each row from `start` on stands for are in a sample.

    >>> weights = np.array([3, 0, 2, 40, 10**15])
    >>> whole = drawn_weights(7, weights)
    >>> bool((drawn_weights(7, weights[2:], start=2) == whole[2:]).all()), abs(int(whole[-1]) / 10**15 - 0.632) < 0.001
    (True, True)
    """
    rows = _numbers(start, len(weights))
    missed = np.zeros(len(weights), dtype=np.int64)
    large = weights >= _MAX_TABULATED_WEIGHT
    missed[large] = _by_rejection(seed, weights[large], rows[large])
    uniform = 1 - _uniform(_stream(seed), rows)  # few are missed where `drawn_rows` draws a row
    for weight in np.unique(weights[~large]).tolist():
        same = weights == weight
        missed[same] = np.searchsorted(_cumulative(weight), uniform[same], side="left")
    return weights - missed


@cache
def _cumulative(weight: int) -> Floats:
    """The probabilities that at most 0, 1, … of so many rows are missed, without the last one, which is 1."""
    terms = [math.comb(weight, k) * _NOT_DRAWN**k * (1 - _NOT_DRAWN) ** (weight - k) for k in range(weight)]
    return np.cumsum(terms)


def _by_rejection(seed: int, weights: Integers, rows: npt.NDArray[np.uint64]) -> Integers:
    """Binomial(weight, 1/e) by transformed rejection (algorithm BTRS of Hörmann 1993), each from its own random
    numbers."""
    n = weights.astype(np.float64)
    spread = np.sqrt(n * _NOT_DRAWN * (1 - _NOT_DRAWN))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * _NOT_DRAWN
    scale = (2.83 + 5.1 / b) * spread
    squeeze = 0.92 - 4.2 / b
    at_mode = _log_probability(np.floor((n + 1) * _NOT_DRAWN), n)
    drawn = np.zeros(len(weights), dtype=np.int64)
    left = np.arange(len(weights))
    attempt = 0
    while len(left):
        u = _uniform(_stream(seed, 2 * attempt + 1), rows[left]) - 0.5
        v = 1 - _uniform(_stream(seed, 2 * attempt + 2), rows[left])  # above 0
        inside = np.maximum(0.5 - np.abs(u), 2.0**-54)
        k = np.floor((2 * a[left] / inside + b[left]) * u + n[left] * _NOT_DRAWN + 0.5)
        possible = (k >= 0) & (k <= n[left])
        accepted = possible & (inside >= 0.07) & (v <= squeeze[left])
        undecided = possible & ~accepted
        ratio = v * scale[left] / (a[left] / inside**2 + b[left])
        relative = _log_probability(k[undecided], n[left][undecided]) - at_mode[left][undecided]
        accepted[undecided] = np.log(ratio[undecided]) <= relative
        drawn[left[accepted]] = k[accepted]
        left = left[~accepted]
        attempt += 1
    return drawn


def _log_probability(k: Floats, n: Floats) -> Floats:
    """ln of the binomial probability of k of n with the share 1/e, by Stirling's series; large terms are combined
    before they cancel (Loader 2000)."""
    rest = n - k
    log = _stirling_error(n) - _stirling_error(k) - _stirling_error(rest)
    log -= _deviance(k, n * _NOT_DRAWN) + _deviance(rest, n * (1 - _NOT_DRAWN))
    with np.errstate(divide="ignore", invalid="ignore"):
        log += 0.5 * np.log(n / (2 * math.pi * k * rest))
    log = np.where(k == 0, n * math.log1p(-_NOT_DRAWN), log)
    return np.where(rest == 0, -n, log)


def _stirling_error(k: Floats) -> Floats:
    """ln k! minus Stirling's formula."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / k**2) / k**2) / k**2) / k


def _deviance(k: Floats, mean: Floats) -> Floats:
    """k ln(k / mean) + mean - k."""
    with np.errstate(divide="ignore", invalid="ignore"):
        d = (mean - k) / k
        return k * (d - np.log1p(d))


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
