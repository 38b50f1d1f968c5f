"""Cut points of a numeric column that are informative about a target, by the MDL criterion.

The criterion of Fayyad & Irani (IJCAI 1993): the best cut point of an interval is the one with the lowest remaining
entropy of the target; it is used if it saves more bits than are needed to describe its position and the distributions
of the target on both sides. Both sides are then divided in the same way.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Bits = NDArray[np.float64]


def mdl_cuts(values: NDArray[np.float64], counts: Counts) -> list[float]:
    """The cut points, ascending; each is an observed value, the last one in the interval below it.

    Parameters
    ----------
    values
        The distinct values of the column, ascending.
    counts
        The counts of each value (rows) with each level of the target (columns).

    Examples
    --------
    >>> mdl_cuts(np.arange(6.0), np.array([[9, 0], [9, 0], [9, 0], [0, 9], [0, 9], [0, 9]]))
    [2.0]
    >>> mdl_cuts(np.arange(6.0), np.full((6, 2), 9))
    []
    """
    occupied = counts.sum(axis=1) > 0  # values that occur only in rows without a target are ignored
    values, counts = values[occupied], counts[occupied]
    cuts = []
    intervals = [(0, len(values))]
    while intervals:
        start, end = intervals.pop()
        last = _best_cut(counts[start:end])
        if last is not None:
            cuts.append(float(values[start + last]))
            intervals += [(start, start + last + 1), (start + last + 1, end)]
    return sorted(cuts)


def _best_cut(counts: Counts) -> int | None:
    """The index of the last value below the best cut point of this interval; None if no cut point saves bits."""
    if len(counts) < 2:
        return None
    below = np.cumsum(counts, axis=0)
    whole = below[-1]
    below = below[:-1]
    above = whole - below
    remaining = _total_bits(below) + _total_bits(above)
    last = int(np.argmin(remaining))  # the lowest of equally good cut points
    n = int(whole.sum())
    saved = float(_total_bits(whole[None, :])[0] - remaining[last])
    return last if saved > _cost_bits(whole, below[last], above[last], n) else None


def _cost_bits(whole: Counts, below: Counts, above: Counts, n: int) -> float:
    """The bits to describe a cut point: log2(n − 1) for its position, and the paper's Δ for the distributions.

    Δ = log2(3^k − 2) − [k·H(S) − k1·H(S1) − k2·H(S2)], where k is the number of levels of the target in S and H its
    entropy per row.
    """
    terms = [_weighted_entropy(part) for part in (whole, below, above)]
    k = int((whole > 0).sum())
    # 3^k − 2 overflows as a float for k ≥ 647, where the 2 can be ignored.
    log_models = k * math.log2(3) if k > 60 else math.log2(3**k - 2)
    return math.log2(n - 1) + log_models - (terms[0] - terms[1] - terms[2])


def _weighted_entropy(counts: Counts) -> float:
    return float(_total_bits(counts[None, :])[0] / counts.sum()) * int((counts > 0).sum())


def _total_bits(counts: Counts) -> Bits:
    """n·H of every row of counts, in bits."""
    n = counts.sum(axis=1)
    bits: Bits = _x_log_x(n) - _x_log_x(counts).sum(axis=1)
    return bits


def _x_log_x(counts: Counts) -> Bits:
    filled = np.maximum(counts, 1).astype(np.float64)
    return filled * np.log2(filled)
