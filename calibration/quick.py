"""The quick run: a few cells of each kind, and fewer data sets, so that only gross errors are outside the intervals."""

from __future__ import annotations

from calibration.cells import Cell, Sizes

SIZES = Sizes(runs=3_000, permutation_runs=200, permutations=999)

CELLS = [
    Cell("uniform", 2, 4, 50),
    Cell("uniform", 3, 16, 200),
    Cell("uniform", 8, 64, 200),
    Cell("skewed", 2, 1, 200),
    Cell("skewed", 3, 4, 1_000),
    Cell("skewed", 5, 16, 200),
    Cell("skewed", 8, 1, 1_000),
    Cell("skewed", 8, 64, 1_000),
    Cell("real", 2, 16, 1_000),
    Cell("real", 3, 4, 200),
    Cell("real", 5, 16, 1_000),
    Cell("real", 8, 4, 200),
]
