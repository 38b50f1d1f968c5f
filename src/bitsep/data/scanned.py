"""What scans of files and of Spark data frames have in common: their options, and what follows from their counters."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from bitsep.data.budget import Budget
from bitsep.data.contract import EncodedData
from bitsep.data.discretization.column import CutColumn, merged_cuts
from bitsep.data.encode import EncodingRules, float_limit
from bitsep.data.fingerprint import Fingerprint, fingerprint_of
from bitsep.data.levels import Missing
from bitsep.data.readers.selection import Selection
from bitsep.data.table import chosen_columns
from bitsep.data.text import NumberFormat
from bitsep.naming import Name
from bitsep.progress import ProgressCallback

if TYPE_CHECKING:
    from bitsep.counting.passes import PassCounter


class ScanOptions(NamedTuple):
    """The options that all scans have; see `bitsep.scan`."""

    memory: str | int
    columns: tuple[Name, ...] | None
    weights: Name | None
    missing: Any
    max_float_levels: int | None
    decimal: str = "."
    thousands: str | None = None


class ScannedData(EncodedData):
    """Data that are encoded when they are first used, and counted in passes.

    Parameters
    ----------
    names : iterable of names
        All columns of the source.
    options : ScanOptions
        The options.
    progress : callable, optional
        Called as ``progress(stage, finished, total)``.
    """

    def __init__(self, names: Iterable[Name], options: ScanOptions, progress: ProgressCallback | None) -> None:
        self._budget = Budget.of(options.memory)
        numbers = NumberFormat(options.decimal, options.thousands)
        self._rules = EncodingRules(Missing(options.missing), float_limit(options.max_float_levels), numbers=numbers)
        self._weights = options.weights
        self._picked = Selection(options.columns, options.weights).pick(names)
        self._progress = progress
        self._fingerprint: Fingerprint | None = None
        self._discretized: tuple[CutColumn, ...] = ()

    @property
    def names(self) -> tuple[Name, ...]:
        """The columns in the order of the source, without the column of weights."""
        return tuple(name for name in self._picked if name != self._weights)

    @property
    def n(self) -> int:
        """The sum of the weights; without weights, the number of rows."""
        return self.counter().n

    @property
    def max_float_levels(self) -> int | None:
        """The largest number of distinct fractional numbers of a column that does not look continuous."""
        return self._rules.max_float_levels

    @property
    def discretized(self) -> tuple[CutColumn, ...]:
        """The columns that were divided into intervals, and where."""
        return self._discretized

    def without_float_limit(self) -> Self:
        """The same data, in which every number is a level."""
        other = copy.copy(self)
        other._rules = replace(self._rules, max_float_levels=None)
        return other

    def _with_cuts(self, columns: Sequence[CutColumn]) -> Self:
        """A copy that records these cuts; what was computed for the levels must be replaced."""
        cut = copy.copy(self)
        cut._discretized = merged_cuts(self.names, self._discretized, columns)
        cut._fingerprint = None
        return cut

    def _selected(self, names: Iterable[Name]) -> Self:
        """A copy with these columns only; what was computed for all columns must be replaced."""
        kept = set(Selection(chosen_columns(names)).pick(self.names))
        selected = copy.copy(self)
        selected._picked = tuple(name for name in self._picked if name in kept or name == self._weights)
        selected._discretized = tuple(one for one in self._discretized if one.column in kept)
        selected._fingerprint = None
        return selected

    @abstractmethod
    def counter(self, threads: int | None = 1) -> PassCounter:
        """The counter of all columns, which is cached."""

    def fingerprints(self) -> Fingerprint:
        """The fingerprint, and one that depends on the order of the rows; the first call needs a pass."""
        if self._fingerprint is None:
            self._fingerprint = fingerprint_of(self, self.counter().row_hashes, weighted=self._weights is not None)
        return self._fingerprint

    def _tell(self, stage: str, finished: int, total: int) -> None:
        if self._progress is not None:
            self._progress(stage, finished, total)
