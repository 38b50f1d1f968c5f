"""The data, sampled from known and from random networks, each written once to a file that all libraries read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from accuracy.samples import load
from bitsep.graphs import random_dag
from bitsep.networks import random_network

SEED = 1


class Frames:
    """Data frames in a folder; the same arguments give the same file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._largest: tuple[str, pd.DataFrame] | None = None

    def of_network(self, name: str, rows: int, largest: int) -> Path:
        """The first `rows` of `largest` rows drawn from a network of the accuracy benchmark."""
        path = self._folder / f"{name}-{rows}.pkl"
        if not path.exists():
            if self._largest is None or self._largest[0] != name or len(self._largest[1]) < largest:
                self._largest = (name, load(name).sample(largest, seed=SEED))
            self._largest[1].iloc[:rows].to_pickle(path)
        return path

    def of_random_network(self, variables: int, levels: int, rows: int, mean_degree: float) -> Path:
        path = self._folder / f"random-{variables}-{levels}-{rows}-{mean_degree}.pkl"
        if not path.exists():
            network = random_network(
                random_dag(variables, mean_degree=mean_degree, seed=SEED), levels=levels, seed=SEED
            )
            network.sample(rows, seed=SEED).to_pickle(path)
        return path

    def of_queries(
        self, queries: int, given: int, levels: int, rows: int
    ) -> tuple[Path, list[tuple[str, str, list[str]]]]:
        """Columns for tests that share no column, so that no test can reuse the counts of another.

        Y follows X in a hundredth of the rows, so that p-values are neither all 0 nor all 1.
        """
        path = self._folder / f"queries-{queries}-{given}-{levels}-{rows}.pkl"
        asked = [(f"x{i}", f"y{i}", [f"z{i}_{j}" for j in range(given)]) for i in range(queries)]
        if not path.exists():
            rng = np.random.default_rng(SEED)
            columns = {}
            for x, y, z in asked:
                for name in (x, *z):
                    columns[name] = rng.integers(0, levels, rows)
                columns[y] = np.where(rng.random(rows) < 0.01, columns[x], rng.integers(0, levels, rows))
            labels = [str(level) for level in range(levels)]
            pd.DataFrame({k: pd.Categorical.from_codes(v, labels) for k, v in columns.items()}).to_pickle(path)
        return path, asked

    def of_large_domains(self, rows: int) -> Path:
        """X and Y of 1,000 levels, Z of 10,000, as integers."""
        path = self._folder / f"large-{rows}.pkl"
        if not path.exists():
            rng = np.random.default_rng(SEED)
            sizes = {"z": 10_000, "x": 1_000, "y": 1_000}
            frame = pd.DataFrame({k: rng.integers(0, n, rows, dtype=np.int32) for k, n in sizes.items()})
            frame.to_pickle(path)
        return path
