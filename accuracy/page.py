"""Writes the page, the plots and the table of all cells from the runs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from accuracy import plots, sections
from accuracy.metrics import TITLES
from accuracy.runs import Runs
from accuracy.summary import Summary

CELLS = "accuracy-cells.csv"


def write(runs: Runs, docs: Path, *, quick: bool = False) -> Path:
    """Write `accuracy.md`, `accuracy-cells.csv` and the plots into a folder of documents; returns the page."""
    summary = Summary(runs)
    images = plots.write(summary, docs / "images")
    parts = [
        sections.introduction(summary, CELLS, quick=quick),
        sections.published_figures(summary),
        sections.over_sizes(summary),
        sections.peers(summary),
        sections.all_searches(summary),
        [f"![{alternative}](images/{file})\n" for file, alternative in images],
        [] if quick else sections.hidden_variables(),
        sections.every_cell(summary),
        sections.rules(),
    ]
    page = docs / "accuracy.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join("\n".join(part) + "\n" for part in parts if part), encoding="utf-8")
    (docs / CELLS).write_text(_cells(summary), encoding="utf-8")
    return page


def _cells(summary: Summary) -> str:
    """One line per cell with the mean and the standard error of every figure."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    figures = [column for name in TITLES for column in (name, f"{name}_se")]
    out.writerow(["search", "network", "rows", "state", "found", "time_outs", "failures", "without_dag", *figures])
    for search in summary.searches:
        for cell in summary.cells(search):
            counts = [len(cell.found), cell.count("time-out"), cell.count("failed")]
            counts.append(sum(run.to_dag is False for run in cell.runs))
            means = [cell.mean(name) for name in TITLES]
            values: list[str] = []
            for mean in means:
                values += ("", "") if mean is None else (f"{mean.value:.5g}", f"{mean.error:.3g}")
            out.writerow([search, cell.network, cell.rows, cell.state, *counts, *values])
    return text.getvalue()
