"""How well `u_calibrated` keeps its significance level: python -m calibration.u_statistic [--runs N].

The cells are those of the grid of `make calibration` with up to 1,000 rows. A cell is too strict or too lax at a level
if the 99.9% interval of its type I error lies outside of 0.8 to 1.2 times the level. Where few tables are possible, a
test is strict by necessity: no p-value is near to the level.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.stats import beta

from calibration.cells import ALPHAS, all_cells
from calibration.simulate import p_values_under_independence

METHOD = "u_calibrated"
RUNS = 1_000
MOST_ROWS = 1_000
BAND = 0.8, 1.2
_OUTSIDE = 0.001


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="The type I error of the calibrated U-statistic.")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"data sets per cell (default {RUNS})")
    parser.add_argument("--rows", type=int, default=MOST_ROWS, help=f"of the largest cells (default {MOST_ROWS})")
    asked = parser.parse_args(arguments)
    runs = asked.runs
    print("| margins | cells | alpha | type I error / alpha: mean | least | most | too strict | too lax |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    outside = []
    for margins in ("uniform", "skewed", "real"):
        cells = [cell for cell in all_cells() if cell.margins == margins and cell.rows <= asked.rows]
        p = np.array([p_values_under_independence(cell, METHOD, runs) for cell in cells])
        for alpha in ALPHAS:
            found = (p <= alpha * (1 + 1e-9)).sum(1)
            low = beta.ppf(_OUTSIDE / 2, np.maximum(found, 1), runs - found + 1) * (found > 0)
            high = beta.ppf(1 - _OUTSIDE / 2, found + 1, np.maximum(runs - found, 1))
            strict, lax = high < BAND[0] * alpha, low > BAND[1] * alpha
            outside += [f"{cell.name} at {alpha}" for cell, out in zip(cells, lax, strict=True) if out]
            ratio = found / (runs * alpha)
            shown = f"{ratio.mean():.2f} | {ratio.min():.2f} | {ratio.max():.2f} | {strict.sum()} | {lax.sum()}"
            print(f"| {margins} | {len(cells)} | {alpha} | {shown} |", flush=True)
    if outside:
        print(f"\nToo lax: {', '.join(outside)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
