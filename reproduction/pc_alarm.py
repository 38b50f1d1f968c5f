"""PC-stable on the Alarm network (paper, Sec. 5.3, Fig. 6).

10 samples per number of rows, the same samples for every test; F1 of the undirected skeleton against the network's.
Significance .05 where a test has one; no extra demand for SCI. PC-stable stops at the first separator.

Two tests go beyond the paper: G² with its degrees of freedom counted from occupied rows and columns only (as several
libraries do today), and the halved Γ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bitsep import pc_stable
from reproduction import alarm
from reproduction.experiment import Chunk, Experiment, Picture, Row, Settings
from reproduction.methods import methods
from reproduction.style import canvas, legend_below

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _run(settings: Settings, chunk: Chunk, rng: np.random.Generator) -> list[Row]:
    data = alarm.sample(rng, chunk["n"])
    rows: list[Row] = []
    for method in methods(alarm.COMPARED):
        found = pc_stable(data, method.name, method.alpha, threads=1, orientation="standard")
        score = found.compare(alarm.network())
        rows.append(
            {"n": chunk["n"], "run": chunk["run"], "method": method.key, "f1": score.f1,
             "precision": score.precision, "recall": score.recall, "tests_run": found.tests_run}
        )  # fmt: skip
    return rows


def _draw(results: pd.DataFrame) -> Figure:
    figure, axes = canvas(1, 1, 7.2, 4.4)
    alarm.curves(axes[0, 0], results, "f1")
    legend_below(figure, axes[0, 0], 4)
    return figure


EXPERIMENT = Experiment(
    name="pc-alarm",
    title="PC-stable on Alarm",
    section="Sec. 5.3, Fig. 6",
    text=__doc__,
    seed=7,
    sizes=alarm.SIZES,
    chunks=alarm.chunks,
    run=_run,
    pictures=(
        Picture(
            "pc-alarm",
            "Fig. 6",
            "F1 of the skeleton that PC-stable finds on samples of Alarm; mean over runs, band: one standard "
            "deviation. SCI_f leads the paper's field, most where rows are few. G² with adjusted degrees of freedom, "
            "which the paper did not try, runs level with it.",
            _draw,
        ),
    ),
)  # fmt: skip
