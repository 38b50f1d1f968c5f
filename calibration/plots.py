"""The plot of the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.cells import ALPHAS, MARGINS, POWER_ALPHA
from calibration.figures import HIGHEST, LOWEST, shares
from calibration.results import Result
from reproduction.style import canvas, render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The colors of Okabe and Ito, which color-blind readers can distinguish; markers differ, too.
STYLES = {
    "sci_f": ("#000000", "P"),
    "g2_adjusted": ("#E69F00", "s"),
    "x2": ("#009E73", "^"),
    "x2_calibrated": ("#0072B2", "o"),
}
LOWEST_SHOWN = 2e-4  # no data set at all is shown here, too


def write(results: Sequence[Result], folder: Path) -> str:
    """Write the plot as SVG and PNG; returns the name of the SVG file."""
    folder.mkdir(parents=True, exist_ok=True)
    svg, png = render(_type_1_errors, results)
    (folder / "calibration.svg").write_bytes(svg)
    (folder / "calibration.png").write_bytes(png)
    return "calibration.svg"


def _type_1_errors(results: Sequence[Result]) -> Figure:
    """One panel for each kind of margins, one point for each cell and test."""
    figure, grid = canvas(1, len(MARGINS), 11.0, 3.9, sharex=True, sharey=True)
    place = ALPHAS.index(POWER_ALPHA)
    for axes, margins in zip(grid[0], MARGINS, strict=True):
        axes.axhspan(LOWEST * POWER_ALPHA, HIGHEST * POWER_ALPHA, color="#cccccc", zorder=0, linewidth=0)
        shown = [result for result in results if result.cell.margins == margins]
        for test, (color, marker) in STYLES.items():
            rates = [shares(result.independent, test) for result in shown]
            axes.scatter(
                [result.cell.rows / (result.cell.strata * result.cell.levels**2) for result in shown],
                [max((rate[place] if len(rate) > 1 else rate[0]).value, LOWEST_SHOWN) for rate in rates],
                color=color,
                marker=marker,
                s=16,
                alpha=0.75,
                linewidths=0,
                label=test,
            )
        axes.set(xscale="log", yscale="log", title=margins, xlabel="rows per cell, on average")
        axes.set_yticks([1e-3, 1e-2, 0.05, 0.1, 1], ["0.1%", "1%", "5%", "10%", "100%"])
        axes.minorticks_off()
    grid[0, 0].set_ylabel("called dependent")
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=len(STYLES))
    return figure
