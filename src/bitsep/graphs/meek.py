"""Meek's rules on named variables, with background knowledge. The rules themselves are in `closure`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bitsep.errors import KnowledgeError
from bitsep.graphs.base import Pair, number_edges
from bitsep.graphs.closure import close, ordered
from bitsep.graphs.marks import Marks, bits
from bitsep.graphs.pdag import PDAG
from bitsep.naming import Name, name_key, unknown_column


@dataclass(frozen=True)
class Orientation:
    """What Meek's rules made of a graph.

    Attributes
    ----------
    graph : PDAG
        The graph with every arrow that follows.
    contested : frozenset of pairs
        Edges for which the arrows given, the knowledge or the rules ask for opposite directions, or which would close
        a cycle. They are undirected in `graph`, unless knowledge fixes their direction.
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
    directed : iterable of (from, to)
        The arrows known so far, from v-structures say. They may contradict each other and even form cycles. A pair
        that is given in both directions is contested.
    undirected : iterable of pairs
        The edges without a direction.
    required, forbidden : iterable of (from, to)
        Knowledge about directions, which wins over `directed`. It concerns the edges of the graph only: a required
        arrow between variables that are not adjacent adds no edge.

    Returns
    -------
    Orientation
        The graph (always without a directed cycle) and its contested edges.

    Raises
    ------
    KnowledgeError
        If both directions of an edge are forbidden, an arrow is required and forbidden, or required arrows form a
        cycle.

    Examples
    --------
    >>> orient("ABCD", [("A", "C"), ("B", "C")], ["CD"])
    Traceback (most recent call last):
    ...
    bitsep.errors.UnsupportedTypeError: variables: give a list of names, not the text 'ABCD'.
    >>> orient(list("ABCD"), [("A", "C"), ("B", "C")], [("C", "D")]).graph
    PDAG(4 variables, 3 edges: 'A' → 'C', 'B' → 'C', 'C' → 'D')
    >>> orient(["A", "B"], [], [("A", "B")], forbidden=[("A", "B")]).graph
    PDAG(2 variables, 1 edge: 'B' → 'A')
    """
    arrows = dict.fromkeys((a, b) for a, b in directed)
    clashes = [(a, b) for a, b in arrows if (b, a) in arrows and name_key(a) < name_key(b)]
    agreed = [(a, b) for a, b in arrows if (b, a) not in arrows or a == b]
    names, index, marks = number_edges(variables, agreed, [*undirected, *clashes])
    contested = {ordered(index[a], index[b]) for a, b in clashes}
    locked = _apply_knowledge(marks, index, required, forbidden, contested)
    close(marks, locked, contested)
    graph = PDAG(
        names,
        [(names[i], names[j]) for i, j in marks.directed_pairs()],
        [(names[i], names[j]) for i, j in marks.undirected_pairs()],
    )
    return Orientation(graph, frozenset(frozenset((names[i], names[j])) for i, j in contested))


def _apply_knowledge(
    marks: Marks,
    index: Mapping[Name, int],
    required: Iterable[tuple[Name, Name]],
    forbidden: Iterable[tuple[Name, Name]],
    contested: set[tuple[int, int]],
) -> set[tuple[int, int]]:
    """Direct the edges whose direction is known; returns those arrows."""
    wanted = {_ends(arrow, index) for arrow in required}
    barred = {_ends(arrow, index) for arrow in forbidden}
    names = list(index)
    locked = set()
    for i, j in (*marks.directed_pairs(), *marks.undirected_pairs()):
        directions = {(i, j), (j, i)} - barred
        if ((i, j) in wanted) != ((j, i) in wanted):
            directions &= wanted
        if not directions or {(i, j), (j, i)} <= wanted:
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


def _ends(arrow: tuple[Name, Name], index: Mapping[Name, int]) -> tuple[int, int]:
    """An arrow of the knowledge as a pair of numbers."""
    for end in arrow:
        if end not in index:
            raise unknown_column("required, forbidden", end, index, "variable")
    return index[arrow[0]], index[arrow[1]]
