"""What both experiments on the Alarm network share: samples, tests, sizes, curves over the number of rows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bitsep import Network, Table, load_network
from reproduction.experiment import Chunk, Settings, Size
from reproduction.methods import methods
from reproduction.style import line, share_axis

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

COMPARED = ("sci_f", "sci_q", "sci_fs", "jic", "g2", "gamma_05", "gamma_halved_05", "g2_adjusted")
SIZES: Mapping[Size, Settings] = {
    "full": {"rows": [100, 200, 500, 1000, 2000, 5000, 10000, 20000], "runs": 10},
    "quick": {"rows": [100, 500, 1000, 2000, 5000, 20000], "runs": 2},
    "tiny": {"rows": [200, 1000], "runs": 1},
}


@cache
def network() -> Network:
    return load_network("alarm")


def sample(rng: np.random.Generator, n: int) -> Table:
    """A sample of Alarm, as the codes of its levels."""
    return Table(network().sample_codes(n, seed=int(rng.integers(2**31))))


def chunks(settings: Settings) -> list[Chunk]:
    return [{"n": n, "run": run} for n in settings["rows"] for run in range(settings["runs"])]


def curves(axes: Axes, results: pd.DataFrame, column: str) -> None:
    """The mean over runs against the number of rows, with a band of one standard deviation."""
    for method in methods(COMPARED):
        by_rows = results[results["method"] == method.key].groupby("n")[column]
        mean, deviation = by_rows.mean(), by_rows.std(ddof=0)
        line(axes, method, mean.index, mean, markevery=1)
        axes.fill_between(mean.index, mean - deviation, mean + deviation, color=method.color, alpha=0.12, linewidth=0)
    axes.set_xscale("log")
    ticks = [n for n in (100, 500, 1000, 5000, 20000) if n <= results["n"].max()]
    axes.set_xticks(ticks, [f"{n:,}" for n in ticks])
    axes.minorticks_off()
    axes.set_xlabel("rows")
    share_axis(axes, column.upper() if column == "f1" else column)
