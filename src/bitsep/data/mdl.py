"""Cuts of a numeric column that tell about a target, as many as pay for themselves.

The criterion of Fayyad & Irani (IJCAI 1993): the best cut of an interval is the one that leaves least entropy of the
target; it is made if the bits it saves exceed those it takes to tell where it lies and how the target is distributed on
its two sides. Each side is then cut in the same way.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Bits = NDArray[np.float64]


def mdl_cuts(values: NDArray[np.float64], counts: Counts) -> list[float]:
    """The cuts, ascending; each is an observed value, the last one below the cut.

    Parameters
    ----------
    values
        The distinct values of the column, ascending.
    counts
        For each value (rows) how often it came with each level of the target (columns).

    Examples
    --------
    >>> mdl_cuts(np.arange(6.0), np.array([[9, 0], [9, 0], [9, 0], [0, 9], [0, 9], [0, 9]]))
    [2.0]
    >>> mdl_cuts(np.arange(6.0), np.full((6, 2), 9))
    []
    """
    occupied = counts.sum(axis=1) > 0  # values only rows without a target have decide nothing
    values, counts = values[occupied], counts[occupied]
    cuts = []
    intervals = [(0, len(values))]
    while intervals:
        start, end = intervals.pop()
        place = _best_cut(counts[start:end])
        if place is not None:
            cuts.append(float(values[start + place]))
            intervals += [(start, start + place + 1), (start + place + 1, end)]
    return sorted(cuts)


def _best_cut(counts: Counts) -> int | None:
    """The number of the last value below the best cut of this interval; None if no cut is worth its bits."""
    if len(counts) < 2:
        return None
    below = np.cumsum(counts, axis=0)
    whole = below[-1]
    below = below[:-1]
    above = whole - below
    left = _total_bits(below) + _total_bits(above)
    place = int(np.argmin(left))  # the lowest of equally good cuts
    n = int(whole.sum())
    saved = float(_total_bits(whole[None, :])[0] - left[place])
    return place if saved > _cost_bits(whole, below[place], above[place], n) else None


def _cost_bits(whole: Counts, below: Counts, above: Counts, n: int) -> float:
    """What a cut costs: log2(n − 1) for its place, and the paper's Δ for the distributions on both sides.

    Δ = log2(3^k − 2) − [k·H(S) − k1·H(S1) − k2·H(S2)], with k the target's levels seen in S and H its entropy per row.
    """
    terms = [_weighted_entropy(part) for part in (whole, below, above)]
    k = int((whole > 0).sum())
    # 3^k − 2 as a float overflows from k = 647 on, where the 2 no longer matters.
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
