"""Writes the page, the plot and the table of all figures from the results."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from calibration import plots, sections
from calibration.cells import ALPHAS, POWER_ALPHA, Sizes
from calibration.figures import Share, levels, shares
from calibration.results import Result
from calibration.sections import TESTS
from calibration.simulate import SUBJECT

CELLS = "calibration-cells.csv"
_ADMISSIBLE = [f"admissible_{alpha}" for alpha in ALPHAS]


def write(results: Sequence[Result], sizes: Sizes, docs: Path) -> Path:
    """Write `calibration.md`, `calibration-cells.csv` and the plot into a folder of documents; returns the page."""
    docs.mkdir(parents=True, exist_ok=True)
    image = plots.write(results, docs / "images")
    parts = [
        sections.introduction(results, sizes, CELLS),
        sections.kept(results),
        sections.every_test(results),
        [f"![Type I error at a significance level of 5% by rows per cell, for four tests](images/{image})", ""],
        sections.reading(),
        sections.every_cell(results),
        sections.sources(results),
        sections.rules(sizes),
    ]
    page = docs / "calibration.md"
    page.write_text("\n".join("\n".join(part) for part in parts), encoding="utf-8")
    (docs / CELLS).write_text(_cells(results), encoding="utf-8")
    return page


def _cells(results: Sequence[Result]) -> str:
    """One line for each cell and test; tests without a significance level have one type I error, under 0.05."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    figures = [f"{what}_{alpha}" for alpha in ALPHAS for what in ("error", "low", "high")]
    out.writerow(["margins", "levels", "strata", "rows", "test", *figures, "power", "low", "high", *_ADMISSIBLE])
    for result in results:
        cell = [result.cell.margins, result.cell.levels, result.cell.strata, result.cell.rows]
        for test in TESTS:
            errors = shares(result.independent, test)
            shown = errors if len(errors) > 1 else [errors[0] if alpha == POWER_ALPHA else None for alpha in ALPHAS]
            values = [value for share in (*shown, shares(result.dependent, test)[0]) for value in _values(share)]
            admissible = [one.is_admissible for one in levels(result)] if test == SUBJECT else [""] * len(ALPHAS)
            out.writerow([*cell, test, *values, *admissible])
    return text.getvalue()


def _values(share: Share | None) -> list[str]:
    """The share with its 99.9% interval."""
    return [""] * 3 if share is None else [f"{value:.4g}" for value in (share.value, *share.interval)]
