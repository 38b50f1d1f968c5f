"""The plots of the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from accuracy import plan
from accuracy.published import STANDARD
from accuracy.summary import Summary
from accuracy.titles import title
from reproduction.style import canvas, legend_below, render, share_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The colors of Okabe and Ito, which color-blind readers can distinguish; markers differ, too.
STYLES = {
    plan.DEFAULT: ("#0072B2", "o", "-"),
    "hill_climb": ("#56B4E9", "D", "-"),
    "pc_stable:method=sci_f,orientation=evidence": ("#000000", "P", ":"),
    "pyagrum.hill_climb:score=bdeu": ("#D55E00", "s", "--"),
    "pyagrum.tabu:score=bdeu": ("#E69F00", "v", "--"),
    "pyagrum.miic": ("#CC79A7", "X", "--"),
    "causallearn.ges": ("#009E73", "^", "--"),
    "pgmpy.hill_climb:score=bdeu": ("#767676", "<", "--"),
}
"""The searches of the plot over sizes; the table has all of them."""

COLUMNS = 4
TICKS = {100: "100", 1_000: "1k", 10_000: "10k", 100_000: "100k"}


def write(summary: Summary, folder: Path) -> list[tuple[str, str]]:
    """Write each plot as SVG and PNG; returns the names of the SVG files with their descriptions."""
    wanted = [("accuracy-sizes", "CPDAG F1 by number of rows, for every network", _sizes)]
    if plan.DEFAULT in summary.searches:
        wanted.append(("accuracy-published", "SHD of the default beside the best published figure", _published))
    made = []
    for name, alternative, draw in wanted:
        folder.mkdir(parents=True, exist_ok=True)
        svg, png = render(draw, summary)
        (folder / f"{name}.svg").write_bytes(svg)
        (folder / f"{name}.png").write_bytes(png)
        made.append((f"{name}.svg", alternative))
    return made


def _sizes(summary: Summary) -> Figure:
    """One panel per network."""
    lines = -(-len(summary.networks) // COLUMNS)
    figure, grid = canvas(lines, COLUMNS, 11.0, 2.3 * lines + 0.6, sharey=True)
    shown: dict[str, Any] = {}
    for axes, network in zip(grid.flat, summary.networks, strict=False):
        for search, (color, marker, dash) in STYLES.items():
            points = [(rows, mean) for rows in summary.sizes if (mean := _f1(summary, search, network, rows))]
            if points:
                sizes, means = zip(*points, strict=True)
                drawn = axes.errorbar(
                    sizes,
                    [mean.value for mean in means],
                    [mean.error for mean in means],
                    color=color,
                    marker=marker,
                    linestyle=dash,
                    label=title(search),
                    zorder=3 if search == plan.DEFAULT else 2,
                )
                shown.setdefault(title(search), drawn)
        axes.set(xscale="log", title=network, xlim=(80, 125_000), xlabel="rows")
        axes.set_xticks(list(TICKS), list(TICKS.values()))
        axes.minorticks_off()
        share_axis(axes, "")
    for axes in list(grid.flat)[len(summary.networks) :]:
        axes.set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel("CPDAG F1")
    figure.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=COLUMNS)
    return figure


def _f1(summary: Summary, search: str, network: str, rows: int) -> Any:
    return summary.cell(search, network, rows).mean("cpdag_f1")


def _published(summary: Summary) -> Figure:
    """Two bars per network."""
    figure, grid = canvas(1, 1, 8.0, 3.6)
    axes = grid[0, 0]
    places = range(len(STANDARD))
    ours = [summary.cell(plan.DEFAULT, one.network, one.rows).mean("shd") for one in STANDARD]
    axes.bar([place + 0.2 for place in places], [one.shd for one in STANDARD], 0.38, color="#BBBBBB", label="published")
    axes.bar(
        [place - 0.2 for place, mean in zip(places, ours, strict=True) if mean],
        [mean.value for mean in ours if mean],
        0.38,
        yerr=[mean.error for mean in ours if mean],
        color=STYLES[plan.DEFAULT][0],
        label=title(plan.DEFAULT),
    )
    axes.set_xticks(list(places), [f"{one.network}\n{one.rows:,}" for one in STANDARD], fontsize=7.5)
    axes.set_ylabel("SHD (lower is better)")
    axes.grid(visible=False, axis="x")
    axes.set_axisbelow(True)
    legend_below(figure, axes, 2)
    return figure
