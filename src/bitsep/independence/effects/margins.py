"""The margins of the strata of one test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep.counting import Counts

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Side:
    """The occupied levels of one variable within the strata, in order of the strata.

    stratum, total : the stratum of each occupied level, and its number of rows there.
    occupied : the number of occupied levels of each stratum.
    of_cell : for each cell of the counts, the number of rows of its stratum with the same level.
    """

    stratum: Integers
    total: Integers
    occupied: Integers
    of_cell: Integers


@dataclass(frozen=True, slots=True)
class Margins:
    """The rows of each stratum, and its row and column sums.

    n : the number of rows of each stratum.
    x, y : the occupied levels of X and of Y.
    """

    n: Integers
    x: Side
    y: Side

    @classmethod
    def of(cls, counts: Counts) -> Margins:
        n = _sums(counts.stratum, counts.count, counts.kz)
        return cls(n, _side(counts, counts.x, counts.kx), _side(counts, counts.y, counts.ky))

    @property
    def degrees_of_freedom(self) -> Integers:
        """(r − 1)(c − 1) of each stratum, with r occupied rows and c occupied columns."""
        freedom: Integers = (self.x.occupied - 1) * (self.y.occupied - 1)
        return freedom


def sums_of_strata(counts: Counts, terms: Floats) -> Floats:
    """The sum of terms of the cells, for each stratum; it does not depend on the order of the levels."""
    order = np.lexsort((terms, counts.stratum))
    starts = np.searchsorted(counts.stratum, np.arange(counts.kz))
    sums: Floats = np.add.reduceat(terms[order], starts)
    return sums


def _side(counts: Counts, levels: Integers, size: int) -> Side:
    keys, of_cell = np.unique(counts.stratum * size + levels, return_inverse=True)
    total = _sums(of_cell, counts.count, len(keys))
    stratum = keys // size
    return Side(stratum, total, np.bincount(stratum, minlength=counts.kz), total[of_cell])


def _sums(group: Integers, count: Integers, groups: int) -> Integers:
    sums = np.zeros(groups, np.int64)
    np.add.at(sums, group, count)  # exact, whereas the weights of bincount are floats
    return sums
