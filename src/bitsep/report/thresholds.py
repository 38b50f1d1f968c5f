"""Thresholds of the tests, plotted against the number of rows and the number of strata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bitsep.checks import integer
from bitsep.data import Table
from bitsep.errors import ArgumentError
from bitsep.independence import independence_test
from bitsep.optional import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DEFAULT_METHODS = ("sci_f", "sci_q", "jic", "g2")


def plot_thresholds(
    methods: Sequence[str] = DEFAULT_METHODS,
    *,
    kx: int = 3,
    ky: int = 3,
    kz: int = 4,
    n: int = 1000,
    alpha: float | None = None,
) -> Figure:
    """Plot the threshold of each test: the bits that n · CMI must exceed for "dependent".

    The left panel varies the number of rows with `kz` strata, the right panel varies the number of strata with `n`
    rows. The counts are as equal as possible: the thresholds of SCI depend on the counts and are largest for equal
    counts.

    Parameters
    ----------
    methods : sequence of str
        The names of the tests.
    kx, ky, kz : int
        Domain sizes of X and Y, and the number of strata.
    n : int
        The number of rows in the right panel; the left panel goes up to 100 times as many.
    alpha : float, optional
        The significance level of the tests.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> figure = plot_thresholds(["sci_f", "g2"])
    >>> [ax.get_xlabel() for ax in figure.axes]
    ['rows', 'strata of the given']
    """
    if isinstance(methods, str) or not methods:
        raise ArgumentError(f"methods: must be a list of names such as {list(DEFAULT_METHODS)}, got {methods!r}.")
    kx, ky, kz, n = integer("kx", kx, 2), integer("ky", ky, 2), integer("kz", kz, 1), integer("n", n, 10)
    plt = require("matplotlib.pyplot", "plot_thresholds", "report")
    figure: Figure
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    rows = np.unique(np.geomspace(max(10, n / 100), n * 100, 25).round().astype(int)).tolist()
    strata = np.unique(np.geomspace(1, max(64, 4 * kz), 20).round().astype(int)).tolist()
    for method in methods:
        _curve(left, method, rows, [_threshold(method, alpha, kx, ky, kz, size) for size in rows])
        _curve(right, method, strata, [_threshold(method, alpha, kx, ky, size, n) for size in strata])
    left.set(xlabel="rows", ylabel="threshold in bits", title=f"{kz:,} strata, domain sizes {kx} and {ky}")
    right.set(xlabel="strata of the given", title=f"{n:,} rows, domain sizes {kx} and {ky}")
    left.legend()
    return figure


def _curve(ax: Axes, label: str, x: Sequence[int], y: Sequence[float]) -> None:
    ax.plot(x, y, label=label, marker=".", markersize=4)
    ax.set_xscale("log")
    ax.grid(alpha=0.3)


def _threshold(method: str, alpha: float | None, kx: int, ky: int, kz: int, n: int) -> float:
    return independence_test(even_table(kx, ky, kz, n), "x", "y", given="z", method=method, alpha=alpha).threshold_bits


def even_table(kx: int, ky: int, kz: int, n: int) -> Table:
    """A frequency table of n rows, distributed evenly over the cells of x, y and z.

    The remainder is distributed along diagonals, so that few rows are enough to have every level of x and y.

    >>> even_table(2, 2, 1, 6).n
    6
    """
    cell = np.arange(kx * ky * kz)
    z, pair = cell % kz, cell // kz
    x, y = pair % kx, (pair // kx + pair % kx) % ky
    weights = n // len(cell) + (cell < n % len(cell))
    return Table({"x": x, "y": y, "z": z, "rows": weights}, weights="rows")
