"""Bootstrap weights: how often each row is drawn, from its number and a seed alone.

The Poisson bootstrap gives every row an independent weight Poisson(1). Unlike drawing n rows with replacement it needs
no total: a weight depends on the row's number only, so any backend, in any number of pieces, draws the same sample.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

_CUMULATIVE = np.cumsum([math.exp(-1) / math.factorial(k) for k in range(20)])
_BLOCK = 1 << 20


def bootstrap_weights(seed: int, start: int, count: int) -> npt.NDArray[np.int64]:
    """Weights of the rows ``start … start + count - 1``.

    >>> whole = bootstrap_weights(7, 0, 1000)
    >>> bool((bootstrap_weights(7, 400, 10) == whole[400:410]).all()), abs(float(whole.mean()) - 1) < 0.1
    (True, True)
    """
    uniform = _uniform(seed, start, count)
    return np.searchsorted(_CUMULATIVE, uniform, side="right").astype(np.int64)


def resampled_weights(seed: int, weights: npt.NDArray[np.int64], start: int = 0) -> npt.NDArray[np.int64]:
    """Weights drawn anew for rows that stand for several: each of the rows they stand for is drawn by itself.

    Parameters
    ----------
    seed : int
    weights : array of int64
        Of a piece of the data.
    start : int
        The sum of the weights of all rows before that piece.

    Examples
    --------
    >>> weights = np.array([3, 0, 2, 40])
    >>> whole = resampled_weights(7, weights)
    >>> bool((resampled_weights(7, weights[2:], start=3) == whole[2:]).all())
    True
    """
    ends = np.cumsum(weights)
    total = int(ends[-1]) if len(ends) else 0
    drawn = np.zeros(len(weights), dtype=np.int64)
    # In blocks: a row may stand for more than memory holds.
    for begin in range(0, total, _BLOCK):
        block = bootstrap_weights(seed, start + begin, min(_BLOCK, total - begin))
        first, last = np.searchsorted(ends, [begin, begin + len(block) - 1], side="right")
        sums = np.concatenate([[0], np.cumsum(block)])
        stops = np.minimum(ends[first : last + 1] - begin, len(block))
        starts = np.maximum(ends[first : last + 1] - weights[first : last + 1] - begin, 0)
        drawn[first : last + 1] += sums[stops] - sums[starts]
    return drawn


def _uniform(seed: int, start: int, count: int) -> npt.NDArray[np.float64]:
    """Numbers in [0, 1) from the row number by SplitMix64 (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        state = np.arange(start, start + count, dtype=np.uint64) + np.uint64(1)
        state = state * np.uint64(0x9E3779B97F4A7C15) + _mixed_seed(seed)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state = state ^ (state >> np.uint64(31))
    return (state >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mixed_seed(seed: int) -> np.uint64:
    return np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
