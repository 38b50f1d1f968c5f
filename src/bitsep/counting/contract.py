"""What a counting backend must offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy.typing as npt

from bitsep import _native
from bitsep.counting.counts import Counts
from bitsep.counting.joint_counts import DenseCounts, Joint, VariableSet
from bitsep.naming import Name

Variable = Name | tuple[Name, ...]
"""A column, or several merged into one variable."""

Query = tuple[int, int, Sequence[int]]
"""x, y and the conditioning set, by index."""


class Counter(Protocol):
    """Counts over a fixed set of variables, given by index in canonical order of their names.

    Rows that miss a value in one of the variables asked about are left out.
    """

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables in canonical order."""

    @property
    def places(self) -> Mapping[Variable, int]:
        """The index of each variable."""

    @property
    def n(self) -> int:
        """Sum of the weights; without weights, the number of rows."""

    @property
    def native(self) -> _native.Table | None:
        """The data in native memory, for tests that are counted and computed there; None if they are elsewhere."""

    @property
    def min_tests_per_pass(self) -> int:
        """The number of tests a pass over the data should count at least; 0 where data are in memory.

        A search asks for its next tests ahead of time to reach it.
        """

    def n_levels(self, variable: int) -> int:
        """Domain size of a variable."""

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        """How often each level of a variable occurs."""

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        """Counts of one query."""

    def counts_many(self, queries: Sequence[Query]) -> Iterable[Counts | DenseCounts]:
        """Counts of many queries, in order; data that are counted in passes take as few as possible."""

    def joint_counts(self, sets: Sequence[VariableSet]) -> Iterable[Joint]:
        """The joint counts of sets of variables, in order."""

    def merged(self, variables: Sequence[Variable]) -> Counter:
        """A counter of some columns and of columns merged into one variable, whose levels are the combinations that
        occur."""

    def resampled(self, seed: int) -> Counter:
        """The counter of a bootstrap sample of the rows (see `bitsep.counting.resample`)."""
