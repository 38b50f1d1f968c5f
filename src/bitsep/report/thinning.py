"""Which edges of a dense graph to draw: a drawing with thousands of lines takes minutes and cannot be read."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bitsep.discovery import Discovery
from bitsep.graphs import PAG, PDAG
from bitsep.naming import Name

Pair = frozenset[Name]


def strengths(discovery: Discovery) -> dict[Pair, float]:
    """The strength of each edge in bits; infinite for an edge that knowledge requires."""
    found = {}
    for pair, evidence in discovery.edges.items():
        found[pair] = math.inf if evidence.strength_bits is None else evidence.strength_bits
    return found


def strongest_edges(graph: PDAG | PAG, strength: Mapping[Pair, float]) -> tuple[list[Pair], int]:
    """The edges by decreasing priority for drawing, and the minimum number to draw.

    First a spanning forest of the strongest edges, so that variables connected in the graph are connected in the
    drawing; then the others, the strongest first. Ties go by name. Edges without a strength come first.

    >>> graph = PDAG(list("abc"), undirected=[("a", "b"), ("a", "c"), ("b", "c")])
    >>> edges, minimum = strongest_edges(graph, {frozenset("ab"): 3.0, frozenset("ac"): 2.0, frozenset("bc"): 1.0})
    >>> [sorted(edge) for edge in edges], minimum
    ([['a', 'b'], ['a', 'c'], ['b', 'c']], 2)
    """
    lines = [(a, b) for a, _, b in graph.edge_lines()]
    lines.sort(key=lambda line: -strength.get(frozenset(line), math.inf))
    root = {name: name for name in graph.variables}

    def find(name: Name) -> Name:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    forest: list[Pair] = []
    others: list[Pair] = []
    for a, b in lines:
        first, second = find(a), find(b)
        (others if first == second else forest).append(frozenset((a, b)))
        root[first] = second
    return forest + others, len(forest)
