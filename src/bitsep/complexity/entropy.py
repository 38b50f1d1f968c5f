"""Entropies of counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def entropy_bits(counts: npt.ArrayLike, axis: int = -1) -> npt.NDArray[np.float64]:
    """n · H of the plug-in distribution along an axis: the length of n values in bits with the optimal code for them.

    Examples
    --------
    >>> entropy_bits([[2, 2], [4, 0]]).tolist()
    [4.0, 0.0]
    """
    table = np.asarray(counts, dtype=np.float64)
    bits: npt.NDArray[np.float64] = _x_log2_x(table.sum(axis=axis)) - _x_log2_x(table).sum(axis=axis)
    return np.maximum(bits, 0.0)


def _x_log2_x(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    result: npt.NDArray[np.float64] = values * np.log2(np.where(values > 0, values, 1.0))
    return result
