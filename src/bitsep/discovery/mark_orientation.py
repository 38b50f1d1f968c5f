"""Puts marks at the ends of edges such that the graph is a legal PAG, by the decisions with the most evidence.

Knowledge comes first. Then the decisions about unshielded triples are accepted in the order of their bits, each unless
it contradicts what follows from those accepted before, and then the decisions about discriminating paths. The marks
accepted are completed to a MAG, and the PAG of this MAG is the result: so it is legal whatever the data say. Decisions
that do not hold in it are conflicts. If all decisions hold together, the result has exactly the marks that follow from
them (Zhang 2008).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bitsep.discovery.knowledge import Masks
from bitsep.discovery.mark_claims import Path, Ranked, by_evidence, known_claims
from bitsep.discovery.orientation import EdgeConflict
from bitsep.discovery.triple_evidence import WeighedTriples
from bitsep.discovery.v_structures import Triple, UndecidedTriple
from bitsep.graphs.ancestral_claims import AncestralClaims
from bitsep.graphs.closure import ordered
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.mag_completion import Known, complete_to_mag
from bitsep.graphs.mag_search import find_mag
from bitsep.graphs.marks import bits, reachable
from bitsep.graphs.pag_classes import rules_of_mag
from bitsep.graphs.pag_rules import Reasons, Rules


@dataclass(frozen=True, slots=True)
class Marked:
    """The marks of the graph, a MAG that it represents, reasons, conflicts and undecided triples.

    bits : the evidence on each triple: positive if it speaks for a collider.
    path_bits : the evidence on each discriminating path: positive if it speaks for a collider.
    known : the marks that knowledge gives: (i, j) for the mark at j on the edge between i and j.
    selection : whether tails also mean causes of the selection of rows.
    """

    ends: EndMarks
    mag: EndMarks
    reasons: Reasons
    conflicts: tuple[EdgeConflict, ...]
    undecided: tuple[UndecidedTriple, ...]
    bits: dict[Triple, float]
    path_bits: dict[Path, float]
    known: frozenset[tuple[int, int]]
    selection: bool

    def directed_pairs(self) -> Iterator[tuple[int, int]]:
        """(i, j) for every arrowhead at j on the edge between i and j: i ↔ j is there twice."""
        ends = self.ends
        for j in range(len(ends)):
            for i in bits(ends.arrows_at[j]):
                yield i, j

    def undirected_pairs(self) -> Iterator[tuple[int, int]]:
        """(i, j) with i < j for the edges without an arrowhead."""
        ends = self.ends
        for i, j in ends.pairs():
            if not (ends.arrows_at[i] | ends.arrows_to[i]) >> j & 1:
                yield i, j


@dataclass(frozen=True, slots=True)
class Settled:
    """A graph that has the accepted marks, as far as there is one.

    rules : the graph, with the reasons for its marks.
    mag : a MAG that it represents.
    known : the marks that knowledge gives.
    contradicted : the pairs on which the MAG does not obey knowledge.
    """

    rules: Rules
    mag: EndMarks
    known: list[Known]
    contradicted: list[tuple[int, int]]


def settle(claims: AncestralClaims, ranked: Ranked, knowledge: Masks | None, selection: bool) -> Settled:
    """The PAG of a MAG that has the accepted marks, as far as there is one, with the marks that follow from knowledge.

    Knowledge is put into the PAG of the MAG, and the rules are applied again: the MAG has all marks of the result.
    """
    known = _known_marks(claims.ends, knowledge)
    if knowledge is None:
        mag = _completed(claims, known, ranked, selection)
        return Settled(rules_of_mag(mag), mag, known, [])
    mag = find_mag(claims) or _completed(claims, known, ranked, selection)
    return Settled(_rules_with_knowledge(claims.ends, mag, known), mag, known, _disobeyed(mag, knowledge))


def _completed(claims: AncestralClaims, known: list[Known], ranked: Ranked, selection: bool) -> EndMarks:
    accepted = Rules(claims.ends.copy(), lambda path: False)
    if selection:
        accepted.lines()
    return complete_to_mag(accepted.ends, known, [(*triple, weight > 0) for triple, weight in ranked])


def _rules_with_knowledge(accepted: EndMarks, mag: EndMarks, known: list[Known]) -> Rules:
    """The PAG of a MAG, then with the marks of knowledge, then with all accepted marks, as far as the MAG has them."""

    def collider(path: Path) -> bool | None:
        b, c = path[-2:]
        return None if accepted.circles_at(b) >> c & 1 else bool(accepted.arrows_at[b] >> c & 1)

    rules = rules_of_mag(mag, collider)
    both_ways = [*accepted.pairs(), *((j, i) for i, j in accepted.pairs())]
    for marks in ([(j, i) for i, j, _ in known], both_ways):
        for i, j in marks:
            if rules.ends.mark(i, j) == "circle" and accepted.mark(i, j) == mag.mark(i, j):
                rules.ends.put(i, j, mag.mark(i, j))
        rules.close(selection=False)
    return rules


def _disobeyed(mag: EndMarks, knowledge: Masks) -> list[tuple[int, int]]:
    """The pairs, the smaller index first, on which a MAG does not obey knowledge about causes."""
    below = reachable([mag.children(i) for i in range(len(mag))])
    against = {ordered(i, j) for i, j in np.argwhere(knowledge.forbidden).tolist() if below[i] >> j & 1}
    against |= {ordered(i, j) for i, j in np.argwhere(knowledge.required).tolist() if not mag.children(i) >> j & 1}
    return sorted(against)


def complete(
    claims: AncestralClaims,
    triples: WeighedTriples,
    paths: dict[Path, float],
    knowledge: Masks | None,
    selection: bool,
) -> Marked:
    """The settled graph, with the decisions that do not hold in it."""
    ranked = by_evidence(triples)
    settled = settle(claims, ranked, knowledge, selection)
    mag, known, rules = settled.mag, settled.known, settled.rules
    alone = None if knowledge is None else known_claims(mag.adjacent, knowledge, settled.contradicted)
    conflicts = [EdgeConflict("knowledge", edge, ()) for edge in settled.contradicted]
    for triple, weight in ranked:
        if weight != 0 and (weight > 0) != mag.is_collider(*triple):
            conflicts.append(_refused(triple, weight, mag, alone))
    for path, weight in paths.items():
        a, b, c = path[-3:]
        at_b = {rules.ends.mark(b, a), rules.ends.mark(b, c)}
        if (weight > 0 and "tail" in at_b) or (weight < 0 and at_b == {"arrow"}):
            triple = (min(a, c), b, max(a, c))
            conflicts.append(EdgeConflict("evidence", ordered(b, c), (triple,), weight))
    conflicts.sort(key=lambda conflict: (conflict.edge, conflict.kind, conflict.triples))
    marks = frozenset((i, j) for i, j, _ in known if ordered(i, j) not in settled.contradicted)
    weights = dict(zip(triples.rows, triples.bits, strict=True))
    found, undecided = tuple(conflicts), triples.undecided
    return Marked(rules.ends, mag, rules.reasons, found, undecided, weights, paths, marks, selection)


def _refused(triple: Triple, weight: float, mag: EndMarks, alone: AncestralClaims | None) -> EdgeConflict:
    """The conflict of an overruled decision, with an edge of the triple whose mark contradicts the decision.

    alone : the marks that follow from knowledge alone.
    """
    a, c, b = triple
    arms = [(end, c) for end in (a, b) if weight < 0 or not mag.arrows_at[c] >> end & 1]
    if alone is None or (alone.copy().collider if weight > 0 else alone.copy().no_collider)(*triple):
        return EdgeConflict("evidence", ordered(*arms[0]), (triple,), weight)
    contradicting = "tail" if weight > 0 else "arrow"
    hit = [(end, c) for end, _ in arms if alone.ends.mark(c, end) == contradicting]
    return EdgeConflict("knowledge", ordered(*(hit or arms)[0]), (triple,), weight)


def _known_marks(ends: EndMarks, knowledge: Masks | None) -> list[Known]:
    """(i, j, is_tail) for every mark at j on the edge between i and j that knowledge gives.

    A forbidden edge from j to i is an arrowhead at j and nothing more, a required edge from j to i a tail.
    """
    if knowledge is None:
        return []
    found = []
    for i, j in [*ends.pairs(), *((j, i) for i, j in ends.pairs())]:
        if knowledge.required[j, i]:
            found.append((i, j, True))
        elif knowledge.forbidden[j, i]:
            found.append((i, j, False))
    return sorted(found, key=lambda mark: (not mark[2], mark))
