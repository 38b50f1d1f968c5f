"""The contract of data that can be counted, with any backend."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy.typing as npt

from bitsep.data.discretization.column import CutColumn
from bitsep.data.fingerprint import Fingerprint
from bitsep.data.levels import Level
from bitsep.data.origin import Origin
from bitsep.errors import UnknownColumnError
from bitsep.naming import Name, sorted_names, unknown_column

if TYPE_CHECKING:
    from bitsep.counting.contract import Counter


class EncodedData(ABC):
    """Encoded columns: a `Table` in memory, a `Scan` of files, a `SparkScan` on a cluster.

    Tests and searches use only this contract, so they do not depend on the backend.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def names(self) -> tuple[Name, ...]:
        """The columns in the order of the source, without the column of weights."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """The number of rows, without those of weight 0."""

    @property
    @abstractmethod
    def n(self) -> int:
        """The sum of the weights; without weights, the number of rows."""

    @property
    @abstractmethod
    def origin(self) -> Origin:
        """Python code that creates the data."""

    @property
    @abstractmethod
    def max_float_levels(self) -> int | None:
        """A column with more distinct fractional numbers looks continuous, also with more than the root of the number
        of rows (at least 12); None if every number is a level."""

    @property
    @abstractmethod
    def discretized(self) -> tuple[CutColumn, ...]:
        """The columns that were divided into intervals, and where, in the order of the source."""

    @abstractmethod
    def cut(self, columns: Sequence[CutColumn]) -> Self:
        """The same rows with intervals as levels of these columns; nothing is read again."""

    @abstractmethod
    def without_float_limit(self) -> Self:
        """The same data, in which every number is a level: `max_float_levels` is None."""

    @abstractmethod
    def made_by(self, origin: Origin) -> Self:
        """The same data with another origin."""

    @abstractmethod
    def levels(self, name: Name) -> tuple[Level, ...]:
        """The levels of a column in canonical order."""

    @abstractmethod
    def fingerprints(self) -> Fingerprint:
        """The fingerprint, and one that depends on the order of the rows."""

    @abstractmethod
    def counter(self, threads: int | None = 1) -> Counter:
        """The counter of all columns, which is cached; threads: None for all cores."""

    @abstractmethod
    def select(self, names: Iterable[Name]) -> Self:
        """The same rows with these columns only, in the order of the source; nothing is read or encoded again."""

    @abstractmethod
    def _with_missing_level(self, names: tuple[Name, ...]) -> EncodedData:
        """The same data with missing values as the last level of these columns, which have missing values."""

    def with_missing_level(self, names: Iterable[Name] | None = None) -> EncodedData:
        """The same rows, with missing values as a level of their own; nothing is read again.

        Parameters
        ----------
        names : iterable of names, optional
            The columns; default: all. Those without missing values stay as they are.

        Returns
        -------
        EncodedData
            Data of the same kind, in which the last level of these columns is the missing value, shown as ⟨missing⟩.

        Examples
        --------
        >>> import bitsep
        >>> bitsep.Table({"smoke": ["yes", "no", None], "age": [30, 40, 30]}).with_missing_level()
        Table: 3 rows, 2 columns
          smoke  3 levels: 'no', 'yes', ⟨missing⟩
          age    2 levels: 30, 40
        """
        chosen = self.names if names is None else tuple(dict.fromkeys(names))
        for name in chosen:
            if name not in self.names:
                raise unknown_column("missing_as_level", name, self.names)
        incomplete = tuple(name for name in self.names if name in chosen and self.n_missing(name))
        return self._with_missing_level(incomplete) if incomplete else self

    def n_missing(self, name: Name) -> int:
        """The number of rows in which a column has no value (a sum of weights)."""
        return self.n - int(self.level_counts(name).sum())

    def display_order(self, name: Name) -> tuple[int, ...]:
        """The codes of the levels of a column in the order of tables and plots.

        That is the order of ordered categories (of pandas, Arrow and polars), and otherwise the canonical order. Codes,
        results and fingerprints do not depend on it.
        """
        return tuple(range(self.n_levels(name)))

    def n_levels(self, name: Name) -> int:
        """The domain size of a column: the number of its levels."""
        return len(self.levels(name))

    def level_counts(self, name: Name) -> npt.NDArray[Any]:
        """The number of rows with each level of a column (sums of weights), without missing values."""
        self.levels(name)  # raises for an unknown column
        return self.counter().level_counts(sorted_names(self.names).index(name))

    def fingerprint(self) -> str:
        """A hash of names, levels, and rows with their weights, which does not depend on the order of columns and rows.

        The same data have the same fingerprint in a table, a scan and on Spark.
        """
        return self.fingerprints().content

    def _unknown(self, name: Name) -> UnknownColumnError:
        return unknown_column("data", name, self.names)
