"""Markov equivalence of MAGs: the PAG of a MAG, a MAG of a PAG, and whether a graph is the PAG of some MAG."""

from __future__ import annotations

from bitsep.graphs import equivalence
from bitsep.graphs.ancestral import flaw
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import Marks, bits
from bitsep.graphs.pag_rules import Collider, Rules


def rules_of_mag(mag: EndMarks, collider: Collider | None = None) -> Rules:
    """The PAG of a MAG, with the reasons for its marks; `collider` decides rule R4 in place of the MAG."""
    ends = EndMarks.circles(mag.adjacent)
    for a, c, b in mag.unshielded():
        if mag.is_collider(a, c, b):
            ends.arrow(a, c)
            ends.arrow(b, c)
    rules = Rules(ends, collider or (lambda path: mag.is_collider(*path[-3:])))
    rules.close(selection=any(mag.undirected(i) for i in range(len(mag))))
    return rules


def pag_of_mag(mag: EndMarks) -> EndMarks:
    """The marks that all MAGs with the same independences have; circles where they differ.

    If the MAG has no undirected edge, MAGs with undirected edges are left out: nothing suggests selected rows.
    """
    return rules_of_mag(mag).ends


def mag_of_pag(pag: EndMarks) -> EndMarks | None:
    """A MAG of the class that a PAG represents (Zhang 2008, Theorem 2); None if the edges o—o have no DAG.

    The circle of o→ and of —o becomes a tail and an arrowhead; the edges o—o become a DAG without v-structures.
    """
    n = len(pag)
    circles = [pag.circles_at(i) & pag.circles_to(i) for i in range(n)]
    dag = equivalence.extend(Marks([0] * n, [0] * n, circles))
    if dag is None:
        return None
    mag = pag.copy()
    for i in range(n):
        for j in bits(pag.circles_at(i)):
            if circles[i] >> j & 1:
                mag.put(i, j, "tail" if dag.children[i] >> j & 1 else "arrow")
            else:
                mag.put(i, j, "tail" if pag.arrows_to[i] >> j & 1 else "arrow")
    return mag


def has_extension(circles: list[int]) -> bool:
    """Whether edges o—o, given as the neighbors of each variable, have a DAG without v-structures."""
    n = len(circles)
    return equivalence.extend(Marks([0] * n, [0] * n, circles)) is not None


def illegal(pag: EndMarks) -> str | None:
    """Why a graph is not the PAG of any MAG, as the end of a sentence about it; None if it is one."""
    mag = mag_of_pag(pag)
    if mag is None:
        return "its edges o—o cannot be directed without a v-structure or a cycle"
    problem = flaw(mag)
    if problem is not None:
        return f"the graph in which its circles are replaced is not a MAG, because {problem}"
    if pag_of_mag(mag) != pag:
        return "marks that follow from others are missing, or are not implied"
    return None
