"""Graph objects of other libraries: networkx and igraph.

Both graphs are directed; an undirected edge is a pair of opposite arcs, as in the matrices of most causal libraries.
Each arc also has the attribute `directed`, for information; it is not used for reading, so graphs of other programs
can be read. The other edges of a PAG are one arc each, with their sign in the attribute `mark`, which is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bitsep.errors import UnsupportedTypeError
from bitsep.graphs.base import Edges, Graph, SignedEdge, python_name
from bitsep.graphs.exchange.attributes import NONE, EdgeAttributes
from bitsep.graphs.exchange.signs import signed
from bitsep.naming import Name
from bitsep.optional import require


def to_networkx(graph: Graph, attributes: EdgeAttributes = NONE) -> Any:
    networkx = require("networkx", "to_networkx", "networkx")
    result = networkx.DiGraph()
    result.add_nodes_from(graph.variables)
    for a, sign, b in graph.edge_lines():
        more: dict[str, Any] = {} if sign in ("→", "—") else {"mark": sign}
        more |= attributes.get(frozenset((a, b)), {})
        result.add_edge(a, b, directed=sign == "→", **more)
        if sign == "—":
            result.add_edge(b, a, directed=False, **more)
    return result


def from_networkx(graph: Any) -> Edges:
    if not all(hasattr(type(graph), method) for method in ("is_directed", "nodes", "edges")):
        raise UnsupportedTypeError(f"graph: must be a networkx graph, got {type(graph).__name__}.")
    arcs = [(python_name(a), python_name(b), marks.get("mark")) for a, b, marks in graph.edges(data=True)]
    return list(graph.nodes()), _edges(arcs, graph.is_directed())


def to_igraph(graph: Graph) -> Any:
    igraph = require("igraph", "to_igraph", "report")
    number = {name: i for i, name in enumerate(graph.variables)}
    arcs = []
    signs = []
    for a, sign, b in graph.edge_lines():
        arcs.append((number[a], number[b]))
        if sign == "—":
            arcs.append((number[b], number[a]))
        signs += [sign] * (2 if sign == "—" else 1)
    result = igraph.Graph(n=len(number), edges=arcs, directed=True)
    # igraph finds vertices by `name`, which is text; `variable` is the original name, for instance an integer.
    result.vs["name"] = [str(name) for name in graph.variables]
    result.vs["variable"] = list(graph.variables)
    result.es["directed"] = [sign == "→" for sign in signs]
    if not {"→", "—"}.issuperset(signs):
        result.es["mark"] = [None if sign in ("→", "—") else sign for sign in signs]
    return result


def from_igraph(graph: Any) -> Edges:
    if not all(hasattr(type(graph), method) for method in ("is_directed", "get_edgelist", "vs")):
        raise UnsupportedTypeError(f"graph: must be an igraph graph, got {type(graph).__name__}.")
    attributes = graph.vs.attributes()
    key = next((key for key in ("variable", "name") if key in attributes), None)
    names: list[Name] = [python_name(name) for name in graph.vs[key]] if key else list(range(graph.vcount()))
    signs = graph.es["mark"] if "mark" in graph.es.attributes() else [None] * graph.ecount()
    arcs = [(names[i], names[j], sign) for (i, j), sign in zip(graph.get_edgelist(), signs, strict=True)]
    return names, _edges(arcs, graph.is_directed())


def _edges(arcs: Iterable[tuple[Name, Name, Any]], is_directed: bool) -> list[SignedEdge]:
    """The edges: two opposite arcs without a known sign are one undirected edge."""
    arcs = list(arcs)
    if not is_directed:
        return [signed(a, sign, b) or (a, "—", b) for a, b, sign in arcs]
    plain = {(a, b) for a, b, sign in arcs if signed(a, sign, b) is None}
    edges = []
    seen: set[tuple[Name, Name]] = set()
    for a, b, sign in arcs:
        edge = signed(a, sign, b)
        if edge is not None:
            edges.append(edge)
        elif a == b or (b, a) not in plain:
            edges.append((a, "→", b))
        elif (b, a) not in seen:
            seen.add((a, b))
            edges.append((a, "—", b))
    return edges
