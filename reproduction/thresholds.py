"""The thresholds that the tests put on conditional mutual information (paper, Sec. 4.3, Fig. 2).

Bits per row. Left |X| = |Y| = |Z| = 4 and a growing number of rows, right 500 rows and a growing |Z|. For fNML it is
the worst case: Z, and Y within Z, as uniform as whole numbers of rows allow.

The Gamma threshold is drawn twice: as the paper prints its distribution (which makes it the G² test), and at half of
that, which is what fits the paper's own sentences about it.

With it go two formulas of the paper that can be checked by calculation: the regret C(2, L), which the appendix gives as
L + L(L−1)/2, and the fNML penalty where every row has its own cell, which Sec. 4.3 gives as |Z||Y|·C(1, k).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import chi2

from bitsep import log2_regret
from reproduction.experiment import Chunk, Experiment, Picture, Row, Settings
from reproduction.methods import METHODS
from reproduction.style import canvas, legend_below, line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMMAS = {  # significance, factor
    "gamma_05": (0.05, 1.0),
    "gamma_001": (0.001, 1.0),
    "gamma_halved_05": (0.05, 0.5),
    "gamma_halved_001": (0.001, 0.5),
}
ROWS_FIXED = 500


def fnml_penalty(n: int, levels: int, strata: int) -> float:
    """Σ log2 C(n_z, levels) with n rows split over the strata as evenly as possible."""
    size, larger = divmod(n, strata)
    return larger * log2_regret(size + 1, levels) + (strata - larger) * log2_regret(size, levels)


def fnml_threshold(n: int, kx: int, ky: int, kz: int) -> float:
    """The worst case in bits per row: what SCI_f asks when Z and Y are uniform.

    >>> round(fnml_threshold(500, 4, 4, 125), 3)
    1.057
    """
    size, larger = divmod(n, kz)
    split = larger * fnml_penalty(size + 1, kx, ky) + (kz - larger) * fnml_penalty(size, kx, ky)
    return (split - fnml_penalty(n, kx, kz)) / n


def qnml_threshold(n: int, kx: int, ky: int, kz: int) -> float:
    """What SCI_q asks, in bits per row."""
    both, x, y, neither = (log2_regret(n, size) for size in (kx * ky * kz, kx * kz, ky * kz, kz))
    return (both - x - y + neither) / n


def gamma_threshold(n: int, df: int, alpha: float) -> float:
    """The upper alpha quantile of Γ(df/2, 1/(n ln 2)), in bits per row."""
    return float(chi2.isf(alpha, df)) / (2 * math.log(2) * n)


def thresholds(n: int, kx: int, ky: int, kz: int) -> dict[str, float]:
    """All thresholds of the figure, by the key of the test."""
    df = (kx - 1) * (ky - 1) * kz
    return {
        "sci_f": fnml_threshold(n, kx, ky, kz),
        "sci_q": qnml_threshold(n, kx, ky, kz),
        "jic": df / 2 * math.log2(n) / n,
    } | {key: factor * gamma_threshold(n, df, alpha) for key, (alpha, factor) in GAMMAS.items()}


def _chunks(settings: Settings) -> list[Chunk]:
    return [{"panel": "rows"}, {"panel": "given"}, {"panel": "formulas"}]


def _run(settings: Settings, chunk: Chunk, rng: np.random.Generator) -> list[Row]:
    if chunk["panel"] == "formulas":
        return _formulas()
    if chunk["panel"] == "rows":
        places = [(n, 4) for n in range(16, settings["most_rows"] + 1, settings["rows_step"])]
    else:
        places = [(ROWS_FIXED, kz) for kz in sorted({2, 125, 200, *range(2, 201, settings["given_step"])})]
    return [
        {"panel": chunk["panel"], "quantity": key, "n": n, "kz": kz, "bits": bits, "printed": None}
        for n, kz in places
        for key, bits in thresholds(n, 4, 4, kz).items()
    ]


def _formulas() -> list[Row]:
    rows: list[Row] = [
        {"panel": "regret", "quantity": "C(2, L)", "n": 2, "kz": size, "bits": 2 ** log2_regret(2, size),
         "printed": size + size * (size - 1) / 2}
        for size in range(2, 11)
    ]  # fmt: skip
    penalty = fnml_penalty(ROWS_FIXED, 4, 4 * 125)
    rows.append({"panel": "penalty", "quantity": "penalty", "n": ROWS_FIXED, "kz": 125, "bits": penalty,
                 "printed": 4 * 125 * 2 ** log2_regret(1, 4)})  # fmt: skip
    return rows


def _draw(results: pd.DataFrame) -> Figure:
    figure, axes = canvas(1, 2, 9.0, 3.9)
    panels: tuple[tuple[str, str, str], ...] = (
        ("rows", "n", "rows (|X| = |Y| = |Z| = 4)"),
        ("given", "kz", "|Z| (500 rows, |X| = |Y| = 4)"),
    )
    for axis, (panel, x, label) in zip(axes[0], panels, strict=True):
        for key in ("sci_f", "sci_q", "jic", *GAMMAS):
            curve = results.query(f"panel == '{panel}' and quantity == '{key}'")
            line(axis, METHODS[key], curve[x], curve["bits"], **_LOOKS.get(key, {}))
        axis.set_yscale("log")
        axis.set_xlabel(label)
        axis.set_ylabel("threshold for CMI (bits per row)")
    axes[0, 1].axvline(125, color="#999999", linewidth=0.8, zorder=0)
    legend_below(figure, axes[0, 0], 4)
    return figure


# Here the tests are known by their codes; both Γ at one significance share a dash, as in the paper.
_LOOKS: dict[str, dict[str, Any]] = {
    "sci_f": {"label": r"fNML ($\mathrm{SCI}_f$), worst case"},
    "sci_q": {"label": r"qNML ($\mathrm{SCI}_q$)"},
    "gamma_05": {"linestyle": "-"},
    "gamma_001": {"linestyle": "--"},
}

EXPERIMENT = Experiment(
    name="thresholds",
    title="Thresholds for conditional mutual information",
    section="Sec. 4.3, Fig. 2",
    text=__doc__,
    seed=1,
    sizes={
        "full": {"most_rows": 2000, "rows_step": 8, "given_step": 1},
        "quick": {"most_rows": 2000, "rows_step": 16, "given_step": 1},
        "tiny": {"most_rows": 500, "rows_step": 100, "given_step": 20},
    },
    chunks=_chunks,
    run=_run,
    pictures=(
        Picture(
            "thresholds",
            "Fig. 2",
            "What each test asks of the conditional mutual information before it says dependent, in bits per row, on "
            "logarithmic scales. Left: all thresholds fall as rows are added. Right: with 500 rows and a growing |Z|, "
            "fNML peaks where every row has a cell of its own (|Z| = 125, gray line) and falls from there, while JIC "
            "and both versions of Γ keep growing. Solid .05, dashed .001.",
            _draw,
        ),
    ),
)
