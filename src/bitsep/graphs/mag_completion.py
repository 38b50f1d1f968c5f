"""A MAG for any marks: one that has them if there is one within reach, otherwise one that keeps the clearest claims."""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.graphs import equivalence
from bitsep.graphs.ancestral import flaw
from bitsep.graphs.ancestral_claims import AncestralClaims
from bitsep.graphs.claims import Claim, overruled
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.mag_search import find_mag
from bitsep.graphs.marks import Marks, bits, reachable
from bitsep.graphs.pag_classes import mag_of_pag

Decision = tuple[int, int, int, bool]
"""(a, c, b, is_collider) of an unshielded triple a — c — b."""

Known = tuple[int, int, bool]
"""(i, j, is_tail) of a mark at j on the edge between i and j that is known; a known tail has an arrowhead at i."""


def mag_with_marks(ends: EndMarks) -> EndMarks | None:
    """A MAG that has these marks, in place of circles any; None if none is found.

    A legal PAG has one by Zhang's theorem. With the marks of knowledge it is searched for.
    """
    mag = mag_of_pag(ends)
    if mag is not None and flaw(mag) is None:
        return mag
    claims = AncestralClaims(ends.adjacent)
    for i, j in [*ends.pairs(), *((j, i) for i, j in ends.pairs())]:
        if ends.tails_at[i] >> j & 1 and (ends.tails_at[j] >> i & 1 or not claims.directed(i, j)):
            return None  # undirected edges, or a cycle
        if ends.arrows_at[i] >> j & 1 and not claims.arrow(j, i):
            return None
    marked = claims.copy()
    for triple in ends.unshielded():
        if not ends.is_collider(*triple):
            claims.no_collider(*triple)
    return find_mag(claims) or find_mag(marked)


def _has_marks(mag: EndMarks, ends: EndMarks, i: int) -> bool:
    return not ends.arrows_at[i] & ~mag.arrows_at[i] and not ends.tails_at[i] & ~mag.tails_at[i]


def complete_to_mag(ends: EndMarks, known: Sequence[Known], decisions: Sequence[Decision]) -> EndMarks:
    """A MAG with the same neighbors.

    Parameters
    ----------
    ends : EndMarks
        The marks that were accepted, with circles.
    known : sequence
        The marks that knowledge gives; if some MAG is found that has them, the result has them.
    decisions : sequence
        The decisions about unshielded triples, the clearest first.
    """
    mag = mag_of_pag(ends)
    if mag is not None:
        if flaw(mag) is None:
            return mag
        _make_ancestral(mag, ends)
        if flaw(mag) is None:
            return mag
    arrows = [(j, i) if is_tail else (i, j) for i, j, is_tail in known]
    return _with_known(_dag(ends, arrows, decisions), known)


def _with_known(dag: EndMarks, known: Sequence[Known]) -> EndMarks:
    """The DAG with the marks that are known, and with ↔ where they require it; otherwise with tails only where they are
    known; the DAG itself if neither is a MAG."""
    marks = EndMarks.circles(dag.adjacent)
    for i, j, is_tail in known:
        marks.put(j, i, "tail" if is_tail else "arrow")
    if all(_has_marks(dag, marks, i) for i in range(len(marks))):
        return dag
    near, far = dag.copy(), dag.copy()
    for i in range(len(marks)):
        for mag, arrows in ((near, marks.arrows_at[i]), (far, dag.adjacent[i])):
            for j in bits(arrows):
                mag.arrow(j, i)
            for j in bits(marks.tails_at[i]):
                mag.tail(i, j)
    for mag in (near, far):
        _make_ancestral(mag, marks)
        if flaw(mag) is None:
            return mag
    return dag


def _make_ancestral(mag: EndMarks, ends: EndMarks) -> None:
    """Remove directed cycles and ancestors joined by ↔.

    Tails that replaced circles become arrowheads where they close a directed cycle, or a path from i to j with i ↔ j.
    If there are none on such a path, i ↔ j becomes i → j.
    """
    n = len(mag)
    while True:
        below = reachable([mag.children(i) for i in range(n)])
        joined = [(i, i) for i in range(n) if below[i] >> i & 1]
        joined = joined or [(i, j) for i in range(n) for j in bits(mag.spouses(i) & below[i])]
        if not joined:
            return
        from_circles = {
            (u, v)
            for i, j in joined
            for u in bits((below[i] | 1 << i) & ~(below[j] if i != j else 0))
            for v in bits(mag.children(u) & ~ends.tails_at[u])
            if v == j or below[v] >> j & 1
        }
        if not from_circles and joined[0][0] == joined[0][1]:
            return
        for u, v in from_circles:
            mag.arrow(v, u)
        if not from_circles:
            for i, j in joined:
                mag.tail(i, j)


def _dag(ends: EndMarks, arrows: Sequence[tuple[int, int]], decisions: Sequence[Decision]) -> EndMarks:
    """The DAG, which is a MAG, that keeps the clearest decisions; see `claims`. Other triples are not colliders."""
    decided = {decision[:3] for decision in decisions}
    decisions = [*decisions, *((*triple, False) for triple in ends.unshielded() if triple not in decided)]
    both = {(i, j) for i, j in arrows if (j, i) in arrows}
    fixed = [arrow for arrow in arrows if arrow not in both]
    claims = [Claim.arrow(i, j) for i, j in fixed]
    claims += [(Claim.collider if is_collider else Claim.no_collider)(a, c, b) for a, c, b, is_collider in decisions]
    lost = set(overruled(claims))
    directed = {arrow for k, arrow in enumerate(fixed) if k not in lost}
    for k, (a, c, b, is_collider) in enumerate(decisions, len(fixed)):
        if is_collider != (k in lost):
            directed |= {(a, c), (b, c)}
    lines = [(i, j) for i, j in ends.pairs() if (i, j) not in directed and (j, i) not in directed]
    dag = equivalence.extend(Marks.of(len(ends), directed, lines))
    assert dag is not None  # the accepted claims hold together, and they decide every triple
    return EndMarks.of_dag(dag)
