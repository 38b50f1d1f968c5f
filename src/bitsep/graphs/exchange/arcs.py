"""Graph objects of other libraries: networkx and igraph.

Both graphs are directed; an undirected edge is a pair of opposite arcs, as in the matrices of most causal libraries.
Each arc also has the attribute `directed`, for information; it is not used for reading, so graphs of other programs
can be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bitsep.errors import UnsupportedTypeError
from bitsep.graphs.base import Edges, Graph, python_name
from bitsep.naming import Name
from bitsep.optional import require


def to_networkx(graph: Graph) -> Any:
    networkx = require("networkx", "to_networkx", "networkx")
    result = networkx.DiGraph()
    result.add_nodes_from(graph.variables)
    for a, sign, b in graph.edge_lines():
        result.add_edge(a, b, directed=sign == "→")
        if sign == "—":
            result.add_edge(b, a, directed=False)
    return result


def from_networkx(graph: Any) -> Edges:
    if not all(hasattr(type(graph), method) for method in ("is_directed", "nodes", "edges")):
        raise UnsupportedTypeError(f"graph: must be a networkx graph, got {type(graph).__name__}.")
    arcs = [(python_name(a), python_name(b)) for a, b in graph.edges()]
    directed, undirected = _split(arcs) if graph.is_directed() else ([], arcs)
    return list(graph.nodes()), directed, undirected


def to_igraph(graph: Graph) -> Any:
    igraph = require("igraph", "to_igraph", "report")
    number = {name: i for i, name in enumerate(graph.variables)}
    arcs = []
    flags = []
    for a, sign, b in graph.edge_lines():
        arcs.append((number[a], number[b]))
        if sign == "—":
            arcs.append((number[b], number[a]))
        flags += [True] if sign == "→" else [False, False]
    result = igraph.Graph(n=len(number), edges=arcs, directed=True)
    # igraph finds vertices by `name`, which is text; `variable` is the original name, for instance an integer.
    result.vs["name"] = [str(name) for name in graph.variables]
    result.vs["variable"] = list(graph.variables)
    result.es["directed"] = flags
    return result


def from_igraph(graph: Any) -> Edges:
    if not all(hasattr(type(graph), method) for method in ("is_directed", "get_edgelist", "vs")):
        raise UnsupportedTypeError(f"graph: must be an igraph graph, got {type(graph).__name__}.")
    attributes = graph.vs.attributes()
    key = next((key for key in ("variable", "name") if key in attributes), None)
    names: list[Name] = [python_name(name) for name in graph.vs[key]] if key else list(range(graph.vcount()))
    arcs = [(names[i], names[j]) for i, j in graph.get_edgelist()]
    directed, undirected = _split(arcs) if graph.is_directed() else ([], arcs)
    return names, directed, undirected


def _split(arcs: Iterable[tuple[Name, Name]]) -> tuple[list[tuple[Name, Name]], list[tuple[Name, Name]]]:
    """Directed and undirected edges: two opposite arcs are one undirected edge."""
    arcs = list(arcs)
    known = set(arcs)
    directed = []
    undirected: dict[frozenset[Name], tuple[Name, Name]] = {}
    for a, b in arcs:
        if a != b and (b, a) in known:
            undirected.setdefault(frozenset((a, b)), (a, b))
        else:
            directed.append((a, b))
    return directed, list(undirected.values())
