"""The contract of counting backends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy.typing as npt

from bitsep import _native
from bitsep.counting.counts import Counts
from bitsep.counting.joint_counts import DenseCounts, Joint, VariableSet
from bitsep.naming import Name

Variable = Name | tuple[Name, ...]
"""A column, or several columns merged into one variable."""

Query = tuple[int, int, Sequence[int]]
"""The indices of x, of y, and of the conditioning set."""


class Counter(Protocol):
    """Counts a fixed set of variables, which are given by index in canonical order of their names.

    Rows with a missing value in one of the variables of a query are left out.
    """

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables in canonical order."""

    @property
    def places(self) -> Mapping[Variable, int]:
        """The index of each variable."""

    @property
    def n(self) -> int:
        """The sum of the weights; without weights, the number of rows."""

    @property
    def native(self) -> _native.Table | None:
        """The data in native memory, for tests that are counted and computed there; None for other backends."""

    @property
    def min_tests_per_pass(self) -> int:
        """The number of tests that a pass over the data should count at least; 0 if the data are in memory.

        A search requests tests before it needs them to reach this number.
        """

    def n_levels(self, variable: int) -> int:
        """The domain size of a variable."""

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        """The count of each level of a variable."""

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        """The counts of one query."""

    def counts_many(self, queries: Sequence[Query]) -> Iterable[Counts | DenseCounts]:
        """The counts of many queries, in order, in as few passes as possible."""

    def joint_counts(self, sets: Sequence[VariableSet]) -> Iterable[Joint]:
        """The joint counts of sets of variables, in order."""

    def merged(self, variables: Sequence[Variable]) -> Counter:
        """A counter of some columns and of columns merged into one variable, whose levels are the combinations that
        occur."""

    def resampled(self, seed: int) -> Counter:
        """The counter of a bootstrap sample of the rows (see `bitsep.counting.resample`)."""

    def thinned(self, rows: int) -> Counter:
        """The counter of at most this many rows, evenly spread over all, in memory; levels without a row are left out.

        Which rows these are depends on their order, so a result may depend on them only if all rows confirm it.
        """
