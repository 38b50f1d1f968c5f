"""The distributions that data sets are drawn from.

- uniform: strata and levels are equally probable;
- skewed: each level of X and of Y has 40% of the probability of the one before; the probability of a stratum falls
  with its rank, as 1, 1/2, 1/3 and so on;
- real: strata, and the distributions of X and of Y in each of them, come from a sample of a bundled network. The
  network and its variables are drawn at random, another choice in each cell; nothing was fitted to them.

X and Y are independent in every stratum, or, in a share `copied` of the rows, coupled: both take the levels at the
same quantile of their distributions, so that the margins stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import chi2, ncx2

import bitsep
from calibration.cells import POWER_ALPHA, Cell

Floats = npt.NDArray[np.float64]

RATIO = 0.4
SAMPLE_ROWS = 50_000
AIMED_POWER = 0.5


@dataclass(frozen=True)
class Population:
    """Probabilities of the strata, of the levels of X in each stratum, and of those of Y; `source` says of what."""

    strata: Floats
    x: Floats
    y: Floats
    source: str = ""

    def cells(self, copied: float = 0.0) -> Floats:
        """The probabilities of strata, levels of X and levels of Y."""
        product = self.x[:, :, None] * self.y[:, None, :]
        both = (1 - copied) * product + copied * self._coupled() if copied else product
        cells: Floats = self.strata[:, None, None] * both
        return cells

    def copied_share(self, rows: int) -> float:
        """The coupled share of the rows for which X² would have a power of one half in so many rows.

        By the noncentral chi-square distribution; 1 where even that is not enough.
        """
        occupied = [(x > 0).sum() - 1 for x in self.x], [(y > 0).sum() - 1 for y in self.y]
        df = float(np.prod(occupied, axis=0).sum())
        product = self.cells()
        kept = product > 0
        deviation = (self.cells(1.0) - product)[kept] ** 2 / product[kept]
        strongest = rows * float(deviation.sum())
        if df == 0 or strongest == 0:
            return 1.0
        threshold = chi2.isf(POWER_ALPHA, df)
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            enough = ncx2.sf(threshold, df, middle**2 * strongest) >= AIMED_POWER
            low, high = (low, middle) if enough else (middle, high)
        return high

    def _coupled(self) -> Floats:
        """The joint distribution in which X and Y lie at the same quantile, in each stratum."""
        ends = np.minimum(self.x.cumsum(1)[:, :, None], self.y.cumsum(1)[:, None, :])
        ends = np.pad(ends, ((0, 0), (1, 0), (1, 0)))
        return np.maximum(np.diff(np.diff(ends, axis=1), axis=2), 0)


def population(cell: Cell) -> Population:
    """The one that the data sets of a cell are drawn from."""
    if cell.margins == "real":
        return _real(cell)
    ranks, levels = np.arange(cell.strata), np.arange(cell.levels)
    skewed = cell.margins == "skewed"
    strata = 1.0 / (1 + ranks) if skewed else np.ones(cell.strata)
    margin = RATIO**levels if skewed else np.ones(cell.levels)
    same = np.tile(margin / margin.sum(), (cell.strata, 1))
    return Population(strata / strata.sum(), same, same)


def _real(cell: Cell) -> Population:
    """From random variables of a random network; several are combined where one has too few levels."""
    rng = np.random.default_rng(cell.seed)
    names = bitsep.network_names()
    while True:
        network = names[rng.integers(len(names))]
        data = _sample(network)
        order = [data.columns[i] for i in rng.permutation(len(data.columns))]
        x, y, z = (_combined(data, order, wanted) for wanted in (cell.levels, cell.levels, cell.strata))
        if x is None or y is None or z is None:
            continue
        kept = (x[0] >= 0) & (y[0] >= 0) & (z[0] >= 0)
        counts = np.zeros((cell.strata, cell.levels, cell.levels))
        np.add.at(counts, (z[0][kept], x[0][kept], y[0][kept]), 1)
        in_strata = counts.sum((1, 2))
        if in_strata.min() == 0:
            continue
        in_x, in_y = counts.sum(2) / in_strata[:, None], counts.sum(1) / in_strata[:, None]
        if ((in_x > 0).sum(1) > 1).dot((in_y > 0).sum(1) > 1) == 0:
            continue  # X or Y is constant in every stratum
        source = f"{network}: {x[1]} ⊥ {y[1]}" + (f" given {z[1]}" if z[1] else "")
        return Population(in_strata / in_strata.sum(), in_x, in_y, source)


def _combined(data: pd.DataFrame, order: list[str], wanted: int) -> tuple[npt.NDArray[np.int64], str] | None:
    """The most frequent combinations of as few of the next variables as have enough of them; -1 for all others."""
    codes, used = np.zeros(len(data), dtype=np.int64), []
    while len(counts := np.bincount(codes)) < wanted or np.count_nonzero(counts) < wanted:
        if not order:
            return None
        used.append(order.pop())
        codes = codes * data[used[-1]].nunique() + data[used[-1]].astype("category").cat.codes.to_numpy(np.int64)
        codes = np.unique(codes, return_inverse=True)[1]
    number = np.full(len(counts), -1)
    number[np.argsort(-counts, kind="stable")[:wanted]] = np.arange(wanted)
    return number[codes], ", ".join(used)


@cache
def _sample(network: str) -> pd.DataFrame:
    return bitsep.load_network(network).sample(SAMPLE_ROWS, seed=1)
