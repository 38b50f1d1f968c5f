"""How far a graph is from the truth."""

from __future__ import annotations

from bitsep import DAG, PDAG
from bitsep.graphs import compare

MAX_SID_VARIABLES = 80
"""The structural intervention distance of larger graphs takes too long."""

TITLES = {
    "shd": "CPDAG SHD",
    "cpdag_f1": "CPDAG F1",
    "skeleton_f1": "skeleton F1",
    "arrow_f1": "arrow F1",
    "sid_lower": "SID, lower bound",
    "sid_upper": "SID, upper bound",
    "seconds": "seconds",
}
"""The figures of a run, and their titles."""


def measure(found: DAG | PDAG, truth: DAG) -> dict[str, float]:
    """Compare the CPDAG of a search with that of the true DAG. A DAG is compared by its CPDAG."""
    graph = _pattern(found, truth)
    comparison = compare(graph, truth)
    return {
        "shd": comparison.shd,
        "cpdag_f1": cpdag_f1(graph, truth.cpdag()),
        "skeleton_f1": comparison.f1,
        "arrow_f1": comparison.arrow_f1,
    }


def measure_sid(found: DAG | PDAG, truth: DAG) -> dict[str, int]:
    """The bounds of the structural intervention distance (SID); empty for large graphs.

    A DAG, too, has the bounds of its CPDAG: data alone do not tell the DAGs of an equivalence class apart.
    """
    if len(truth.variables) > MAX_SID_VARIABLES:
        return {}
    bounds = compare(_pattern(found, truth), truth).sid
    return {"sid_lower": bounds.lower, "sid_upper": bounds.upper}


def cpdag_f1(found: PDAG, truth: PDAG) -> float:
    """The F1 of edges with their marks.

    An edge with the same mark (→, ← or —) in both graphs is a true positive; an edge with another mark is one false
    positive and one false negative. Two graphs without edges have an F1 of 1.
    """
    claimed, true = set(found.edge_lines()), set(truth.edge_lines())
    return 2 * len(claimed & true) / (len(claimed) + len(true)) if claimed or true else 1.0


def _pattern(found: DAG | PDAG, truth: DAG) -> PDAG:
    """The CPDAG of a search; variables that it left out, because almost every row has its own level, have no edges."""
    graph = found.cpdag() if isinstance(found, DAG) else found
    left_out = set(truth.variables) - set(graph.variables)
    return PDAG([*graph.variables, *left_out], graph.directed, graph.undirected) if left_out else graph
