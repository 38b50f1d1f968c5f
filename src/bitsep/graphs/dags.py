"""DAGs from graphs of any kind."""

from __future__ import annotations

from typing import Any

from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs.dag import DAG
from bitsep.graphs.mag import MAG
from bitsep.graphs.pag import PAG
from bitsep.graphs.pdag import PDAG

_KINDS = "DAG, PDAG, Network or Discovery"


def dag_of(argument: str, graph: Any, kinds: str = _KINDS) -> DAG:
    """The DAG itself, one of the DAGs that a PDAG represents, or the DAG of a network or of a discovery.

    A `Network` has it as `dag`, and a `Discovery` gives it by `to_dag()`; both belong to higher layers. `kinds` are
    those that an error names.
    """
    graph = getattr(graph, "dag", graph)
    if isinstance(graph, DAG):
        return graph
    if isinstance(graph, PDAG):
        return _extended(argument, graph)
    found = getattr(graph, "graph", graph)  # of a discovery
    if isinstance(found, PAG | MAG):
        raise UnsupportedTypeError(
            f"{argument}: must be a bitsep.{kinds}, got {type(found).__name__}.",
            hint="It represents graphs with hidden variables, so it has no DAG of the observed variables.",
        )
    make = getattr(graph, "to_dag", None)
    if make is None:
        raise UnsupportedTypeError(f"{argument}: must be a bitsep.{kinds}, got {type(graph).__name__}.")
    dag = make()
    assert isinstance(dag, DAG)
    return dag


def _extended(argument: str, graph: PDAG) -> DAG:
    dag = graph.consistent_extension()
    if dag is None:
        raise ArgumentError(
            f"{argument}: must represent a DAG; no DAG has these directed edges and v-structures.",
            hint="Direct its edges, and give the DAG.",
        )
    return dag
