"""Plots with matplotlib, which is imported only when needed. No function opens a window."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bitsep.data.load import encoded
from bitsep.discovery import Discovery
from bitsep.errors import ArgumentError
from bitsep.figures import shown_bits
from bitsep.independence import IndependenceResult
from bitsep.naming import shown_name, shown_names
from bitsep.optional import require
from bitsep.report.contingency import Stratum, Tabulator
from bitsep.report.drawing import doubts, line_widths
from bitsep.report.labels import shortened, unique_labels
from bitsep.report.layout import HEIGHT, Layout, lay_out
from bitsep.report.marks import end_marks
from bitsep.report.thinning import strengths

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PIXELS_PER_INCH = 90.0
_FULL_COLOR = 5.0  # standard deviations from the expected count at which a cell has its full color
_UNDIRECTED, _DIRECTED, _CONTESTED = "#6d7a8a", "#3d4a5a", "#b35c00"
_TITLE_WIDTH = 24  # characters of a line above a stratum
_COUNTS = "rows (in parentheses: expected under independence); red: more than expected, blue: fewer"


def plot_discovery(discovery: Discovery, ax: Axes | None = None) -> Axes:
    """Draw the graph: arrows from causes to effects, lines for undirected edges, dashed lines for conflicts.

    The more bits, the wider the line. If bootstrap samples speak against an edge, it is pale and dotted; if only
    against its direction, it is pale. A thin dotted line connects variables without an edge whose edge is probable
    (`Discovery.doubts`).

    Parameters
    ----------
    discovery : Discovery
        The result of a search.
    ax : matplotlib Axes, optional
        The axes to draw in; default: those of a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import bitsep
    >>> ax = plot_discovery(bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia"))))
    >>> sorted(text.get_text() for text in ax.texts)[:3]
    ['asia', 'bronc', 'dysp']
    """
    plt = require("matplotlib.pyplot", "plot", "report")
    require("igraph", "plot", "report")
    labels = unique_labels(discovery.variables)
    layout = lay_out(discovery.graph, labels, strengths(discovery))
    if ax is None:
        size = (max(4.0, layout.width / _PIXELS_PER_INCH), max(3.0, layout.height / _PIXELS_PER_INCH))
        ax = plt.subplots(figsize=size, layout="constrained")[1]
    _draw_edges(ax, discovery, layout)
    _draw_probable(ax, discovery, layout)
    _draw_boxes(ax, layout, labels)
    ax.set_xlim(-12, layout.width + 12)
    ax.set_ylim(layout.height + 12, -12)
    ax.set_aspect("equal")
    ax.set_axis_off()
    if len(layout.routes) < len(discovery.skeleton):
        ax.set_title(f"The strongest {len(layout.routes):,} of {len(discovery.skeleton):,} edges", fontsize=8)
    return ax


def plot_result(result: IndependenceResult, data: Any) -> Figure:
    """Plot observed counts with those expected under independence: a heat map per stratum.

    A cell shows its count and, below, the count expected if x and y were independent in the stratum. Its color is the
    difference in standard deviations: red for more than expected, blue for fewer. Rare levels and small strata are
    pooled.

    Parameters
    ----------
    result : IndependenceResult
        The result of one test.
    data : table-like
        The data that the result was computed from; a result does not contain counts.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("asia").sample(1000, seed=1)
    >>> figure = plot_result(bitsep.independence_test(data, "xray", "smoke", given="either"), data)
    >>> [ax.get_title() for ax in figure.axes[:2]]
    ['either = no\\n941 rows', 'either = yes\\n59 rows']
    """
    plt = require("matplotlib.pyplot", "plot", "report")
    source = encoded(data)
    merged = [name for name in (result.x, result.y) if isinstance(name, tuple) and name not in source.names]
    tabulator = Tabulator(source, merged)
    strata = tabulator.strata(result.x, result.y, result.given)
    if not strata:
        raise ArgumentError(f"data: no rows, or too many strata to draw, for {result.question}.")
    down, across = tabulator.axis(result.x).labels, tabulator.axis(result.y).labels
    columns = min(len(strata), 4)
    lines = math.ceil(len(strata) / columns)
    size = (columns * max(2.4, 0.62 * len(across) + 1.3), lines * max(1.9, 0.45 * len(down) + 1.4) + 0.7)
    figure: Figure
    figure, grid = plt.subplots(lines, columns, figsize=size, squeeze=False, layout="constrained")
    for ax, stratum in zip(grid.flat, strata, strict=False):
        _draw_counts(ax, stratum, down, across)
        ax.set_title(_stratum_title(stratum, result), fontsize=8)
    for ax in list(grid.flat)[len(strata) :]:
        ax.set_axis_off()
    for ax in grid[:, 0]:
        ax.set_ylabel(_plain(shown_name(result.x)))
    for ax in list(grid.flat)[max(0, len(strata) - columns) : len(strata)]:
        ax.set_xlabel(_plain(shown_name(result.y)))
    figure.supxlabel(_COUNTS, fontsize=7, color="0.35")
    figure.suptitle(
        f"{_plain(_title(result), 100)}: {result.verdict}, {shown_bits(result.score_bits, '+')} bits ({result.method})",
        fontsize=10,
    )
    return figure


def _draw_boxes(ax: Axes, layout: Layout, labels: Sequence[str]) -> None:
    from matplotlib.patches import FancyBboxPatch

    for label, box in zip(labels, layout.boxes, strict=True):
        corner = (box.x - box.width / 2, box.y - HEIGHT / 2)
        ax.add_patch(
            FancyBboxPatch(
                corner, box.width, HEIGHT, boxstyle="round,pad=0,rounding_size=7", fc="white", ec="#8b97a6", zorder=3
            )
        )
        ax.text(box.x, box.y, _plain(label, 60), ha="center", va="center", fontsize=8, color="black", zorder=4)


def _draw_edges(ax: Axes, discovery: Discovery, layout: Layout) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, FancyArrowPatch
    from matplotlib.path import Path

    index = {name: i for i, name in enumerate(discovery.variables)}
    contested = {frozenset(conflict.edge) for conflict in discovery.conflicts}
    widths = line_widths(strengths(discovery))
    for a, sign, b in discovery.graph.edge_lines():
        route = layout.route(index[a], index[b])
        if not route:
            continue
        pair, (start, end) = frozenset((a, b)), end_marks(sign)
        steps = Path.LINETO if len(route) == 2 else Path.CURVE4
        color = _CONTESTED if pair in contested else _DIRECTED if "arrow" in (start, end) else _UNDIRECTED
        head = ("<|" if start == "arrow" else "") + "-" + ("|>" if end == "arrow" else "")
        doubtful, pale = doubts(discovery, pair)
        ax.add_patch(
            FancyArrowPatch(
                path=Path(route, [Path.MOVETO, *[steps] * (len(route) - 1)]), arrowstyle=head,
                mutation_scale=HEIGHT / 2.2, color=color, linewidth=0.6 * widths[pair], zorder=2, shrinkA=0, shrinkB=0,
                linestyle="--" if pair in contested else ":" if doubtful else "-", alpha=0.5 if pale else 1.0,
            )
        )  # fmt: skip
        for point, mark in ((route[0], start), (route[-1], end)):
            if mark == "circle":
                ax.add_patch(Circle(point, 4, fc="white", ec=color, zorder=2.5))
    if contested:
        dashed = Line2D([], [], color=_CONTESTED, linestyle="--", label="conflicting evidence")
        ax.legend(handles=[dashed], loc="lower right", fontsize=8, frameon=False)


def _draw_probable(ax: Axes, discovery: Discovery, layout: Layout) -> None:
    """The missing edges that are probable."""
    index = {name: i for i, name in enumerate(discovery.variables)}
    for doubt in discovery.doubts:
        if doubt.kind == "missing edge":
            a, b = (layout.boxes[index[name]] for name in doubt.pair)
            ax.plot([a.x, b.x], [a.y, b.y], color=_CONTESTED, linewidth=1, linestyle=(0, (1, 4)), zorder=1)


def _draw_counts(ax: Axes, stratum: Stratum, down: Sequence[str], across: Sequence[str]) -> None:
    deviation = (stratum.observed - stratum.expected) / np.sqrt(np.maximum(stratum.expected, 1e-12))
    clipped = np.clip(deviation, -_FULL_COLOR, _FULL_COLOR)
    limit = 1.7 * _FULL_COLOR  # avoids the darkest colors, on which numbers cannot be read
    ax.imshow(clipped, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto")
    expected = stratum.expected.tolist()
    for (r, c), observed in np.ndenumerate(stratum.observed):
        ax.text(c, r, f"{observed:,}\n{_shown_expected(expected[r][c])}", ha="center", va="center", fontsize=7)
    ax.set_xticks(
        range(len(across)), [_plain(label) for label in across], fontsize=7, rotation=30 if len(across) > 3 else 0
    )
    ax.set_yticks(range(len(down)), [_plain(label) for label in down], fontsize=7)


def _shown_expected(value: float) -> str:
    return f"({value:.1f})" if value < 10 else f"({value:,.0f})"


def _stratum_title(stratum: Stratum, result: IndependenceResult) -> str:
    rows = f"{stratum.rows:,} rows"
    if stratum.pooled:
        return f"{stratum.pooled:,} smaller strata\n{rows}"
    values = [f"{shown_name(name)} = {label}" for name, label in zip(result.given, stratum.labels, strict=True)]
    whole = ", ".join(
        _plain(value, _TITLE_WIDTH).replace(" ", "\xa0") for value in values
    )  # lines break between values
    lines = textwrap.wrap(whole, _TITLE_WIDTH + 1, max_lines=3, placeholder=" …", break_on_hyphens=False)
    return "\n".join([*lines, rows]).replace("\xa0", " ") if values else f"all\n{rows}"


def _title(result: IndependenceResult) -> str:
    given = f" given {shown_names(result.given, '')}" if result.given else ""
    return f"{shown_name(result.x)} and {shown_name(result.y)}{given}"


def _plain(text: str, max_length: int = 24) -> str:
    """Text for matplotlib: shortened, and with dollar signs escaped, since two of them would enclose a formula."""
    return shortened(text, max_length).replace("$", r"\$")
