"""The heat map of all pairs of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitsep.discovery import Pairwise
from bitsep.optional import require
from bitsep.report.labels import unique_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_NUMBERED = 16  # variables; with more, cells are too small for numbers
_MAX_NAMED = 150  # variables; with more, names are too small to be read
_INCHES = 0.42  # of a cell, at most
_MAX_INCHES = 14.0


def plot_pairwise(pairs: Pairwise, ax: Axes | None = None) -> Axes:
    """Draw the effect sizes of all pairs as a heat map; pairs that the test calls independent are marked by a dot.

    Parameters
    ----------
    pairs : Pairwise
        The result of `bitsep.pairwise`.
    ax : matplotlib Axes, optional
        The axes to draw in; default: those of a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import bitsep
    >>> ax = plot_pairwise(bitsep.pairwise(bitsep.load_network("cancer").sample(500, seed=1)))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['Cancer', 'Dyspnoea', 'Pollution', 'Smoker', 'Xray']
    """
    plt = require("matplotlib.pyplot", "plot", "report")
    n = len(pairs.variables)
    if ax is None:
        side = min(_MAX_INCHES, max(2.5, _INCHES * n))
        ax = plt.subplots(figsize=(side + 2.6, side + 1.8), layout="constrained")[1]
    assert ax is not None
    values = pairs.matrix.to_numpy(copy=True)
    np.fill_diagonal(values, np.nan)
    image = ax.imshow(values, cmap="GnBu", vmin=0, vmax=1)
    independent = np.zeros((n, n), bool)
    independent[np.triu_indices(n, 1)] = [result.independent for result in pairs]
    rows, columns = np.nonzero(independent | independent.T)
    if n <= _MAX_NUMBERED:
        for i, j in np.argwhere(~np.isnan(values)):
            value = values[i, j]
            faint = independent[min(i, j), max(i, j)]
            color = "#8b97a6" if faint else "white" if value > 0.55 else "black"
            ax.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=7, color=color)
    else:
        ax.scatter(columns, rows, s=min(12.0, 400.0 / n), color="#8b97a6", linewidths=0)
    if n <= _MAX_NAMED:
        labels = [label.replace("$", r"\$") for label in unique_labels(pairs.variables, 24)]
        size = 8 if n <= 40 else max(3.0, 8 * 40 / n)
        ax.set_xticks(range(n), labels, rotation=90, fontsize=size)
        ax.set_yticks(range(n), labels, fontsize=size)
    else:
        ax.set_xticks([])
        ax.set_yticks([])
    ax.figure.colorbar(image, ax=ax, label="effect size (Cramér's V)", shrink=0.8)
    mark = "gray numbers" if n <= _MAX_NUMBERED else "dots"
    ax.set_title(f"{len(pairs):,} pairs ({pairs.method}); {mark}: independent", fontsize=9)
    return ax
