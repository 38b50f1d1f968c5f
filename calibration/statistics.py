"""Which statistic finds dependences best: X², G² or the U-statistic of wUCI, all as permutation tests.

Usage: python -m calibration.statistics [--runs N]     prints the table of docs/mathematics.md in a few minutes

As permutation tests all of them keep their level exactly, so that their power can be compared, however it would be
computed without permutations. The dependences:

- same quantile: X and Y are coupled as in `populations.py`: frequent levels meet frequent ones, rare levels rare ones;
- opposite quantile: the same with the levels of Y in reverse order: frequent levels meet rare ones;
- one pair: only the last level of X and the last of Y, the rarest ones in skewed margins, meet more often.

wUCI (Canonne et al. 2018; Kim, Neykov, Balakrishnan & Wasserman 2024) is the sum over strata with n ≥ 4 rows of n U,
with an unbiased estimate U of the squared distance from independence, in which levels are weighted by
1 / (1 + |X| R / n).
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from calibration.cells import POWER_ALPHA, Cell
from calibration.populations import Floats, Population, population

CELLS = [
    Cell(margins, levels, strata, rows)
    for margins in ("uniform", "skewed")
    for levels, strata, rows in ((2, 16, 200), (3, 4, 200), (3, 16, 200), (5, 4, 200), (5, 16, 1_000), (8, 4, 1_000))
]
KINDS = ("same quantile", "opposite quantile", "one pair")
PERMUTATIONS = 199
RUNS = 500

Counts = npt.NDArray[np.int64]


def statistics(counts: Counts) -> Floats:
    """X², G² and wUCI of many tables with axes table, stratum, X, Y; one line each."""
    n = counts.sum((2, 3), keepdims=True)
    rows, columns = counts.sum(3, keepdims=True), counts.sum(2, keepdims=True)
    expected = rows * columns / np.maximum(n, 1)
    ratio = np.divide(counts, expected, out=np.ones(counts.shape), where=counts > 0)
    x2 = (counts * ratio).sum((1, 2, 3)) - n.sum((1, 2, 3))
    g2 = 2 * (counts * np.log(ratio)).sum((1, 2, 3))
    a = 1 / (1 + counts.shape[2] * rows / np.maximum(n, 1))
    b = 1 / (1 + counts.shape[3] * columns / np.maximum(n, 1))
    size = np.maximum(n, 4)[:, :, 0, 0]
    pairs = (a * b * counts * (counts - 1)).sum((2, 3))
    margins = (a * rows * (rows - 1)).sum((2, 3)) * (b * columns * (columns - 1)).sum((2, 3))
    mixed = (a * b * counts * (rows - 1) * (columns - 1)).sum((2, 3))
    u = (pairs + margins / ((size - 1) * (size - 2)) - 2 * mixed / (size - 2)) / (size - 3)
    return np.array([x2, g2, np.where(n[:, :, 0, 0] >= 4, u, 0).sum(1)])


def power(cell: Cell, kind: str, runs: int) -> Floats:
    """The share of data sets that a permutation test with each statistic calls dependent."""
    drawn = population(cell)
    if kind == "opposite quantile":
        drawn = Population(drawn.strata, drawn.x, drawn.y[:, ::-1])
    share = drawn.copied_share(cell.rows)
    cells = _one_pair(drawn, share) if kind == "one pair" else drawn.cells(share)
    rng = np.random.default_rng([cell.seed, KINDS.index(kind)])
    found = np.zeros(3)
    for _ in range(runs):
        place = np.sort(rng.choice(cells.size, cell.rows, p=cells.ravel() / cells.sum()))  # by stratum
        z, x, y = np.unravel_index(place, cells.shape)
        shuffled = np.argsort(z + rng.random((PERMUTATIONS + 1, cell.rows)), axis=1)
        shuffled[0] = np.arange(cell.rows)  # the data
        codes = (z * cell.levels + x) * cell.levels + y[shuffled]
        codes += np.arange(len(codes))[:, None] * cells.size
        counts = np.bincount(codes.ravel(), minlength=len(codes) * cells.size).reshape(-1, *cells.shape)
        values = statistics(counts)
        as_high = (values >= values[:, :1] - 1e-9).sum(1)
        found += as_high / (1 + PERMUTATIONS) <= POWER_ALPHA
    return found / runs


def _one_pair(drawn: Population, share: float) -> Floats:
    """Moves probability to the last level of both, such that X² grows by as much as with coupled rows, if possible."""
    cells = drawn.cells()
    wanted = float(((drawn.cells(share) - cells) ** 2 / cells).sum())
    signs = np.zeros(cells.shape[1:])
    signs[-1, -1] = signs[0, 0] = 1
    signs[-1, 0] = signs[0, -1] = -1
    moved = float((drawn.strata[:, None, None] ** 2 * signs**2 / cells).sum()) ** -0.5 * wanted**0.5
    most = float(np.where(signs < 0, cells / drawn.strata[:, None, None], np.inf).min())
    moved_cells: Floats = cells + drawn.strata[:, None, None] * signs * min(moved, most)
    return moved_cells


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="The power of X², G² and wUCI as permutation tests.")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"data sets per line (default {RUNS})")
    runs = parser.parse_args().runs
    print("| dependence | margins | X² | G² | wUCI |\n| --- | --- | --- | --- | --- |")
    for kind in KINDS:
        for margins in ("uniform", "skewed"):
            shares = np.mean([power(cell, kind, runs) for cell in CELLS if cell.margins == margins], axis=0)
            print(f"| {kind} | {margins} | {' | '.join(f'{share:.1%}' for share in shares)} |", flush=True)


if __name__ == "__main__":
    main()
