"""What MAG and PAG have in common: edges with a mark at each end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from bitsep.checks import listed
from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs.base import Pair, SignedEdge, canonical_variables, number_edge
from bitsep.graphs.end_marks import SIGNS, EndMarks, Mark
from bitsep.graphs.exchange.methods import Exchangeable
from bitsep.graphs.exchange.signs import signed
from bitsep.lazy import cached_property
from bitsep.naming import Name


class MixedGraph(Exchangeable):
    """The base class of MAG and PAG."""

    _marks: EndMarks

    def __init__(self, variables: Iterable[Name], edges: Iterable[tuple[Name, str, Name]] = ()) -> None:
        names = canonical_variables(variables)
        index = {name: i for i, name in enumerate(names)}
        taken: dict[tuple[int, int], str] = {}
        numbered = []
        for edge in listed("edges", edges, "edges (a, sign, b)"):
            a, sign, b = _signed(edge)
            i, j = number_edge((a, b), index, taken, sign)
            numbered.append((i, sign, j))
        ends = EndMarks.of(len(names), numbered)
        self._check(ends)
        self._set(names, index, ends)

    @classmethod
    def _check(cls, ends: EndMarks) -> None:
        """Raise an ArgumentError if the graph is not of this kind."""

    def _adjacent(self, i: int) -> int:
        return self._marks.adjacent[i]

    def edge_lines(self) -> tuple[SignedEdge, ...]:
        """Every edge as (a, sign, b), sorted by names; the signs are →, ↔, —, o→, o—o and —o.

        The first end of → and — is a tail, that of o→ and o—o a circle; if an edge can be written from both ends, a is
        first by name.
        """
        names = self.variables
        edges = sorted(self._marks.edges(), key=lambda edge: (edge[0], edge[2]))
        return tuple((names[i], sign, names[j]) for i, sign, j in edges)

    def mark(self, a: Name, b: Name) -> Mark | None:
        """The mark at a of the edge between a and b: "tail", "arrow" or "circle"; None if there is no edge."""
        i, j = self._number(a), self._number(b)
        return self._marks.mark(i, j) if self._marks.adjacent[i] >> j & 1 else None

    def parents(self, variable: Name) -> frozenset[Name]:
        """All a with a → variable."""
        return self._names(self._marks.parents(self._number(variable)))

    def children(self, variable: Name) -> frozenset[Name]:
        """All b with variable → b."""
        return self._names(self._marks.children(self._number(variable)))

    def spouses(self, variable: Name) -> frozenset[Name]:
        """All b with variable ↔ b."""
        return self._names(self._marks.spouses(self._number(variable)))

    @cached_property
    def directed(self) -> frozenset[tuple[Name, Name]]:
        """The edges a → b as (a, b)."""
        return frozenset((a, b) for a, sign, b in self.edge_lines() if sign == "→")

    @cached_property
    def bidirected(self) -> frozenset[Pair]:
        """The edges a ↔ b as pairs."""
        return frozenset(frozenset((a, b)) for a, sign, b in self.edge_lines() if sign == "↔")

    @cached_property
    def undirected(self) -> frozenset[Pair]:
        """The edges a — b as pairs."""
        return frozenset(frozenset((a, b)) for a, sign, b in self.edge_lines() if sign == "—")

    @cached_property
    def v_structures(self) -> frozenset[tuple[Name, Name, Name]]:
        """(a, c, b) for every a and b that are not adjacent and whose edges with c have arrowheads at c."""
        names, ends = self.variables, self._marks
        return frozenset((names[a], names[c], names[b]) for a, c, b in ends.unshielded() if ends.is_collider(a, c, b))

    @classmethod
    def _from_edges(cls, variables: Iterable[Name], edges: Iterable[SignedEdge]) -> Self:
        return cls(variables, edges)


def _signed(edge: Any) -> SignedEdge:
    if isinstance(edge, str) or not isinstance(edge, Iterable):
        raise UnsupportedTypeError(f"edges: an edge must be (a, sign, b), got {edge!r}.")
    parts = tuple(edge)
    found = signed(parts[0], parts[1], parts[2]) if len(parts) == 3 else None
    if found is None:
        raise ArgumentError(f"edges: an edge must be (a, sign, b) with a sign of {', '.join(SIGNS)}, got {parts!r}.")
    return found
