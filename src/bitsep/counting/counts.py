"""The counts of one test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bitsep.data.encode import MAX_LEVELS
from bitsep.errors import ArgumentError, DataError
from bitsep.naming import Name

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of all combinations of X, Y and Z, which are the input of a test.

    Only occupied cells are stored, in canonical order (by stratum, then x, then y), so memory is limited by the number
    of rows even if domains are large.

    Attributes
    ----------
    stratum, x, y, count : arrays of int64
        The occupied cells. Strata are numbered from 0 in lexicographic order of the levels of Z.
    kx, ky : int
        The domain sizes of X and Y in the whole data.
    kz_product : float
        The product of the domain sizes of Z (a float, because it can exceed any integer type).

    Examples
    --------
    >>> import numpy as np
    >>> counts = Counts(np.array([0, 0, 0]), np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([3, 1, 4]), 2, 2, 1.0)
    >>> counts.n, [table.tolist() for table in counts.tables()]
    (8, [[[3, 1], [0, 4]]])
    """

    stratum: Integers
    x: Integers
    y: Integers
    count: Integers
    kx: int
    ky: int
    kz_product: float

    @property
    def n(self) -> int:
        """The number of rows counted."""
        return int(self.count.sum())

    @property
    def kz(self) -> int:
        """The number of observed joint values of Z."""
        return int(self.stratum[-1]) + 1 if len(self.stratum) else 0

    @property
    def observed_pairs(self) -> int:
        """The number of distinct pairs (x, y) that occur."""
        return len(np.unique(self.x * self.ky + self.y))

    def copy(self) -> Counts:
        """The same counts in arrays of their own."""
        stratum, x, y, count = (each.copy() for each in (self.stratum, self.x, self.y, self.count))
        return Counts(stratum, x, y, count, self.kx, self.ky, self.kz_product)

    def tables(self) -> Iterator[Integers]:
        """A dense |X| × |Y| table per stratum, in order.

        >>> from bitsep.data import Table
        >>> counter = Table({"a": [0, 0, 1], "b": [0, 1, 1], "c": [0, 0, 1]}).counter()
        >>> [table.tolist() for table in counter.counts(0, 1, [2]).tables()]
        [[[1, 1], [0, 0]], [[0, 0], [0, 1]]]
        """
        if self.kx * self.ky > 10**7:
            raise ArgumentError(
                f"counts: a table of {self.kx} × {self.ky} cells per stratum is too large.",
                hint="Use the sparse cells.",
            )
        ends = np.searchsorted(self.stratum, np.arange(self.kz + 1))
        for begin, end in pairwise(ends):
            table = np.zeros((self.kx, self.ky), dtype=np.int64)
            table[self.x[begin:end], self.y[begin:end]] = self.count[begin:end]
            yield table


def check_merged(variable: tuple[Name, ...], levels: int) -> None:
    """Raise if columns merged into one variable have more combinations than a variable may have levels."""
    if levels > MAX_LEVELS:
        raise DataError(
            f"data: columns {list(variable)!r} together have too many levels; at most {MAX_LEVELS:,} are possible, "
            f"got {levels:,}."
        )
