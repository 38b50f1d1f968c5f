"""A directed acyclic graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from bitsep.checks import given_text
from bitsep.errors import ArgumentError
from bitsep.graphs import equivalence, separation
from bitsep.graphs.ancestral import mag_of_dag
from bitsep.graphs.base import SignedEdge
from bitsep.graphs.exchange import modelstring
from bitsep.graphs.exchange.methods import Exchangeable
from bitsep.graphs.mag import MAG
from bitsep.graphs.marks import reachable, union
from bitsep.graphs.pag import PAG
from bitsep.graphs.partly_directed import PartlyDirected
from bitsep.graphs.pdag import PDAG
from bitsep.lazy import cached_property
from bitsep.naming import Name


class DAG(PartlyDirected, Exchangeable):
    """A directed acyclic graph. It cannot be changed; graphs with equal variables and edges are equal.

    Parameters
    ----------
    variables : iterable of names
        The variables in any order; they are stored in canonical order (integers by value, then text).
    edges : iterable of (from, to)
        The edges, without a directed cycle.

    Raises
    ------
    ArgumentError
        If there is a self loop, a pair with two edges, a directed cycle or a duplicate name.
    UnknownColumnError
        If an edge contains a name that is not a variable.

    See Also
    --------
    PDAG : a graph with directed and undirected edges.

    Examples
    --------
    >>> g = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
    >>> g.d_separated("rain", "sprinkler"), g.d_separated("rain", "sprinkler", given="wet")
    (True, False)
    >>> g.topological_order
    ('rain', 'sprinkler', 'wet')
    >>> sorted(g.markov_blanket("rain"))
    ['sprinkler', 'wet']
    """

    def __init__(self, variables: Iterable[Name], edges: Iterable[tuple[Name, Name]] = ()) -> None:
        self._fill(variables, edges, ())

    @cached_property
    def edges(self) -> frozenset[tuple[Name, Name]]:
        """The edges as (from, to)."""
        return frozenset((self.variables[i], self.variables[j]) for i, j in self._marks.directed_pairs())

    @cached_property
    def topological_order(self) -> tuple[Name, ...]:
        """The variables with parents before children; ties go by name."""
        order = self._marks.topological_order()
        assert order is not None  # checked by the constructor
        return tuple(self.variables[i] for i in order)

    @cached_property
    def _above(self) -> list[int]:
        return reachable(self._marks.parents)

    @cached_property
    def _below(self) -> list[int]:
        return reachable(self._marks.children)

    def ancestors(self, variable: Name) -> frozenset[Name]:
        """All variables with a directed path to this one, without the variable itself."""
        return self._names(self._above[self._number(variable)])

    def descendants(self, variable: Name) -> frozenset[Name]:
        """All variables to which this one has a directed path, without the variable itself."""
        return self._names(self._below[self._number(variable)])

    def markov_blanket(self, variable: Name) -> frozenset[Name]:
        """The parents, the children, and the other parents of the children."""
        i = self._number(variable)
        marks = self._marks
        blanket = marks.adjacent(i) | union(marks.parents, marks.children[i])
        return self._names(blanket & ~(1 << i))

    def cpdag(self) -> PDAG:
        """The CPDAG, which represents the Markov equivalence class of the DAG.

        An edge is directed if it has the same direction in all DAGs with the same conditional independences.

        Examples
        --------
        >>> DAG(["A", "B", "C"], [("A", "B"), ("B", "C")]).cpdag()
        PDAG(3 variables, 2 edges: 'A' — 'B', 'B' — 'C')
        >>> DAG(["A", "B", "C"], [("A", "B"), ("C", "B")]).cpdag()
        PDAG(3 variables, 2 edges: 'A' → 'B', 'C' → 'B')
        """
        return PDAG._of(self.variables, equivalence.complete(self._marks))

    def d_separated(self, x: Name | list[Name], y: Name | list[Name], given: Name | Iterable[Name] = ()) -> bool:
        """Whether `given` blocks every path between x and y (Pearl's d-separation).

        Parameters
        ----------
        x, y : name or list of names
            The variables or sets of variables.
        given : name or collection of names
            The conditioning set.

        Raises
        ------
        ArgumentError
            If x, y and `given` overlap, or x or y is empty.
        UnknownColumnError
            If a name is not in the graph.
        """
        sets = self._disjoint(x=x, y=y, given=given)
        reached = separation.connected(self._marks, sets["x"], sets["given"])
        return not reached & sets["y"]

    def mag(self, hidden: Name | Iterable[Name] = (), selection: Name | Iterable[Name] = ()) -> MAG:
        """The maximal ancestral graph of the variables that are observed.

        Parameters
        ----------
        hidden : name or collection of names
            The variables that are not observed.
        selection : name or collection of names
            The variables that decide which rows are in the data, such as survival or an answer; they are not observed
            either.

        Raises
        ------
        ArgumentError
            If a variable is in both.
        UnknownColumnError
            If a name is not in the graph.

        Examples
        --------
        >>> DAG(["A", "B", "L"], [("L", "A"), ("L", "B")]).mag(hidden="L")
        MAG(2 variables, 1 edge: 'A' ↔ 'B')
        >>> DAG(["A", "B", "S"], [("A", "S"), ("B", "S")]).mag(selection="S")
        MAG(2 variables, 1 edge: 'A' — 'B')
        """
        sets = self._disjoint(hidden=hidden, selection=selection)
        ends = mag_of_dag(self._marks, sets["hidden"], sets["selection"])
        gone = sets["hidden"] | sets["selection"]
        places = [i for i in range(len(self.variables)) if not gone >> i & 1]
        return MAG._of(tuple(self.variables[i] for i in places), ends.within(places))

    def pag(self, hidden: Name | Iterable[Name] = (), selection: Name | Iterable[Name] = ()) -> PAG:
        """The PAG of the variables that are observed: what independences alone can tell; see `mag`.

        Examples
        --------
        >>> g = DAG(["A", "B", "C", "D", "L"], [("A", "B"), ("L", "B"), ("L", "C"), ("D", "C")])
        >>> g.pag(hidden="L")
        PAG(4 variables, 3 edges: 'A' o→ 'B', 'B' ↔ 'C', 'D' o→ 'C')
        """
        return self.mag(hidden, selection).pag()

    def to_modelstring(self) -> str:
        """The graph as a model string of bnlearn, such as ``[A][B|A]``, with variables in topological order.

        Names must be text, not empty, and without any of ``[ ] | :``.

        Examples
        --------
        >>> DAG(["A", "B", "C"], [("A", "B"), ("C", "B")]).to_modelstring()
        '[A][C][B|A:C]'
        """
        return modelstring.write(self.topological_order, self.parents)

    @classmethod
    def from_modelstring(cls, text: str) -> Self:
        """The graph from a model string of bnlearn; names are read as text.

        Examples
        --------
        >>> DAG.from_modelstring("[A][C][B|A:C]")
        DAG(3 variables, 2 edges: 'A' → 'B', 'C' → 'B')
        """
        return cls(*modelstring.read(given_text(text)))

    @classmethod
    def _from_edges(cls, variables: Iterable[Name], edges: Iterable[SignedEdge]) -> Self:
        edges = list(edges)
        for a, sign, b in edges:
            if sign != "→":
                kind = "PDAG" if sign == "—" else "PAG"
                raise ArgumentError(
                    f"edges: a DAG has arrows only, got {a!r} {sign} {b!r}.", hint=f"Read it as a {kind}."
                )
        return cls(variables, [(a, b) for a, _, b in edges])
