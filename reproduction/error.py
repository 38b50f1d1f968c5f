"""The error of SCI_f and of the plug-in on independent data, and the rows they need (paper, Sec. 4.4, Fig. 3).

X, Y and Z are uniform over all combinations, so the true conditional mutual information is 0 and an estimate is its own
error. SCI_f is cut at 0 and divided by the number of rows; the mean is over 1,000 data sets.

The numbers 52, 72, 140 and 684 for (2, 2, 4) come from a search: the first number of rows at which at most 5% of 1,000
data sets have an estimate of ε or more, from 4 rows in steps of 2. A search ends at its first lucky draw, so its answer
is random. We repeat it, once with new data sets at every step and once with data sets that grow, and compare
the paper's number with the middle 90% of the answers.

The bound is about SCI_f/n reaching .05. A verdict asks whether it exceeds 0, which is more; so the share of independent
data sets that SCI_f calls dependent is recorded too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bitsep import sample_size_bound
from reproduction.draws import independent_uniform
from reproduction.experiment import Chunk, Experiment, Picture, Row, Settings
from reproduction.methods import METHODS
from reproduction.searches import Domain, estimate, first_rows, fresh, nested, x_y_given_z
from reproduction.style import canvas, legend_below, line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SMALL, LARGE = (2, 2, 4), (4, 4, 16)
FLOOR = 1e-5
SEARCHES = {
    "sci_f .05": ("sci_f", 0.05),
    "sci_f .01": ("sci_f", 0.01),
    "plug_in .05": ("plug_in", 0.05),
    "plug_in .01": ("plug_in", 0.01),
}
DRAWS = {"fresh": fresh, "nested": nested}


def _chunks(settings: Settings) -> list[Chunk]:
    errors: list[Chunk] = [
        {"domain": domain, "n": n}
        for domain, key in ((SMALL, "small_rows"), (LARGE, "large_rows"))
        for n in settings[key]
    ]
    searches: list[Chunk] = [
        {"search": search, "draws": draws, "repeat": repeat}
        for draws in DRAWS
        for search in SEARCHES
        for repeat in range(settings[draws])
    ]
    return errors + searches


def _run(settings: Settings, chunk: Chunk, rng: np.random.Generator) -> list[Row]:
    if "search" not in chunk:
        return _errors(rng, chunk["domain"], chunk["n"], settings["sets"])
    statistic, epsilon = SEARCHES[chunk["search"]]
    draw = DRAWS[chunk["draws"]](rng, SMALL, settings["search_sets"])
    n = first_rows(draw, SMALL, statistic, epsilon, 0.05, settings["search_sets"])
    return [_row(SMALL, chunk["search"], n, chunk["draws"], chunk["repeat"])]


def _errors(rng: np.random.Generator, domain: Domain, n: int, sets: int) -> list[Row]:
    results = x_y_given_z([independent_uniform(rng, n, *domain) for _ in range(sets)])
    errors = {name: np.array([estimate(name, result) for result in results]) for name in ("sci_f", "plug_in")}
    wrong = float(np.mean([not result.independent for result in results]))
    return [
        _row(domain, f"error {name}", n)
        | {"error": float(e.mean()), "error_sd": float(e.std()), "called_dependent": wrong if name == "sci_f" else None}
        for name, e in errors.items()
    ]


def _row(domain: Domain, quantity: str, n: int, draws: str = "", repeat: int = 0) -> Row:
    kx, ky, kz = domain
    bound = float(np.ceil(sample_size_bound(kx, ky, kz)))
    return {
        "quantity": quantity,
        "kx": kx,
        "ky": ky,
        "kz": kz,
        "n": n,
        "draws": draws,
        "repeat": repeat,
        "bound": bound,
    }


def _draw(results: pd.DataFrame) -> Figure:
    figure, axes = canvas(1, 2, 9.0, 3.8, sharey=True)
    for axis, (kx, _, kz) in zip(axes[0], (SMALL, LARGE), strict=True):
        here = results[results["kx"] == kx]
        for key, quantity, label in (
            ("sci_f", "error sci_f", r"$\mathrm{SCI}_f/n$"),
            ("g2", "error plug_in", "plug-in"),
        ):
            curve = here[here["quantity"] == quantity]
            line(axis, METHODS[key], curve["n"], np.maximum(curve["error"], FLOOR), label=label)
        axis.axvline(here["bound"].iloc[0], color="#999999", linewidth=0.9, linestyle="--", label="the paper's bound")
        axis.set_title(f"|X| = |Y| = {kx}, |Z| = {kz}")
        axis.set_yscale("log")
        axis.set_ylim(FLOOR * 0.8, 1.5)
        axis.set_xlabel("rows")
    axes[0, 0].set_ylabel("mean absolute error (bits)")
    legend_below(figure, axes[0, 0], 3)
    return figure


def _draw_searches(results: pd.DataFrame) -> Figure:
    figure, axes = canvas(1, 1, 7.2, 3.2)
    axis = axes[0, 0]
    paper = {"sci_f .05": 52, "sci_f .01": 72, "plug_in .05": 140, "plug_in .01": 684}
    for place, search in enumerate(SEARCHES):
        for shift, (draws, color) in enumerate((("fresh", "#0072B2"), ("nested", "#E69F00"))):
            found = results.query(f"quantity == '{search}' and draws == '{draws}'")["n"]
            offsets = place + (shift - 0.5) * 0.24 + np.linspace(-0.07, 0.07, len(found))
            label = f"{draws} data sets" if place == 0 else None
            axis.plot(offsets, found, "o", color=color, alpha=0.6, markersize=4, label=label)
        axis.plot([place - 0.36, place + 0.36], [paper[search]] * 2, color="black", label=None if place else "paper")
    axis.axhline(67, color="#999999", linewidth=0.9, linestyle="--", label="the paper's bound for ε = .05")
    axis.set_yscale("log")
    axis.set_yticks([50, 70, 100, 200, 400, 700], ["50", "70", "100", "200", "400", "700"])
    axis.minorticks_off()
    names = [r"$\mathrm{SCI}_f/n$", r"$\mathrm{SCI}_f/n$", "plug-in", "plug-in"]
    labels = [f"{name}, ε = {s.split()[1]}" for name, s in zip(names, SEARCHES, strict=True)]
    axis.set_xticks(range(len(labels)), labels)
    axis.set_ylabel("first rows that suffice")
    legend_below(figure, axis, 4)
    return figure


_FULL = {
    "small_rows": [*range(10, 61, 10), 67, *range(70, 100, 10), *range(100, 1001, 50)],
    "large_rows": [*range(20, 200, 20), 200, 300, 378, *range(400, 2501, 100)],
    "sets": 1000,
    "search_sets": 1000,
    "fresh": 20,
    "nested": 10,
}

EXPERIMENT = Experiment(
    name="error",
    title="Error on independent data",
    section="Sec. 4.4, Fig. 3",
    text=__doc__,
    seed=2,
    sizes={
        "full": _FULL,
        "quick": _FULL | {"small_rows": [10, 20, 30, 50, 67, 100, 150, 200, 300, 500, 1000], "sets": 200,
                          "large_rows": [20, 50, 100, 200, 300, 378, 500, 700, 1000, 1500, 2500],
                          "search_sets": 200, "fresh": 4, "nested": 2},
        "tiny": _FULL | {"small_rows": [20, 100, 500], "large_rows": [50, 500], "sets": 10, "search_sets": 20,
                         "fresh": 1, "nested": 1},
    },
    chunks=_chunks,
    run=_run,
    pictures=(
        Picture(
            "error",
            "Fig. 3",
            "Mean estimate where the truth is 0, against the number of rows; values below 10⁻⁵ are drawn at 10⁻⁵. The "
            "plug-in stays far above zero for thousands of rows; SCI_f drops to it near the paper's bound (dashed).",
            _draw,
        ),
        Picture(
            "error-searches",
            "Sec. 4.4",
            "Each dot is one search for the rows that suffice at δ = .05, for |X| = |Y| = 2, |Z| = 4; black: the "
            "number the paper prints. The dots scatter because a search ends at its first lucky draw.",
            _draw_searches,
        ),
    ),
)  # fmt: skip
