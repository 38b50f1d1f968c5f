"""Stochastic complexity of counts: how many bits the best universal code spends on a column, given another or not.

All functions take a table of counts whose last axis runs over the values of X; `fnml_bits` and `qnml_bits` sum over
the axis before it, the values of Z (leave empty ones in: they cost nothing).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bitsep.complexity.entropy import entropy_bits
from bitsep.complexity.regret import log2_regret

Bits = npt.NDArray[np.float64]


def nml_bits(counts: npt.ArrayLike, k: int | None = None) -> Bits:
    """SC(X) = n · H(X) + log C(n, k), Eq. (sc:unc); `k` is the domain size, by default the length of the axis.

    >>> round(float(nml_bits([1, 1])), 4)
    3.3219
    """
    table = np.asarray(counts)
    size = table.shape[-1] if k is None else k
    bits: Bits = entropy_bits(table) + np.asarray(log2_regret(table.sum(axis=-1), size))
    return bits


def fnml_bits(counts: npt.ArrayLike, k: int | None = None) -> Bits:
    """SC_f(X | Z), Eq. (sc:cond): the complexity of X within every value of Z, summed.

    >>> round(float(fnml_bits([[2, 0], [0, 2]])), 4)
    2.6439
    """
    bits: Bits = nml_bits(counts, k).sum(axis=-1)
    return bits


def qnml_bits(counts: npt.ArrayLike, k: int | None = None, z: int | None = None) -> Bits:
    """SC_q(X | Z) = n · H(X | Z) + log C(n, k·z) − log C(n, z); `z` is by default the number of occupied values of Z.

    >>> round(float(qnml_bits([[2, 0], [0, 2]])), 4)
    2.085
    """
    table = np.asarray(counts)
    size = table.shape[-1] if k is None else k
    n = table.sum(axis=(-2, -1))
    strata = (table.sum(axis=-1) > 0).sum(axis=-1) if z is None else np.asarray(z)
    strata = np.maximum(strata, 1)
    penalty = np.asarray(log2_regret(n, size * strata)) - np.asarray(log2_regret(n, strata))
    bits: Bits = entropy_bits(table).sum(axis=-1) + penalty
    return bits
