"""Searches for tests of the benchmark; each behaves in a known way."""

from __future__ import annotations

import os
import time
from itertools import combinations, pairwise
from typing import Any

import pandas as pd

from bitsep import DAG, PDAG


def empty(frame: pd.DataFrame) -> PDAG:
    """A graph without edges."""
    return PDAG(frame.columns)


def chain(frame: pd.DataFrame) -> DAG:
    """A path in the order of the columns."""
    names = list(frame.columns)
    return DAG(names, pairwise(names))


def clique(frame: pd.DataFrame) -> PDAG:
    """All edges, undirected: the structural intervention distance takes seconds."""
    return PDAG(frame.columns, undirected=combinations(frame.columns[:12], 2))


def sleep(frame: pd.DataFrame, seconds: float = 60.0) -> PDAG:
    """Take a long time, except for the warm-up."""
    if len(frame) > 100:
        time.sleep(seconds)
    return PDAG(frame.columns)


def fail(frame: pd.DataFrame) -> Any:
    """Raise an error."""
    raise ValueError("too\nbad")


def crash(frame: pd.DataFrame) -> Any:
    """End the process, except in the warm-up."""
    if len(frame) > 100:
        os._exit(3)
    return PDAG(frame.columns)
