"""A MAG without undirected edges in which given claims hold, found by trying marks in place of circles."""

from __future__ import annotations

from bitsep.graphs.ancestral_claims import AncestralClaims
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import bits

_MOST_TRIALS = 1_000  # besides one for each edge


def find_mag(claims: AncestralClaims) -> EndMarks | None:
    """A MAG in which the claims hold; None if there is none, or if the search has gone back too often.

    The circle of o→ is first replaced by a tail, as in Zhang's Theorem 2 (2008), by which this seldom has to go back.
    """
    waiting = [claims]
    for _ in range(_MOST_TRIALS + sum(1 for _ in claims.ends.pairs())):
        if not waiting:
            return None
        current = waiting.pop()
        if current.inseparable():
            continue
        edge = _open_edge(current.ends)
        if edge is None:
            return current.ends
        i, j = edge
        for put, first, second in (("bidirected", i, j), ("directed", j, i), ("directed", i, j)):
            branch = current.copy()
            if getattr(branch, put)(first, second):
                waiting.append(branch)
    return None


def _open_edge(ends: EndMarks) -> tuple[int, int] | None:
    """An edge with a circle: i o→ j if there is one, otherwise i o—o j."""
    found = None
    for i in range(len(ends)):
        circles = ends.circles_at(i)
        for j in bits(circles & ends.arrows_to[i]):
            return i, j
        if found is None and circles:
            found = i, next(bits(circles))
    return found


def close(claims: AncestralClaims) -> bool:
    """Accept every mark whose opposite contradicts the claims; False if some end of an edge can have no mark."""
    changed = True
    while changed:
        changed = False
        for i, j in [*claims.ends.pairs(), *((j, i) for i, j in claims.ends.pairs())]:
            if claims.ends.mark(i, j) != "circle":
                continue
            arrow, tail = claims.copy(), claims.copy()
            can_be_arrow = arrow.arrow(j, i) and not arrow.inseparable()
            can_be_tail = tail.directed(i, j) and not tail.inseparable()
            if can_be_arrow != can_be_tail:
                claims.restore(arrow if can_be_arrow else tail)
                changed = True
            elif not can_be_arrow:
                return False
    return True
