"""A graph with directed and undirected edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Self

from bitsep.errors import ArgumentError
from bitsep.graphs import equivalence
from bitsep.graphs.base import Pair, SignedEdge
from bitsep.graphs.closure import close
from bitsep.graphs.exchange.methods import Exchangeable
from bitsep.graphs.marks import Marks
from bitsep.graphs.partly_directed import PartlyDirected
from bitsep.lazy import cached_property
from bitsep.naming import Name

if TYPE_CHECKING:
    from bitsep.graphs.dag import DAG


class PDAG(PartlyDirected, Exchangeable):
    """A partially directed acyclic graph: directed and undirected edges. It cannot be changed; equal by value.

    Parameters
    ----------
    variables : iterable of names
        The variables in any order; they are stored in canonical order (integers by value, then text).
    directed : iterable of (from, to)
        The directed edges, without a directed cycle.
    undirected : iterable of pairs
        The undirected edges.

    Raises
    ------
    ArgumentError
        If there is a self loop, a pair with two edges, a directed cycle or a duplicate name.
    UnknownColumnError
        If an edge contains a name that is not a variable.

    See Also
    --------
    DAG : a graph with directed edges only.

    Examples
    --------
    >>> g = PDAG(["A", "B", "C", "D"], directed=[("A", "C"), ("B", "C")], undirected=[("A", "D")])
    >>> g
    PDAG(4 variables, 3 edges: 'A' → 'C', 'A' — 'D', 'B' → 'C')
    >>> sorted(g.parents("C")), sorted(g.neighbors("A")), g.adjacent("C", "D")
    (['A', 'B'], ['C', 'D'], False)
    >>> g.is_cpdag
    True
    """

    def __init__(
        self,
        variables: Iterable[Name],
        directed: Iterable[tuple[Name, Name]] = (),
        undirected: Iterable[Iterable[Name]] = (),
    ) -> None:
        self._fill(variables, directed, undirected)

    @cached_property
    def directed(self) -> frozenset[tuple[Name, Name]]:
        """The directed edges as (from, to)."""
        return frozenset((self.variables[i], self.variables[j]) for i, j in self._marks.directed_pairs())

    @cached_property
    def undirected(self) -> frozenset[Pair]:
        """The undirected edges as pairs."""
        return frozenset(frozenset((self.variables[i], self.variables[j])) for i, j in self._marks.undirected_pairs())

    def undirected_neighbors(self, variable: Name) -> frozenset[Name]:
        """All variables that have an undirected edge with this one."""
        return self._names(self._marks.undirected[self._number(variable)])

    @cached_property
    def is_cpdag(self) -> bool:
        """Whether this is the CPDAG of some DAG: it represents exactly one Markov equivalence class."""
        return equivalence.is_cpdag(self._marks)

    def consistent_extension(self) -> DAG | None:
        """A DAG with the same skeleton, v-structures and directed edges; None if there is none.

        The algorithm is that of Dor & Tarsi (1992). If there are several such DAGs, the choice is deterministic.

        A CPDAG has such DAGs. A graph learned from data may have none, even if `Discovery.conflicts` is empty; check
        the result for None.

        Examples
        --------
        >>> PDAG(["A", "B", "C"], undirected=[("A", "B"), ("B", "C")]).consistent_extension()
        DAG(3 variables, 2 edges: 'A' → 'B', 'B' → 'C')

        Every orientation of this undirected cycle has a v-structure or a directed cycle:

        >>> ring = PDAG(["A", "B", "C", "D"], undirected=[("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])
        >>> ring.consistent_extension() is None
        True
        """
        marks = equivalence.extend(self._marks)
        return None if marks is None else self._dag(marks)

    def extensions(self) -> Iterator[DAG]:
        """All consistent extensions; for a CPDAG, the members of its equivalence class. There can be very many.

        Examples
        --------
        >>> for dag in PDAG(["A", "B", "C"], undirected=[("A", "B"), ("B", "C")]).extensions():
        ...     print(dag)
        DAG(3 variables, 2 edges: 'A' → 'B', 'B' → 'C')
        DAG(3 variables, 2 edges: 'B' → 'A', 'B' → 'C')
        DAG(3 variables, 2 edges: 'B' → 'A', 'C' → 'B')
        """
        if equivalence.extend(self._marks) is None:
            return
        closed = self._marks.copy()
        close(closed)
        for marks in equivalence.members(closed):
            yield self._dag(marks)

    def _dag(self, marks: Marks) -> DAG:
        from bitsep.graphs.dag import DAG  # here, because the module of DAG imports PDAG

        return DAG._of(self.variables, marks)

    @classmethod
    def _from_edges(cls, variables: Iterable[Name], edges: Iterable[SignedEdge]) -> Self:
        edges = list(edges)
        for a, sign, b in edges:
            if sign not in ("→", "—"):
                raise ArgumentError(
                    f"edges: a PDAG has directed and undirected edges only, got {a!r} {sign} {b!r}.",
                    hint="Read it as a PAG.",
                )
        return cls(
            variables,
            [(a, b) for a, sign, b in edges if sign == "→"],
            [(a, b) for a, sign, b in edges if sign == "—"],
        )
