"""How every figure looks, and how it becomes the same bytes each time."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from reproduction.methods import Method

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

_SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so a figure does not depend on the machine's fonts
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.titlesize": 9.5,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.5,
    "figure.dpi": 100,
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
    "svg.hashsalt": "bitsep",
    "image.cmap": "cividis",
}


def render(draw: Any, results: Any) -> tuple[bytes, bytes]:
    """A figure as SVG and as PNG. The user's own matplotlib settings do not matter and are not touched."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(cast(Any, _SETTINGS))
        figure = draw(results)
        figure.draw_without_rendering()  # lays it out, once for both files
        figure.set_layout_engine("none")
        svg, png = io.BytesIO(), io.BytesIO()
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", dpi=160, metadata={"Software": None})
    return svg.getvalue(), png.getvalue()


def canvas(rows: int, columns: int, width: float, height: float, **options: Any) -> tuple[Figure, Any]:
    """A figure without pyplot (no global state, any thread), and its axes as a matrix."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, axes


def line(axes: Axes, method: Method, x: Any, y: Any, **options: Any) -> None:
    """One test's curve, in its color, marker and dash; many points get a marker now and then."""
    looks: dict[str, Any] = {
        "color": method.color,
        "marker": method.marker,
        "linestyle": method.line,
        "label": method.label,
        "markevery": max(1, len(x) // 12),
        "zorder": 3 if method.key == "sci_f" else 2,  # the paper's test must not vanish under another
    }
    axes.plot(x, y, **(looks | options))


def share_axis(axes: Axes, label: str) -> None:
    """The y axis from 0 to 1."""
    axes.set_ylim(-0.02, 1.03)
    axes.set_ylabel(label)


def legend_below(figure: Figure, axes: Axes, columns: int) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)


def heat(axes: Axes, values: pd.DataFrame, **options: Any) -> AxesImage:
    """A map over sample size (columns) and noise (index), as the paper's d-separation figures."""
    axes.grid(visible=False)
    image = axes.imshow(values, origin="lower", aspect="auto", interpolation="nearest", **options)
    axes.set_xticks(*_ticks(values.columns, 1000, "{:,.0f}"))
    axes.set_yticks(*_ticks(values.index, 0.2, "{:.1f}"))
    return image


def _ticks(values: pd.Index, step: float, form: str) -> tuple[list[float], list[str]]:
    """Round values and where they lie between the (not always evenly spaced) cells of a map."""
    shown = [i * step for i in range(int(values[-1] / step) + 1) if values[0] <= i * step]
    return np.interp(shown, values, range(len(values))).tolist(), [form.format(value) for value in shown]
