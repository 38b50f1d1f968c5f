"""A maximal ancestral graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bitsep.errors import ArgumentError
from bitsep.graphs.ancestral import flaw, m_connected
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.mixed import MixedGraph
from bitsep.graphs.pag_classes import pag_of_mag
from bitsep.naming import Name

if TYPE_CHECKING:
    from bitsep.graphs.pag import PAG


class MAG(MixedGraph):
    """A maximal ancestral graph: the observed part of a DAG with hidden variables.

    a → b says that a is a cause of b (or of the selection of rows); a ↔ b that neither is a cause of the other; a — b
    that both are causes of the selection of rows. It cannot be changed; equal by value.

    Parameters
    ----------
    variables : iterable of names
        The variables in any order; they are stored in canonical order (integers by value, then text).
    edges : iterable of (a, sign, b)
        The edges; the sign is "→", "↔" or "—", or in ASCII "->", "<->" or "--".

    Raises
    ------
    ArgumentError
        If the graph is not ancestral or not maximal, there is a self loop, a pair with two edges or a duplicate name.
    UnknownColumnError
        If an edge contains a name that is not a variable.

    See Also
    --------
    DAG.mag : the MAG of a DAG with hidden variables.
    PAG : a class of MAGs with the same independences.

    Examples
    --------
    >>> g = MAG(["A", "B", "C"], [("A", "->", "B"), ("B", "<->", "C")])
    >>> g.m_separated("A", "C"), g.m_separated("A", "C", given="B")
    (True, False)
    >>> g.pag()
    PAG(3 variables, 2 edges: 'A' o→ 'B', 'C' o→ 'B')
    """

    @classmethod
    def _check(cls, ends: EndMarks) -> None:
        problem = flaw(ends)
        if problem is not None:
            raise ArgumentError(f"edges: a MAG must be ancestral and maximal, but {problem}.")

    def m_separated(self, x: Name | list[Name], y: Name | list[Name], given: Name | Iterable[Name] = ()) -> bool:
        """Whether `given` blocks every path between x and y.

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
        return not m_connected(self._marks, sets["x"], sets["given"]) & sets["y"]

    def pag(self) -> PAG:
        """The PAG, which represents all MAGs with the same independences."""
        from bitsep.graphs.pag import PAG  # here, because the module of PAG imports MAG

        return PAG._of(self.variables, pag_of_mag(self._marks))
