"""The data of all cases, written once per run, so that both builds read the same files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

import bitsep

SEED = 1
NETWORKS = ("alarm", "insurance", "hailfinder", "win95pts")
ROWS = (1_000, 10_000, 100_000)
QUERIES = 6  # tests that share no column, so that none can reuse the counts of another
GIVEN = 4
SIZES = {"small": (3, 10_000), "medium": (10, 10_000), "large": (1_000, 10_000)}  # levels, rows
CSV_ROWS = 10_000


def write_data(folder: Path) -> None:
    """All frames as ``<name>.pkl``, and one CSV file."""
    folder.mkdir(parents=True, exist_ok=True)
    for network in NETWORKS:
        sample = bitsep.load_network(network).sample(max(ROWS), seed=SEED)
        for rows in ROWS:
            sample.iloc[:rows].to_pickle(folder / f"{network}-{rows}.pkl")
        if network == "alarm":
            sample.iloc[:CSV_ROWS].to_csv(folder / "alarm.csv", index=False)
            sample.iloc[:CSV_ROWS].astype(object).to_pickle(folder / "alarm-text.pkl")
    for size, (levels, rows) in SIZES.items():
        _query_columns(levels, rows).to_pickle(folder / f"{size}.pkl")
    small = _query_columns(*SIZES["small"])
    rng = np.random.default_rng(SEED)
    small.assign(count=rng.integers(1, 100, len(small))).to_pickle(folder / "weighted.pkl")
    small.mask(rng.random(small.shape) < 0.05).to_pickle(folder / "missing.pkl")


def queries(given: int) -> list[tuple[str, str, list[str]]]:
    """The tests on the frames of `SIZES`, each with separate columns."""
    return [(f"x{i}", f"y{i}", [f"z{i}_{j}" for j in range(given)]) for i in range(QUERIES)]


def _query_columns(levels: int, rows: int) -> pd.DataFrame:
    """Y follows X in a twentieth of the rows; everything else is uniform."""
    rng = np.random.default_rng(SEED)
    columns = {}
    for x, y, z in queries(GIVEN):
        for name in (x, *z):
            columns[name] = rng.integers(0, levels, rows)
        columns[y] = np.where(rng.random(rows) < 0.05, columns[x], rng.integers(0, levels, rows))
    return pd.DataFrame(columns)
