"""Markov blankets of the Alarm network with PCMB (paper, Sec. 5.3, Fig. 7).

The blankets of all 37 variables on 10 samples per number of rows, the same samples for every test. Precision and recall
are taken over all members of all blankets of a sample together; with no member found at all, precision is 1.

PCMB as Peña et al. (2007) give it; dependence is graded by the score in bits for every test. The paper's text speaks of
four tests and its caption of five; here are all, and the two of the experiment "pc-alarm" that go beyond the paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bitsep import markov_blankets
from reproduction import alarm
from reproduction.experiment import Chunk, Experiment, Picture, Row, Settings
from reproduction.methods import methods
from reproduction.style import canvas, legend_below

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _run(settings: Settings, chunk: Chunk, rng: np.random.Generator) -> list[Row]:
    data = alarm.sample(rng, chunk["n"])
    truth = {variable: alarm.network().markov_blanket(variable) for variable in alarm.network().variables}
    rows: list[Row] = []
    for method in methods(alarm.COMPARED):
        blankets = markov_blankets(data, "pcmb", method.name, method.alpha, threads=1)
        found = sum(len(blanket.members) for blanket in blankets.values())
        right = sum(len(truth[variable].intersection(blanket.members)) for variable, blanket in blankets.items())
        rows.append(
            {"n": chunk["n"], "run": chunk["run"], "method": method.key,
             "precision": right / found if found else 1.0, "recall": right / sum(map(len, truth.values()))}
        )  # fmt: skip
    return rows


def _draw(results: pd.DataFrame) -> Figure:
    figure, axes = canvas(1, 2, 9.6, 4.2)
    for axis, column in zip(axes[0], ("precision", "recall"), strict=True):
        alarm.curves(axis, results, column)
    legend_below(figure, axes[0, 0], 4)
    return figure


EXPERIMENT = Experiment(
    name="pcmb-alarm",
    title="Markov blankets of Alarm with PCMB",
    section="Sec. 5.3, Fig. 7",
    text=__doc__,
    seed=8,
    sizes=alarm.SIZES,
    chunks=alarm.chunks,
    run=_run,
    pictures=(
        Picture(
            "pcmb-alarm",
            "Fig. 7",
            "Precision (left) and recall (right) of all Markov blankets of Alarm; mean over runs, band: one standard "
            "deviation. Precision is high for every test that guards against chance; recall is what tells them apart.",
            _draw,
        ),
    ),
)
