"""causal-learn: Python on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from benchmarks.peers.libraries import Job, plain_edges
from causallearn.search.ConstraintBased.PC import pc
from causallearn.utils.cit import CIT

PACKAGE = "causal-learn"


def graph(frame: pd.DataFrame, alpha: float) -> Job:
    """PC-stable with the G² test."""
    names = list(frame.columns)

    def describe(found: Any) -> dict[str, Any]:
        return {"edges": plain_edges((names[i], names[j]) for i, j in zip(*np.nonzero(found.G.graph), strict=True))}

    return Job(lambda: pc(_codes(frame), alpha=alpha, indep_test="gsq", stable=True, show_progress=False), describe)


def single_tests(frame: pd.DataFrame, queries: list[tuple[str, str, list[str]]]) -> Job:
    """G² tests one by one, on encoded columns."""
    index = {name: i for i, name in enumerate(frame.columns)}
    asked = [(index[x], index[y], [index[name] for name in z]) for x, y, z in queries]
    criterion = CIT(_codes(frame), "gsq")
    return Job(lambda: [criterion(x, y, z) for x, y, z in asked], lambda found: [float(p) for p in found])


def warm_up(frame: pd.DataFrame) -> Job:
    return graph(frame, 0.05)


def _codes(frame: pd.DataFrame) -> np.ndarray[Any, Any]:
    return np.column_stack([frame[name].cat.codes for name in frame.columns])
