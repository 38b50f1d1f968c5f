"""Cramér's V with correction for bias (Bergsma 2013)."""

from __future__ import annotations

import numpy as np

from bitsep.counting import Counts
from bitsep.independence.effects.margins import Floats, Margins, sums_of_strata

_ROUNDING = 1e-12  # values that are 0 but for rounding errors


def cramers_v(counts: Counts, margins: Margins) -> Floats:
    """The corrected V of each stratum, from 0 to 1; 0 where X or Y has one level, or the rows are too few.

    φ² = X²/n is reduced by its mean under independence, (r − 1)(c − 1)/(n − 1), and r and c, the occupied rows and
    columns, by (r − 1)²/(n − 1) and (c − 1)²/(n − 1). See Bergsma, A bias-correction for Cramér's V and Tschuprow's T,
    Journal of the Korean Statistical Society 42 (2013).
    """
    n = margins.n.astype(np.float64)
    rows, columns = margins.x.occupied - 1.0, margins.y.occupied - 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        phi_squared = _phi_squared(counts, margins) - rows * columns / (n - 1)
        limit = np.minimum(rows - rows**2 / (n - 1), columns - columns**2 / (n - 1))
        v = np.sqrt(np.clip(phi_squared / limit, 0.0, 1.0))
    return np.where((phi_squared > _ROUNDING) & (limit > _ROUNDING), v, 0.0)


def _phi_squared(counts: Counts, margins: Margins) -> Floats:
    """X²/n of each stratum: the sum of count²/(row sum · column sum), less 1."""
    terms = counts.count.astype(np.float64) ** 2 / (margins.x.of_cell.astype(np.float64) * margins.y.of_cell)
    return sums_of_strata(counts, terms) - 1.0
