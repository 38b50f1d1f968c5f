"""Rows needed against domain sizes, with the paper's bound (paper, Sec. 4.4 and appendix B.3).

As the search of the experiment "error", for ε = δ = .05 and SCI_f only. n starts at |X||Y||Z|/8, at least
4, and grows by the smallest domain size until at most 5% of 1,000 data sets have SCI_f/n ≥ .05.

The paper does not say which domain sizes stay fixed while one grows. Here: |Y| = |Z| = 4 while X grows, |X| = 14 and
|Z| = 4 while Y grows (so that |X| ≥ |Y|), |X| = |Y| = 4 while Z grows, and all three together; 51 settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bitsep import sample_size_bound
from reproduction.experiment import Chunk, Experiment, Picture, Row, Settings
from reproduction.methods import METHODS
from reproduction.searches import first_rows, fresh
from reproduction.style import canvas, legend_below, line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANELS = {
    "X": "|X|  (|Y| = |Z| = 4)",
    "Y": "|Y|  (|X| = 14, |Z| = 4)",
    "Z": "|Z|  (|X| = |Y| = 4)",
    "all": "|X| = |Y| = |Z|",
}


def domain_of(growing: str, size: int) -> tuple[int, int, int]:
    """(|X|, |Y|, |Z|) when this one grows."""
    return {"X": (size, 4, 4), "Y": (14, size, 4), "Z": (4, 4, size), "all": (size, size, size)}[growing]


def _chunks(settings: Settings) -> list[Chunk]:
    return [{"growing": growing, "size": size} for growing in PANELS for size in settings[growing]]


def _run(settings: Settings, chunk: Chunk, rng: np.random.Generator) -> list[Row]:
    domain = domain_of(chunk["growing"], chunk["size"])
    n = first_rows(fresh(rng, domain, settings["sets"]), domain, "sci_f", 0.05, 0.05, settings["sets"])
    kx, ky, kz = domain
    bound, cells = sample_size_bound(*domain), kx * ky * kz
    return [
        {"growing": chunk["growing"], "size": chunk["size"], "kx": kx, "ky": ky, "kz": kz, "n": n, "bound": bound,
         "share_of_bound": n / bound, "rows_per_cell": n / cells}
    ]  # fmt: skip


def _draw(results: pd.DataFrame) -> Figure:
    figure, axes = canvas(2, 2, 8.4, 6.2)
    for axis, (growing, label) in zip(axes.flat, PANELS.items(), strict=True):
        here = results[results["growing"] == growing]
        line(axis, METHODS["sci_f"], here["size"], here["n"], label=r"measured, $\mathrm{SCI}_f$")
        axis.plot(here["size"], here["bound"], color="black", linestyle="--", label="the paper's bound")
        axis.set_xlabel(label)
        axis.set_ylabel("rows")
        axis.set_ylim(bottom=0)
    legend_below(figure, axes[0, 0], 2)
    return figure


EXPERIMENT = Experiment(
    name="sample-complexity",
    title="Rows needed against domain sizes",
    section="Sec. 4.4, appendix B.3",
    text=__doc__,
    seed=3,
    sizes={
        "full": {"X": [*range(4, 17)], "Y": [*range(2, 15)], "Z": [*range(2, 31, 2)], "all": [*range(2, 12)],
                 "sets": 1000},
        "quick": {"X": [4, 8, 12, 16], "Y": [2, 6, 10, 14], "Z": [2, 8, 16, 24], "all": [2, 4, 6, 8], "sets": 200},
        "tiny": {"X": [4, 6], "Y": [2, 4], "Z": [2, 4], "all": [2, 3], "sets": 20},
    },
    chunks=_chunks,
    run=_run,
    pictures=(
        Picture(
            "sample-complexity",
            "appendix, last figure",
            "The first number of rows at which SCI_f/n reaches .05 on at most 5% of independent data sets, as X, Y, Z "
            "or all three grow, and the bound 35 + 2|X||Y|^(2/3)(|Z|+1) the paper suggests.",
            _draw,
        ),
    ),
)  # fmt: skip
