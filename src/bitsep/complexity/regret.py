"""The regret of multinomials."""

from __future__ import annotations

from typing import overload

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.checks import real_number, shown
from bitsep.errors import ArgumentError

_LARGEST = 2**53  # a double represents all integers up to this


@overload
def log2_regret(n: int, k: int) -> float: ...
@overload
def log2_regret(n: npt.ArrayLike, k: npt.ArrayLike) -> npt.NDArray[np.float64]: ...


def log2_regret(n: npt.ArrayLike, k: npt.ArrayLike) -> float | npt.NDArray[np.float64]:
    r"""log2 of the regret :math:`C_k^n` of a multinomial over `k` values and `n` samples.

    The normalizer of the NML distribution (Marx & Vreeken 2019, Sec. 3): the additional bits needed because the
    parameters are unknown. It is 0 for ``n = 0`` or ``k = 1``, and ``log2 k`` for ``n = 1``.

    Parameters
    ----------
    n : int or array of int
        Number of samples, at least 0.
    k : int or array of int
        Number of values, at least 1. Broadcasts with `n`.

    Returns
    -------
    float or array of float
        The regret in bits. The relative error is below 1e-12 for ``min(n, k) <= 100_000`` (exact recurrences);
        otherwise a saddle-point expansion is used, with an error below 1e-8 bits plus 1e-15 of the regret.

    Examples
    --------
    >>> import bitsep
    >>> round(2 ** bitsep.log2_regret(2, 2), 6)
    2.5
    >>> bitsep.log2_regret([0, 1, 1000], 4).round(3).tolist()
    [0.0, 2.0, 14.371]
    """
    rows, sizes = np.broadcast_arrays(_whole(n, "n", 0), _whole(k, "k", 1))
    flat = _native.log2_regret(
        np.ascontiguousarray(rows, dtype=np.int64).ravel(), np.ascontiguousarray(sizes, dtype=np.float64).ravel()
    )
    return float(flat[0]) if rows.ndim == 0 else flat.reshape(rows.shape)


def _whole(values: npt.ArrayLike, argument: str, least: int) -> npt.NDArray[np.int64]:
    array = np.asarray(values)
    if array.dtype.kind == "O":  # decimals, fractions, integers beyond 64 bits; None becomes NaN
        array = np.array([real_number(value) for value in array.flat], dtype=np.float64).reshape(array.shape)
    whole = array.dtype.kind in "iu" or (array.dtype.kind == "f" and bool(np.all(array == np.floor(array))))
    if not whole:
        raise ArgumentError(f"{argument}: must be integers, got {shown(values)}.")
    if array.size and (array.min() < least or array.max() > _LARGEST):
        raise ArgumentError(f"{argument}: must lie between {least} and 2^53, got {shown(values)}.")
    return array.astype(np.int64)
