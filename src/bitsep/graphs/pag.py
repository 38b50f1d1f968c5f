"""A partial ancestral graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bitsep.errors import ArgumentError
from bitsep.graphs.mag import MAG
from bitsep.graphs.mag_completion import mag_with_marks
from bitsep.graphs.mixed import MixedGraph
from bitsep.graphs.pag_classes import illegal
from bitsep.lazy import cached_property
from bitsep.naming import Name


class PAG(MixedGraph):
    """A partial ancestral graph: what the independences among observed variables tell if others may be hidden.

    Each end of an edge has a mark. A tail at a says that a is a cause of b (or of the selection of rows), an arrowhead
    that it is not, and a circle that both occur in graphs with the same independences. So, if rows are not selected,
    a → b is a cause, a ↔ b has a hidden common cause and no cause in either direction, a o→ b is a cause or has a
    hidden common cause, and a o—o b can be anything. It cannot be changed; equal by value.

    Parameters
    ----------
    variables : iterable of names
        The variables in any order; they are stored in canonical order (integers by value, then text).
    edges : iterable of (a, sign, b)
        The edges; the sign is "→", "↔", "—", "o→", "o—o" or "—o", or in ASCII "->", "<->", "--", "o->", "o-o" or
        "--o". Edges are not checked for legality: see `is_legal`.

    Raises
    ------
    ArgumentError
        If a sign is unknown, there is a self loop, a pair with two edges or a duplicate name.
    UnknownColumnError
        If an edge contains a name that is not a variable.

    See Also
    --------
    DAG.pag : the PAG of a DAG with hidden variables.
    MAG : one graph of the class that a PAG represents.

    Examples
    --------
    >>> g = PAG(["A", "B", "C", "D"], [("A", "o->", "B"), ("B", "<->", "C"), ("D", "o->", "C")])
    >>> g
    PAG(4 variables, 3 edges: 'A' o→ 'B', 'B' ↔ 'C', 'D' o→ 'C')
    >>> g.mark("A", "B"), g.mark("B", "A"), sorted(g.spouses("B")), g.is_legal
    ('circle', 'arrow', ['C'], True)
    >>> g.m_separated("A", "C"), g.m_separated("A", "C", given="B")
    (True, False)
    """

    @cached_property
    def is_legal(self) -> bool:
        """Whether this is the PAG of some MAG: it represents exactly one class of MAGs with the same independences.

        A PAG with marks that follow from background knowledge is not, like a PDAG that is not a CPDAG.
        """
        return self.illegal_because is None

    @cached_property
    def illegal_because(self) -> str | None:
        """Why this is not the PAG of any MAG, as the end of a sentence; None if it is legal."""
        return illegal(self._marks)

    def mag(self) -> MAG:
        """A MAG of the class that this PAG represents; it has all marks of this graph.

        Raises
        ------
        ArgumentError
            If the PAG is not legal and no MAG with its marks is found.

        Examples
        --------
        >>> PAG(["A", "B", "C"], [("A", "o->", "B"), ("C", "o->", "B")]).mag()
        MAG(3 variables, 2 edges: 'A' → 'B', 'C' → 'B')
        """
        return self._member(range(len(self.variables)))

    def _member(self, order: Sequence[int]) -> MAG:
        """See `mag`; which MAG of the class it is depends on the order of the variables, given by their indices."""
        ends = mag_with_marks(self._marks.within(list(order)))
        if ends is None:
            raise ArgumentError(f"graph: must be a legal PAG, but {self.illegal_because}.")
        names = [self.variables[v] for v in order]
        return MAG(self.variables, [(names[i], sign, names[j]) for i, sign, j in ends.edges()])

    def m_separated(self, x: Name | list[Name], y: Name | list[Name], given: Name | Iterable[Name] = ()) -> bool:
        """Whether `given` blocks every path between x and y, in all MAGs that this PAG represents; see `MAG`."""
        return self._mag.m_separated(x, y, given)

    @cached_property
    def _mag(self) -> MAG:
        return self.mag()
