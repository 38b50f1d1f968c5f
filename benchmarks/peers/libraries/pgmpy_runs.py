"""pgmpy: Python on NumPy and pandas."""

from __future__ import annotations

from typing import Any

import pandas as pd
from benchmarks.peers.libraries import Job, plain_edges
from pgmpy.causal_discovery import PC
from pgmpy.ci_tests import GSq

PACKAGE = "pgmpy"


def graph(frame: pd.DataFrame, alpha: float) -> Job:
    """PC-stable with the G² test, without its default limit of five conditioning variables."""

    def run() -> Any:
        search = PC(
            variant="stable",
            ci_test="g_sq",
            significance_level=alpha,
            max_cond_vars=frame.shape[1],
            n_jobs=1,
            show_progress=False,
        )
        return search.fit(frame)

    return Job(run, lambda search: {"edges": plain_edges(search.skeleton_.edges())})


def single_tests(frame: pd.DataFrame, queries: list[tuple[str, str, list[str]]]) -> Job:
    """G² tests one by one, on encoded columns."""
    criterion = GSq(frame)

    def run() -> list[float]:
        found = []
        for x, y, z in queries:
            criterion(x, y, z, significance_level=0.05)
            found.append(float(criterion.p_value_))
        return found

    return Job(run, list)


def warm_up(frame: pd.DataFrame) -> Job:
    return graph(frame, 0.05)
