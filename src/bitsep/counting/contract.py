"""What a counting backend must do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bitsep.counting.counts import Counts
from bitsep.naming import Name


class Counter(Protocol):
    """Counts over a fixed set of variables, spoken of by index in canonical order of their names.

    `many` may be far cheaper than as many calls of `counts`: a backend that has to pass over the data counts all
    queries of a round in one pass.
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

    def many(self, queries: Sequence[tuple[int, int, Sequence[int]]]) -> list[Counts]:
        """Counts of many queries."""

    def resampled(self, seed: int) -> Counter:
        """The same data with rows drawn anew (see `bitsep.counting.resample`)."""
