"""Means over samples with their standard errors."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Mean:
    """A mean, its standard error (0 for a single value), and the number of values."""

    value: float
    error: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """The mean of at least one value."""
        spread = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
        return cls(statistics.fmean(values), spread, len(values))

    @classmethod
    def sum_of(cls, means: Iterable[Mean]) -> Self:
        """The sum of independent means; `count` is the smallest number of values."""
        parts = list(means)
        error = math.sqrt(sum(part.error**2 for part in parts))
        return cls(sum(part.value for part in parts), error, min(part.count for part in parts))

    def format(self, digits: int = 1) -> str:
        return f"{self.value:.{digits}f} ± {self.error:.{digits}f}"
