"""Graphs and Markov blankets of Alarm, bitsep alone, from the data frame, one thread.

`extra_info["promised_seconds"]` holds what was promised for a quiet machine with AVX-512, where something was.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest

import bitsep

ROUNDS = 7


@cache
def alarm(n: int) -> pd.DataFrame:
    return bitsep.load_network("alarm").sample(n, seed=1)


def whole_graph(frame: pd.DataFrame, method: str = "sci_f") -> bitsep.Discovery:
    """From the data frame to the graph, which a discovery computes lazily."""
    found = bitsep.pc_stable(frame, method=method, threads=1, orientation="standard")
    assert found.graph.variables
    return found


def rounds_for(n: int) -> int:
    return 100 if n <= 1_000 else ROUNDS  # a few milliseconds need many rounds


@pytest.mark.parametrize(("n", "promised"), [(1_000, 0.004), (10_000, 0.026), (100_000, 0.35)])
def bench_pc_stable_sci_f(benchmark: Any, n: int, promised: float) -> None:
    frame = alarm(n)
    benchmark.extra_info["promised_seconds"] = promised
    found = benchmark.pedantic(whole_graph, (frame,), rounds=rounds_for(n), warmup_rounds=3)
    benchmark.extra_info["tests"] = found.tests_run


@pytest.mark.parametrize("n", [1_000, 10_000, 100_000])
def bench_pc_stable_g2_adjusted(benchmark: Any, n: int) -> None:
    frame = alarm(n)
    found = benchmark.pedantic(whole_graph, (frame, "g2_adjusted"), rounds=rounds_for(n), warmup_rounds=3)
    benchmark.extra_info["tests"] = found.tests_run


@pytest.mark.parametrize(("n", "promised"), [(1_000, 0.09), (5_000, 0.18)])
def bench_all_blankets_pcmb(benchmark: Any, n: int, promised: float) -> None:
    frame = alarm(n)
    benchmark.extra_info["promised_seconds"] = promised
    found = benchmark.pedantic(bitsep.markov_blankets, (frame,), {"threads": 1}, rounds=ROUNDS, warmup_rounds=1)
    assert len(found) == 37


@pytest.mark.parametrize("algorithm", ["pcmb", "inter_iamb", "mmmb", "hiton_mb"])
def bench_one_blanket(benchmark: Any, algorithm: str) -> None:
    benchmark.pedantic(
        bitsep.markov_blanket,
        (alarm(5_000), "CO", algorithm),
        {"threads": 1},
        rounds=ROUNDS,
        warmup_rounds=1,
    )
