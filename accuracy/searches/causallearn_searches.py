"""causal-learn: GES and PC."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from causallearn.search.ConstraintBased.PC import pc as run_pc
from causallearn.search.ScoreBased.GES import ges as run_ges

from accuracy.searches.graphs import partly_directed
from bitsep import PDAG

_TAIL, _HEAD = -1, 1


def ges(frame: pd.DataFrame) -> PDAG:
    """Greedy equivalence search with BDeu."""
    return _graph(frame, run_ges(_codes(frame), score_func="local_score_BDeu")["G"].graph)


def pc(frame: pd.DataFrame, alpha: float = 0.05) -> PDAG:
    """PC-stable with the G² test."""
    found = run_pc(_codes(frame), alpha=alpha, indep_test="gsq", stable=True, show_progress=False)
    return _graph(frame, found.G.graph)


def _codes(frame: pd.DataFrame) -> Any:
    return np.column_stack([frame[name].cat.codes for name in frame.columns])


def _graph(frame: pd.DataFrame, marks: Any) -> PDAG:
    """`marks[i, j]` is the mark at i of the edge between i and j."""
    names = list(frame.columns)
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j and marks[i, j] != 0]
    directed = [(names[i], names[j]) for i, j in pairs if marks[j, i] == _HEAD]
    undirected = [(names[i], names[j]) for i, j in pairs if marks[i, j] == marks[j, i] == _TAIL]
    return partly_directed(names, directed, undirected)
