"""One small file per library: how to run its search, single tests and Markov blankets.

A job is a function ``job(frame, **arguments)`` that prepares what is not timed and returns a `Job`: what is timed, and
how to describe its outcome in plain values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

import bitsep

Edges = list[tuple[str, str]]


@dataclass(frozen=True)
class Job:
    """`run` is timed; `describe` turns its outcome into something that fits into JSON, untimed.

    `ready`, untimed as well, comes right before `run`, whose argument is what it returns, if there is one.
    """

    run: Callable[..., Any]
    describe: Callable[[Any], Any] = lambda outcome: None
    ready: Callable[[], Any] | None = None


def describe_dag(frame: pd.DataFrame, dag: bitsep.DAG) -> dict[str, Any]:
    """The number of edges of a DAG, and its BIC in bits."""
    score = bitsep.score(frame, dag, score="bic", structure=False)
    return {"edges": len(dag.edges), "bic": score.total_bits}


def plain_edges(pairs: Any) -> Edges:
    """Undirected pairs in sorted order, so that the edges of two libraries can be compared."""
    return sorted({tuple(sorted(map(str, pair))) for pair in pairs})
