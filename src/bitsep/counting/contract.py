"""What a counting backend must do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from bitsep.counting.counts import Counts
from bitsep.counting.joint_counts import DenseCounts
from bitsep.naming import Name


class Counter(Protocol):
    """Counts over a fixed set of variables, spoken of by index in canonical order of their names.

    `many` may be far cheaper than as many calls of `counts`: a backend that has to pass over the data counts all
    queries of a round in one pass. A backend that does so has a property `worth`, the number of tests a pass should
    at least count, and a search then asks for its next tests ahead of time.
    """

    @property
    def variables(self) -> tuple[Name, ...]:
        """The variables in canonical order."""

    @property
    def n_rows(self) -> int:
        """Rows of the data (sum of weights)."""

    def n_levels(self, variable: int) -> int:
        """Domain size of a variable."""

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        """Counts of one query; rows that miss a value in it are left out."""

    def many(self, queries: Sequence[tuple[int, int, Sequence[int]]]) -> Iterable[Counts | DenseCounts]:
        """Counts of many queries, in order."""

    def resampled(self, seed: int) -> Counter:
        """The same data with rows drawn anew (see `bitsep.counting.resample`)."""
