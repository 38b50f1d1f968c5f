"""Permutation tests: how a score compares with those of tables that have the same margins in every stratum."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bitsep import _native
from bitsep.checks import integer
from bitsep.counting import Counts
from bitsep.errors import ArgumentError

MOST_DRAWS = 1_000_000  # as in native/include/bitsep/permutation.hpp
_LEAST_EXCEEDANCES = 20
_ROUNDING = 1e-12  # alpha · (1 + draws) may be below a whole number by rounding alone


@dataclass(frozen=True, slots=True)
class Permutations:
    """How many tables are drawn, and when drawing stops.

    draws : the number of tables with the same margins.
    seed : of the random numbers.
    sequential : stop once the verdict is certain to be "independent"; see `enough`.
    """

    draws: int
    seed: int = 0
    sequential: bool = False

    @classmethod
    def of(cls, permutations: Any, seed: Any, sequential: Any) -> Permutations | None:
        """The arguments of a public function, checked."""
        if permutations is None:
            return None
        if not isinstance(sequential, bool):
            raise ArgumentError(f"sequential: must be True or False, got {sequential!r}.")
        return cls(
            integer("permutations", permutations, 1, MOST_DRAWS), integer("seed", seed, 0, 2**64 - 1), sequential
        )

    @property
    def least_p_value(self) -> float:
        """The smallest p-value that so many tables can give."""
        return 1 / (1 + self.draws)

    def can_reject(self, alpha: float) -> bool:
        """Whether there are enough tables for a p-value of at most alpha."""
        return self.least_p_value <= alpha * (1 + _ROUNDING)

    def enough(self, alpha: float) -> int:
        """The number of tables with a score as high at which a sequential test stops.

        With so many, (1 + exceedances) / (1 + draws) is above alpha whatever the other draws would be (Besag &
        Clifford 1991).
        """
        if not self.sequential:
            return self.draws + 1
        return max(_LEAST_EXCEEDANCES, int(alpha * (1 + _ROUNDING) * (1 + self.draws)))

    def p_value(self, counts: Counts, score: Callable[[Counts], float], alpha: float) -> tuple[float, int]:
        """The p-value of a test written in Python, and the number of tables drawn."""
        tables = _native.PermutedTables(counts.stratum, counts.x, counts.y, counts.count, self.seed)
        observed, as_high, drawn = score(counts), 0, 0
        while drawn < self.draws and as_high < self.enough(alpha):
            stratum, x, y, count = tables.draw()
            as_high += score(Counts(stratum, x, y, count, counts.kx, counts.ky, counts.kz_product)) >= observed
            drawn += 1
        return (1 + as_high) / (1 + drawn), drawn


def score_of(p_value: float, alpha: float, n: int) -> float:
    """log2 alpha − log2 p, above zero where p equals alpha, because that is a verdict "dependent"."""
    bits, needed = -math.log2(p_value), -math.log2(alpha)
    if bits > needed - 1e-12:
        bits = max(bits, needed + 2 * _native.zero_bits(n))
    return _native.rounded_score(bits - needed, n)


def p_value_of(score_bits: float, threshold_bits: float, draws: int) -> float:
    """The p-value from a rounded score: a whole number of tables out of 1 + draws."""
    bits = score_bits + threshold_bits
    return float(round(2.0**-bits * (1 + draws)) / (1 + draws))
