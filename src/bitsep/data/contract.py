"""What data must offer to be counted, whichever backend holds them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from bitsep.data.fingerprint import Fingerprint
from bitsep.data.levels import Level
from bitsep.data.origin import Origin
from bitsep.errors import UnknownColumnError
from bitsep.naming import Name, sorted_names, unknown_column

if TYPE_CHECKING:
    from bitsep.counting.contract import Counter


class EncodedData(ABC):
    """Columns of levels: a `Table` in memory, a `Scan` of files, a `SparkScan` on a cluster.

    Tests and searches use nothing but this contract, so they cannot tell backends apart.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def names(self) -> tuple[Name, ...]:
        """The columns, in the order of the source; a column of weights is not among them."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Rows kept: those of weight 0 are dropped."""

    @property
    @abstractmethod
    def n(self) -> int:
        """The sum of the weights; without weights, the number of rows."""

    @property
    @abstractmethod
    def origin(self) -> Origin:
        """How the data were made, as Python."""

    @abstractmethod
    def levels(self, name: Name) -> tuple[Level, ...]:
        """The levels of a column in canonical order."""

    @abstractmethod
    def fingerprints(self) -> Fingerprint:
        """The fingerprint, and one that depends on the order of the rows."""

    @abstractmethod
    def counter(self, threads: int = 1) -> Counter:
        """The counter of all columns; made once and then reused."""

    def n_levels(self, name: Name) -> int:
        """The domain size of a column: how many levels it has."""
        return len(self.levels(name))

    def level_counts(self, name: Name) -> npt.NDArray[Any]:
        """How often each level of a column occurs (sums of weights); missing values are not counted."""
        self.levels(name)  # raises for an unknown column
        return self.counter().level_counts(sorted_names(self.names).index(name))

    def missing(self, name: Name) -> int:
        """In how many rows (by weight) a column is missing."""
        return self.n - int(self.level_counts(name).sum())

    def fingerprint(self) -> str:
        """A hash of names, levels, and rows with their weights, whatever the order of columns and rows.

        The same data have the same fingerprint in a table, a scan and on Spark.
        """
        return self.fingerprints().content

    def _unknown(self, name: Name) -> UnknownColumnError:
        return unknown_column("data", name, self.names)
