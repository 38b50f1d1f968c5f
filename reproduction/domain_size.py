"""d-separation as all domains grow (paper, Sec. 5.2, Fig. 5; appendix A.3 adds SCI_fs).

The data of the experiment "d-separation" with 2,000 rows and 10% noise, where every variable has k levels, k = 2 … 20.
200 data sets each; accuracy as there. |Z| = k² for the independence that is to be found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from reproduction.d_separation import cell
from reproduction.experiment import Chunk, Experiment, Picture, Row, Settings
from reproduction.methods import methods
from reproduction.style import canvas, legend_below, line, share_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMPARED = ("sci_f", "sci_q", "sci_fs", "g2", "gamma_05", "gamma_halved_05", "jic")


def _chunks(settings: Settings) -> list[Chunk]:
    return [{"levels": levels} for levels in settings["levels"]]


def _run(settings: Settings, chunk: Chunk, rng: np.random.Generator) -> list[Row]:
    return cell(rng, 2000, chunk["levels"], 0.1, settings["sets"], COMPARED)


def _draw(results: pd.DataFrame) -> Figure:
    figure, axes = canvas(1, 1, 7.0, 4.0)
    for method in methods(COMPARED):
        curve = results[results["method"] == method.key]
        line(axes[0, 0], method, curve["levels"], curve["accuracy"], markevery=1)
    axes[0, 0].set_xlabel("domain size of all variables")
    axes[0, 0].set_xticks(range(2, 21, 2))
    share_axis(axes[0, 0], "accuracy")
    axes[0, 0].set_ylim(0.35, 1.03)
    legend_below(figure, axes[0, 0], 4)
    return figure


EXPERIMENT = Experiment(
    name="domain-size",
    title="Changing the domain size",
    section="Sec. 5.2, Fig. 5; appendix A.3",
    text=__doc__,
    seed=5,
    sizes={
        "full": {"levels": [*range(2, 21)], "sets": 200},
        "quick": {"levels": [2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20], "sets": 20},
        "tiny": {"levels": [2, 4, 12], "sets": 3},
    },
    chunks=_chunks,
    run=_run,
    pictures=(
        Picture(
            "domain-size",
            "Fig. 5, and the same figure of the appendix with SCI_fs",
            "Accuracy with 2,000 rows and 10% noise as every domain grows. At .5 a test calls everything independent. "
            "Γ .05 as printed lies under G².",
            _draw,
        ),
    ),
)
