"""The grid: what a cell is, and all of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from zlib import crc32

LEVELS = (2, 3, 5, 8)
STRATA = (1, 4, 16, 64)
ROWS = (50, 200, 1_000, 5_000)
MARGINS = ("uniform", "skewed", "real")

ALPHAS = (0.1, 0.05, 0.01)
POWER_ALPHA = 0.05


@dataclass(frozen=True, order=True)
class Cell:
    """X and Y have the same number of levels; `margins` says how levels and strata are distributed."""

    margins: str
    levels: int
    strata: int
    rows: int

    @property
    def name(self) -> str:
        """For file and command line: skewed/3x3x16/200."""
        return f"{self.margins}/{self.levels}x{self.levels}x{self.strata}/{self.rows}"

    @property
    def seed(self) -> int:
        """Follows from the name."""
        return crc32(self.name.encode())


@dataclass(frozen=True)
class Sizes:
    """How many data sets are drawn in each cell, and how many tables in each permutation test."""

    runs: int = 10_000
    permutation_runs: int = 1_000
    permutations: int = 999


def all_cells() -> list[Cell]:
    """Those of the full run."""
    return [Cell(*one) for one in product(MARGINS, LEVELS, STRATA, ROWS)]
