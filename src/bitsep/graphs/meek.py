"""Meek's rules for graphs with names, with background knowledge. The rules are in `closure`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bitsep.errors import KnowledgeError
from bitsep.graphs.base import Pair
from bitsep.graphs.closure import close, ordered
from bitsep.graphs.marks import Marks, bits
from bitsep.graphs.partly_directed import number_edges
from bitsep.graphs.pdag import PDAG
from bitsep.naming import Name, name_key, unknown_column


@dataclass(frozen=True)
class Orientation:
    """The result of Meek's rules.

    Attributes
    ----------
    graph : PDAG
        The graph with all directions that follow.
    contested : frozenset of pairs
        Edges for which the given directions, the knowledge or the rules imply both directions, or which would close a
        cycle. They are undirected in `graph`, unless knowledge determines their direction.
    """

    graph: PDAG
    contested: frozenset[Pair]


def orient(
    variables: Iterable[Name],
    directed: Iterable[tuple[Name, Name]] = (),
    undirected: Iterable[Iterable[Name]] = (),
    *,
    required: Iterable[tuple[Name, Name]] = (),
    forbidden: Iterable[tuple[Name, Name]] = (),
) -> Orientation:
    """Close a graph under Meek's rules 1–4.

    Parameters
    ----------
    variables : iterable of names
        The variables.
    directed : iterable of (from, to)
        The directed edges known so far, for instance from v-structures. They may contradict each other and form cycles.
        An edge given in both directions is contested.
    undirected : iterable of pairs
        The undirected edges.
    required, forbidden : iterable of (from, to)
        Knowledge about directions, which has priority over `directed`. It concerns only edges of the graph: a required
        edge between variables that are not adjacent is not added.

    Returns
    -------
    Orientation
        The graph (always without a directed cycle) and its contested edges.

    Raises
    ------
    KnowledgeError
        If both directions of an edge are forbidden, a direction is required and forbidden, or required edges form a
        directed cycle.

    Examples
    --------
    >>> orient(list("ABCD"), [("A", "C"), ("B", "C")], [("C", "D")]).graph
    PDAG(4 variables, 3 edges: 'A' → 'C', 'B' → 'C', 'C' → 'D')
    >>> orient(["A", "B"], [], [("A", "B")], forbidden=[("A", "B")]).graph
    PDAG(2 variables, 1 edge: 'B' → 'A')
    """
    arrows = dict.fromkeys((a, b) for a, b in directed)
    opposed = [(a, b) for a, b in arrows if (b, a) in arrows and name_key(a) < name_key(b)]
    agreed = [(a, b) for a, b in arrows if (b, a) not in arrows or a == b]
    names, index, marks = number_edges(variables, agreed, [*undirected, *opposed])
    contested = {ordered(index[a], index[b]) for a, b in opposed}
    locked = _apply_knowledge(marks, index, required, forbidden, contested)
    close(marks, locked, contested)
    return Orientation(PDAG._of(names, marks), frozenset(frozenset((names[i], names[j])) for i, j in contested))


def _apply_knowledge(
    marks: Marks,
    index: Mapping[Name, int],
    required: Iterable[tuple[Name, Name]],
    forbidden: Iterable[tuple[Name, Name]],
    contested: set[tuple[int, int]],
) -> set[tuple[int, int]]:
    """Direct the edges whose direction is known, and return them."""
    required_pairs = {_indices(edge, index) for edge in required}
    forbidden_pairs = {_indices(edge, index) for edge in forbidden}
    names = list(index)
    locked = set()
    for i, j in (*marks.directed_pairs(), *marks.undirected_pairs()):
        directions = {(i, j), (j, i)} - forbidden_pairs
        if ((i, j) in required_pairs) != ((j, i) in required_pairs):
            directions &= required_pairs
        if not directions or {(i, j), (j, i)} <= required_pairs:
            raise KnowledgeError(
                f"required, forbidden: no direction is left for the edge {names[i]!r} — {names[j]!r}.",
                hint="Leave out the edge, or one of the arrows that contradict each other.",
            )
        if len(directions) == 1:
            locked |= directions
    for i, j in sorted(locked):
        if marks.parents[i] >> j & 1:
            marks.undirect(j, i)
            contested.add(ordered(i, j))
        if marks.undirected[i] >> j & 1:
            marks.direct(i, j)
    fixed = Marks.of(len(marks), locked)
    if core := fixed.cyclic_core():
        cycle = ", ".join(repr(names[i]) for i in bits(core))
        raise KnowledgeError(f"required, forbidden: together they force a directed cycle among {cycle}.")
    return locked


def _indices(edge: tuple[Name, Name], index: Mapping[Name, int]) -> tuple[int, int]:
    """A directed edge of the knowledge as a pair of indices."""
    for end in edge:
        if end not in index:
            raise unknown_column("required, forbidden", end, index, "variable")
    return index[edge[0]], index[edge[1]]
