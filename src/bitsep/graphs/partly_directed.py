"""What DAG and PDAG have in common: directed and undirected edges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.checks import listed
from bitsep.errors import ArgumentError
from bitsep.graphs.base import Graph, canonical_variables, number_edge
from bitsep.graphs.marks import Marks, bits
from bitsep.lazy import cached_property
from bitsep.naming import Name


def number_edges(
    variables: Iterable[Name], directed: Iterable[Any], undirected: Iterable[Any]
) -> tuple[tuple[Name, ...], dict[Name, int], Marks]:
    """The names in canonical order, their indices, and the edges as marks; everything is checked except cycles."""
    names = canonical_variables(variables)
    index = {name: i for i, name in enumerate(names)}
    taken: dict[tuple[int, int], str] = {}
    arrows = [number_edge(edge, index, taken, "→") for edge in listed("edges", directed, "pairs of names")]
    lines = [number_edge(edge, index, taken, "—") for edge in listed("undirected", undirected, "pairs of names")]
    return names, index, Marks.of(len(names), arrows, lines)


class PartlyDirected(Graph):
    """The base class of DAG and PDAG."""

    _marks: Marks

    def _fill(self, variables: Iterable[Name], directed: Iterable[Any], undirected: Iterable[Any]) -> None:
        """Check the graph and set the attributes; called by `__init__`."""
        names, index, marks = number_edges(variables, directed, undirected)
        if cycle := marks.find_cycle():
            shown = " → ".join(repr(names[i]) for i in cycle)
            raise ArgumentError(f"edges: a {type(self).__name__} cannot have a directed cycle, got {shown}.")
        self._set(names, index, marks)

    def _adjacent(self, i: int) -> int:
        return self._marks.adjacent(i)

    def parents(self, variable: Name) -> frozenset[Name]:
        """The parents: all variables with a directed edge to this one."""
        return self._names(self._marks.parents[self._number(variable)])

    def children(self, variable: Name) -> frozenset[Name]:
        """The children: all variables to which this one has a directed edge."""
        return self._names(self._marks.children[self._number(variable)])

    @cached_property
    def v_structures(self) -> frozenset[tuple[Name, Name, Name]]:
        """(a, c, b) for every a → c ← b with a and b not adjacent; a is before b in canonical order."""
        marks = self._marks
        found = []
        for i, j in marks.collider_arrows():
            later = marks.parents[j] & ~marks.adjacent(i) & ~((1 << (i + 1)) - 1)
            found += [(self.variables[i], self.variables[j], self.variables[k]) for k in bits(later)]
        return frozenset(found)

    def adjacency(self) -> npt.NDArray[np.bool_]:
        """A matrix in the order of `variables`: (i, j) is true for i → j, (i, j) and (j, i) are true for i — j."""
        matrix = np.zeros((len(self.variables),) * 2, dtype=np.bool_)
        for i, targets in enumerate(self._marks.children):
            for j in bits(targets | self._marks.undirected[i]):
                matrix[i, j] = True
        return matrix

    def edge_lines(self) -> tuple[tuple[Name, str, Name], ...]:
        """Every edge as (a, "→" or "—", b), sorted by names; a directed edge is from a to b."""
        signed = [(i, "→", j) for i, j in self._marks.directed_pairs()]
        signed += [(i, "—", j) for i, j in self._marks.undirected_pairs()]
        return tuple(
            (self.variables[i], sign, self.variables[j]) for i, sign, j in sorted(signed, key=lambda e: (e[0], e[2]))
        )
