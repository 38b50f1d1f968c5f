"""Finding all parents of a variable, and the check that is missing there (paper, appendix B.2).

T is a random function of its parents onto 2 to 5 levels (the number is uniform), with 10% uniform noise; 2,000 rows,
200 data sets per distribution and number of parents. The hypergeometric parents draw 4 from a population of 10 with
K successes. Left: each parent is tested against T given the others. Right: three parents, and 1 to 7 independent
uniform noise variables join the given.

Both count only how often a dependence is found: a test that always says dependent would win. So the same data answer a
third question, which the paper does not ask: how often does a test take a noise variable for a parent, given all the
parents?
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from reproduction.draws import DISTRIBUTIONS, cause, effect
from reproduction.experiment import Chunk, Experiment, Picture, Row, Settings
from reproduction.methods import methods
from reproduction.style import canvas, legend_below, line, share_axis
from reproduction.trials import Query, Trials

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMPARED = ("sci_f", "sci_q", "sci_fs", "g2", "g2_ten_rows", "g2_adjusted", "gamma_05", "gamma_halved_05", "jic")
ROWS, NOISE, FIXED_PARENTS = 2000, 0.1, 3


def _chunks(settings: Settings) -> list[Chunk]:
    return [
        {"part": part, "distribution": distribution, "k": k}
        for part in ("parents", "noise")
        for distribution in DISTRIBUTIONS
        for k in settings[part]
    ]


def _run(settings: Settings, chunk: Chunk, rng: np.random.Generator) -> list[Row]:
    parents, extra = (chunk["k"], 1) if chunk["part"] == "parents" else (FIXED_PARENTS, chunk["k"])
    target, noise = parents, [parents + 1 + i for i in range(extra)]
    always = [] if chunk["part"] == "parents" else noise
    recall: list[Query] = [(p, target, [q for q in range(parents) if q != p] + always) for p in range(parents)]
    type_1: list[Query] = [] if always else [(noise[0], target, list(range(parents)))]
    data_sets = []
    for _ in range(settings["sets"]):
        causes = [cause(rng, ROWS, chunk["distribution"]) for _ in range(parents)]
        others = [cause(rng, ROWS, "uniform") for _ in range(extra)]
        data_sets.append([*causes, effect(rng, causes, NOISE), *others])
    dependent = 1 - Trials(data_sets).independent(COMPARED, recall + type_1) / settings["sets"]

    def rows(part: str, shares: np.ndarray) -> list[Row]:
        return [
            {"part": part, "distribution": chunk["distribution"], "k": chunk["k"], "method": method,
             "sets": settings["sets"], "called_dependent": float(share)}
            for method, share in zip(COMPARED, shares, strict=True)
        ]  # fmt: skip

    found = rows(chunk["part"], dependent[:, : len(recall)].mean(axis=1))
    return found + (rows("type 1", dependent[:, len(recall)]) if type_1 else [])


def _draw(results: pd.DataFrame) -> Figure:
    figure, axes = canvas(1, 3, 11.0, 3.7)
    panels = (
        ("parents", "parents", "parents found"),
        ("noise", "noise variables beside 3 parents", "parents found"),
        ("type 1", "parents", "noise taken for a parent"),
    )
    for axis, (part, label, share) in zip(axes[0], panels, strict=True):
        shares = results[results["part"] == part].groupby(["method", "k"])["called_dependent"].mean()
        for method in methods(COMPARED):
            line(axis, method, shares[method.key].index, shares[method.key], markevery=1)
        share_axis(axis, share)
        axis.set_xlabel(label)
        axis.set_xticks(shares[COMPARED[0]].index)
    axes[0, 2].axhline(0.05, color="#999999", linewidth=0.8, linestyle=":")
    legend_below(figure, axes[0, 0], 5)
    return figure


EXPERIMENT = Experiment(
    name="parents",
    title="Identifying the parents",
    section="appendix B.2",
    text=__doc__,
    seed=6,
    sizes={
        "full": {"parents": [*range(2, 8)], "noise": [*range(1, 8)], "sets": 200},
        "quick": {"parents": [*range(2, 8)], "noise": [1, 2, 3, 5, 7], "sets": 10},
        "tiny": {"parents": [2, 5], "noise": [1, 4], "sets": 2},
    },
    chunks=_chunks,
    run=_run,
    pictures=(
        Picture(
            "parents",
            "appendix, parents identified",
            "Left and middle: share of parents found, the mean over four distributions; higher is better. Right, not "
            "in the paper: share of independent noise variables taken for a parent, lower is better (dotted: .05). "
            "SCI_f finds every parent, but with many of them it also finds some that are none; SCI_fs finds as many "
            "without that.",
            _draw,
        ),
    ),
)  # fmt: skip
