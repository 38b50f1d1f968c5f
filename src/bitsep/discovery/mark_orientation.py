"""Puts marks at the ends of edges such that the graph is a legal PAG, by the decisions with the most evidence.

Knowledge comes first. Then the decisions about unshielded triples are accepted in the order of their bits, each unless
it contradicts what follows from those accepted before, and then the decisions about discriminating paths. The marks
accepted are completed to a MAG, and the PAG of this MAG is the result: so it is legal whatever the data say. Decisions
that do not hold in it are conflicts. If all decisions hold together, the result has exactly the marks that follow from
them (Zhang 2008).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bitsep.discovery.knowledge import Masks
from bitsep.discovery.orientation import EdgeConflict
from bitsep.discovery.skeleton import RefinedSkeleton
from bitsep.discovery.triple_evidence import Tests, WeighedTriples, evidence_of
from bitsep.discovery.v_structures import Triple, UndecidedTriple
from bitsep.graphs.ancestral_claims import AncestralClaims
from bitsep.graphs.claims import Claim, overruled
from bitsep.graphs.closure import ordered
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.mag_completion import complete_to_mag
from bitsep.graphs.marks import bits
from bitsep.graphs.pag_classes import has_extension, rules_of_mag
from bitsep.graphs.pag_rules import Reasons, Rules, discriminating_paths

Path = tuple[int, ...]
Ranked = list[tuple[Triple, float]]
"""Triples with their evidence, positive if it speaks for a collider, the clearest first."""


@dataclass(frozen=True, slots=True)
class Marked:
    """The marks of the graph, a MAG that it represents, reasons, conflicts and undecided triples.

    bits : the evidence on each triple: positive if it speaks for a collider.
    path_bits : the evidence on each discriminating path: positive if it speaks for a collider.
    known : the marks that knowledge gives: (i, j) for the mark at j on the edge between i and j.
    """

    ends: EndMarks
    mag: EndMarks
    reasons: Reasons
    conflicts: tuple[EdgeConflict, ...]
    undecided: tuple[UndecidedTriple, ...]
    bits: dict[Triple, float]
    path_bits: dict[Path, float]
    known: frozenset[tuple[int, int]] = field(default_factory=frozenset)

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


def accept_triples(adjacent: list[int], ranked: Ranked, knowledge: Masks | None, selection: bool) -> AncestralClaims:
    """The marks that follow from knowledge and from the decisions about unshielded triples.

    Without selection, a cycle of edges o—o in which no triple can be a collider is a contradiction that single marks do
    not show: the decisions with the fewest bits are then overruled (`Claim`), and all are accepted again.
    """
    overruled_triples: set[Triple] = set()
    while True:
        claims = _accept(adjacent, ranked, overruled_triples, knowledge)
        ends = claims.ends
        circles = [ends.circles_at(i) & ends.circles_to(i) for i in range(len(ends))]
        if selection or has_extension(circles):
            return claims
        inside = [(a, c, b) for (a, c, b), _ in ranked if circles[c] >> a & circles[c] >> b & 1]
        lost = {inside[k] for k in overruled([Claim.no_collider(*triple) for triple in inside])} - overruled_triples
        if not lost:
            return claims
        overruled_triples |= lost


def _accept(adjacent: list[int], ranked: Ranked, opposite: set[Triple], knowledge: Masks | None) -> AncestralClaims:
    """The marks that follow if the decisions about some triples are replaced by their opposites."""
    claims = AncestralClaims(adjacent)
    for i, j, is_tail in _known_marks(claims.ends, knowledge):
        _ = claims.directed(j, i) if is_tail else claims.arrow(i, j)
    for triple, weight in ranked:
        if weight == 0 and triple not in opposite:
            continue
        if (weight > 0) != (triple in opposite):
            _ = claims.collider(*triple) or claims.no_collider(*triple)
        else:
            _ = claims.no_collider(*triple) or claims.collider(*triple)
    return claims


def open_paths(claims: AncestralClaims, used: Iterable[Path]) -> list[Path]:
    """The discriminating paths (d, …, a, b, c) with a circle at b on the edge to c that were not used."""
    done = {(path[0], *path[-3:]) for path in used}
    ends = claims.ends
    return [
        path
        for b in range(len(ends))
        for c in bits(ends.circles_at(b))
        for path in discriminating_paths(ends, b, c)
        if (path[0], *path[-3:]) not in done
    ]


def weigh_paths(tests: Tests, skeleton: RefinedSkeleton, paths: list[Path], max_given: int | None) -> dict[Path, float]:
    """The evidence on each path that b is a collider on it, from the separator of its ends; see `triple_evidence`."""
    separators = {path: skeleton.separators[ordered(path[0], path[-1])] for path in paths}
    never = frozenset(skeleton.never_given)
    wanted = {
        (ordered(path[0], path[-1]), given): None
        for path, (separator, _) in separators.items()
        if (given := separator ^ {path[-2]}).isdisjoint(never) and (max_given is None or len(given) <= max_given)
    }
    scores = {(pair, given): score for pair, given, score, _ in tests.make(list(wanted))}
    found = {}
    for path, (separator, score) in separators.items():
        b = path[-2]
        changed = scores.get((ordered(path[0], path[-1]), separator ^ {b}))
        found[path] = evidence_of(score, changed, b in separator)
    return found


def accept_paths(claims: AncestralClaims, weighed: dict[Path, float]) -> None:
    """Accept the decisions about discriminating paths in the order of their bits."""
    for path, weight in sorted(weighed.items(), key=lambda entry: (-abs(entry[1]), entry[0])):
        a, b, c = path[-3:]
        if not claims.ends.circles_at(b) >> c & 1 or weight == 0:
            continue
        if weight > 0:
            _ = claims.path_collider(a, b, c) or claims.directed(b, c)
        else:
            _ = claims.directed(b, c) or claims.path_collider(a, b, c)


@dataclass(frozen=True, slots=True)
class Settled:
    """A graph that has the accepted marks, as far as there is one.

    rules : the graph, with the reasons for its marks.
    mag : a MAG that it represents.
    known : the marks that knowledge gives.
    contradicted : the edges on which the MAG does not have them.
    """

    rules: Rules
    mag: EndMarks
    known: list[tuple[int, int, bool]]
    contradicted: list[tuple[int, int]]


def settle(claims: AncestralClaims, ranked: Ranked, knowledge: Masks | None, selection: bool) -> Settled:
    """The PAG of a MAG that has the accepted marks, as far as there is one, with the marks that follow from knowledge.

    Knowledge is put into the PAG of the MAG, and the rules are applied again: the MAG has all marks of the result.
    """
    known = _known_marks(claims.ends, knowledge)
    accepted = Rules(claims.ends.copy(), lambda path: False)
    if selection:
        accepted.lines()
    mag = complete_to_mag(accepted.ends, known, [(*triple, weight > 0) for triple, weight in ranked])
    rules = rules_of_mag(mag)
    ends = rules.ends
    contradicted = []
    for i, j, is_tail in known:
        if mag.mark(j, i) != ("tail" if is_tail else "arrow"):
            contradicted.append(ordered(i, j))
        elif ends.mark(j, i) == "circle":
            ends.put(j, i, "tail" if is_tail else "arrow")
    if known:
        rules.close(selection=False)
    return Settled(rules, mag, known, contradicted)


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
    mag, known = settled.mag, settled.known
    conflicts = [EdgeConflict("knowledge", edge, ()) for edge in settled.contradicted]
    for triple, weight in ranked:
        if weight != 0 and (weight > 0) != mag.is_collider(*triple):
            conflicts.append(_refused(triple, weight, mag, known))
    for path, weight in paths.items():
        a, b, c = path[-3:]
        if weight != 0 and (weight > 0) != mag.is_collider(a, b, c):
            triple = (min(a, c), b, max(a, c))
            conflicts.append(EdgeConflict("evidence", ordered(b, c), (triple,), weight))
    conflicts.sort(key=lambda conflict: (conflict.edge, conflict.kind, conflict.triples))
    marks = frozenset((i, j) for i, j, _ in known if ordered(i, j) not in settled.contradicted)
    weights = dict(zip(triples.rows, triples.bits, strict=True))
    rules = settled.rules
    return Marked(rules.ends, mag, rules.reasons, tuple(conflicts), triples.undecided, weights, paths, marks)


def by_evidence(triples: WeighedTriples) -> Ranked:
    """The triples with their evidence, the clearest first; names decide only between exactly equal bits."""
    return sorted(zip(triples.rows, triples.bits, strict=True), key=lambda entry: (-abs(entry[1]), entry[0]))


def _known_marks(ends: EndMarks, knowledge: Masks | None) -> list[tuple[int, int, bool]]:
    """(i, j, is_tail) for every mark at j on the edge between i and j that knowledge gives.

    A forbidden edge from j to i says that j is not a cause of i, which is an arrowhead at j and nothing more: a hidden
    common cause remains possible. A required edge from j to i says that j is a cause of i.
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


def _refused(triple: Triple, weight: float, mag: EndMarks, known: list[tuple[int, int, bool]]) -> EdgeConflict:
    """The conflict of an overruled decision, with an edge of the triple whose mark contradicts the decision."""
    a, c, b = triple
    by_knowledge = {(i, j) for i, j, is_tail in known if is_tail == (weight > 0)}
    arms = [(end, c) for end in (a, b) if weight < 0 or not mag.arrows_at[c] >> end & 1]
    hit = [arm for arm in arms if arm in by_knowledge]
    refuted = bool(hit) if weight > 0 else len(hit) == 2
    edge = hit[0] if refuted else arms[0]
    return EdgeConflict("knowledge" if refuted else "evidence", ordered(*edge), (triple,), weight)
