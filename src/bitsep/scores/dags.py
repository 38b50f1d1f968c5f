"""DAGs from graphs of any kind."""

from __future__ import annotations

from typing import Any

from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs import DAG, PDAG


def dag_of(argument: str, graph: Any) -> DAG:
    """The DAG of a network, one of the DAGs that a PDAG represents, or the DAG itself."""
    graph = getattr(graph, "dag", graph)
    if isinstance(graph, DAG):
        return graph
    if not isinstance(graph, PDAG):
        raise UnsupportedTypeError(
            f"{argument}: must be a bitsep.DAG, a bitsep.PDAG or a bitsep.Network, got {type(graph).__name__}."
        )
    dag = graph.consistent_extension()
    if dag is None:
        raise ArgumentError(
            f"{argument}: must represent a DAG; no DAG has these directed edges and v-structures.",
            hint="Direct its edges, and give the DAG.",
        )
    return dag
