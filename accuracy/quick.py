"""The quick run: what it measures, and the ranges in which its figures must lie."""

from __future__ import annotations

from dataclasses import dataclass

from accuracy.metrics import TITLES
from accuracy.plan import DEFAULT, Series
from accuracy.runs import Runs
from accuracy.searches import parse
from accuracy.summary import Summary

SAMPLES = 3
PC = "pc_stable:method=sci_f,orientation=standard"
NETWORKS = {"asia": (200, 1_000), "sachs": (2_000,), "child": (500, 2_000), "alarm": (500,), "mildew": (500,)}
SEARCHES = (DEFAULT, "hill_climb", PC)


@dataclass(frozen=True)
class Range:
    """The mean of a figure over the samples of a quick run must lie between two values."""

    search: str
    network: str
    rows: int
    metric: str
    low: float
    high: float


RANGES = (
    *(
        Range(search, network, rows, metric, low, high)
        for search in (DEFAULT, "hill_climb")
        for network, rows, metric, low, high in (
            ("asia", 1_000, "shd", 0, 5),
            ("sachs", 2_000, "shd", 0, 3),
            ("child", 2_000, "shd", 0, 8),
            ("alarm", 500, "shd", 0, 25),
            ("alarm", 500, "skeleton_f1", 0.75, 1),
        )
    ),
    Range(PC, "asia", 1_000, "shd", 4, 8),
    Range(PC, "sachs", 2_000, "shd", 8, 14),
    Range(PC, "child", 2_000, "shd", 12, 20),
    Range(PC, "alarm", 500, "shd", 16, 28),
)


def plan() -> list[Series]:
    """All searches of bitsep by score, and PC-stable, on small samples of small networks."""
    return [Series(parse(search), name, sizes, SAMPLES) for search in SEARCHES for name, sizes in NETWORKS.items()]


def outside_ranges(runs: Runs) -> list[str]:
    """A sentence for each figure outside its range, and for each run that failed."""
    summary = Summary(runs)
    wrong = []
    for one in RANGES:
        mean = summary.cell(one.search, one.network, one.rows).mean(one.metric)
        if mean is None or not one.low <= mean.value <= one.high:
            got = "none" if mean is None else f"{mean.value:.3f}"
            wrong.append(
                f"{one.search}, {one.network}, {one.rows} rows: {TITLES[one.metric]} must lie in "
                f"[{one.low}, {one.high}], got {got}."
            )
    for run in runs:
        where = f"{run.search}, {run.network}, {run.rows} rows, sample {run.sample}"
        if run.outcome != "found":
            wrong.append(f"{where}: {run.message or run.outcome}")
        elif run.to_dag is False:
            wrong.append(f"{where}: to_dag() gives no DAG.")
    return wrong
