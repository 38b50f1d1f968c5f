"""One test at a time, bitsep alone, from an encoded table.

`extra_info["promised_seconds"]` holds what was promised for a quiet machine, where something was.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import bitsep

METHODS = ("sci_f", "g2_adjusted")


def independent_columns(n: int, levels: int, names: list[str]) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    labels = [str(level) for level in range(levels)]
    return pd.DataFrame({name: pd.Categorical.from_codes(rng.integers(0, levels, n), labels) for name in names})


def measure(benchmark: Any, frame: pd.DataFrame, given: list[str], method: str, rounds: int) -> None:
    # A new table every time, because bitsep caches the counts of a table.
    benchmark.pedantic(
        bitsep.independence_test,
        setup=lambda: ((bitsep.Table(frame), "x", "y"), {"given": given, "method": method}),
        rounds=rounds,
    )


@pytest.mark.parametrize("method", METHODS)
def bench_a_million_rows_three_given_of_four_levels(benchmark: Any, method: str) -> None:
    frame = independent_columns(10**6, 4, ["x", "y", "a", "b", "c"])
    benchmark.extra_info["promised_seconds"] = 0.060
    measure(benchmark, frame, ["a", "b", "c"], method, rounds=5)


@pytest.mark.parametrize("given", [0, 1, 2, 3])
@pytest.mark.parametrize("n", [1_000, 10_000, 100_000])
def bench_three_levels(benchmark: Any, n: int, given: int) -> None:
    names = ["a", "b", "c"][:given]
    measure(benchmark, independent_columns(n, 3, ["x", "y", *names]), names, "sci_f", rounds=20)


@pytest.mark.parametrize("levels", [2, 5, 10, 20, 50])
def bench_domain_sizes(benchmark: Any, levels: int) -> None:
    measure(benchmark, independent_columns(10_000, levels, ["x", "y", "a"]), ["a"], "sci_f", rounds=20)


@pytest.mark.parametrize("method", METHODS)
def bench_large_domains(benchmark: Any, method: str) -> None:
    """X and Y of 1,000 levels, Z of 10,000, a million rows: counted by sorting."""
    rng = np.random.default_rng(0)
    sizes = {"x": 1_000, "y": 1_000, "z": 10_000}
    frame = pd.DataFrame({name: rng.integers(0, size, 10**6) for name, size in sizes.items()})
    measure(benchmark, frame, ["z"], method, rounds=3)
