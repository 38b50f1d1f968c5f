"""Which decisions about unshielded triples and discriminating paths hold together, with each other and with knowledge.

Decisions are accepted in the order of their bits, each unless it contradicts those accepted before. Without knowledge,
contradictions are found by propagation (`AncestralClaims`) and, for what is left, when the marks are completed to a
MAG. Knowledge makes more contradictions that propagation does not show. Therefore a MAG is then searched for: if there
is none, the first decision for which there is none is replaced by its opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from types import MappingProxyType

import numpy as np

from bitsep.discovery.knowledge import Masks
from bitsep.discovery.skeleton import RefinedSkeleton
from bitsep.discovery.triple_evidence import Tests, WeighedTriples, evidence_of
from bitsep.discovery.v_structures import Triple
from bitsep.graphs import mag_search
from bitsep.graphs.ancestral_claims import AncestralClaims
from bitsep.graphs.claims import Claim, overruled
from bitsep.graphs.closure import ordered
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import bits
from bitsep.graphs.pag_classes import has_extension
from bitsep.graphs.pag_rules import discriminating_paths

Path = tuple[int, ...]
Ranked = list[tuple[Triple, float]]
"""Triples with their evidence, positive if it speaks for a collider, the clearest first."""

Strengths = Mapping[tuple[int, int], float]
"""How clearly the data show that pairs (the smaller index first) have an edge or none."""

Statement = Callable[[AncestralClaims, bool], None]
"""Accepts a claim, or its opposite if the second argument is true; the other of them if that is contradicted."""


def by_evidence(triples: WeighedTriples) -> Ranked:
    """The triples with their evidence, the clearest first; names decide only between exactly equal bits."""
    return sorted(zip(triples.rows, triples.bits, strict=True), key=lambda entry: (-abs(entry[1]), entry[0]))


def accept_triples(
    adjacent: list[int],
    ranked: Ranked,
    knowledge: Masks | None,
    selection: bool,
    strengths: Strengths = MappingProxyType({}),
) -> AncestralClaims:
    """The marks that follow from knowledge and from the decisions about unshielded triples.

    If pieces of knowledge contradict each other, those about pairs with a small strength give way.
    """
    if knowledge is not None:
        decided = {triple for triple, _ in ranked}
        others = [triple for triple in EndMarks.circles(adjacent).unshielded() if triple not in decided]
        decisions = [*ranked, *((triple, 0.0) for triple in others)]
        return _held_together(adjacent, [*_known(knowledge, strengths), *(_decision(*entry) for entry in decisions)])
    return _without_cycles(adjacent, ranked, selection)


def _without_cycles(adjacent: list[int], ranked: Ranked, selection: bool) -> AncestralClaims:
    """The marks that follow from the decisions about triples.

    Without selection, a cycle of edges o—o in which no triple can be a collider is a contradiction that single marks do
    not show: the decisions with the fewest bits are then overruled (`Claim`), and all are accepted again.
    """
    opposite: set[Triple] = set()
    while True:
        claims = AncestralClaims(adjacent)
        for triple, weight in ranked:
            if weight != 0 or triple in opposite:
                _decision(triple, weight)(claims, triple in opposite)
        ends = claims.ends
        circles = [ends.circles_at(i) & ends.circles_to(i) for i in range(len(ends))]
        if selection or has_extension(circles):
            return claims
        inside = [(a, c, b) for (a, c, b), _ in ranked if circles[c] >> a & circles[c] >> b & 1]
        lost = {inside[k] for k in overruled([Claim.no_collider(*triple) for triple in inside])} - opposite
        if not lost:
            return claims
        opposite |= lost


def known_claims(adjacent: list[int], knowledge: Masks, refused: Container[tuple[int, int]]) -> AncestralClaims:
    """The marks that follow from knowledge alone, but for that about the pairs in which it does not hold."""
    claims = AncestralClaims(adjacent)
    for accept, mask in ((claims.directed, knowledge.required), (claims.no_ancestor, knowledge.forbidden)):
        for i, j in np.argwhere(mask).tolist():
            if ordered(i, j) not in refused:
                accept(i, j)
    mag_search.close(claims)
    return claims


def _held_together(adjacent: list[int], statements: list[Statement]) -> AncestralClaims:
    """The marks that follow from statements, each accepted if some MAG satisfies it and all those accepted before."""
    claims = AncestralClaims(adjacent)
    while not _closed(found := _with(claims, statements)):
        low, high = 0, len(statements)  # a MAG is found with the first `low`, and none with the first `high`
        while high - low > 1:
            middle = (low + high) // 2
            more = _with(claims, statements[low:middle])
            if _closed(more.copy()):
                claims, low = more, middle
            else:
                high = middle
        for statement in statements[low:high]:
            statement(claims, True)
        statements = statements[high:]
        if not _closed(claims):
            break  # the search for a MAG gave up
    return found


def _with(claims: AncestralClaims, statements: list[Statement]) -> AncestralClaims:
    """A copy in which the statements are accepted, too."""
    more = claims.copy()
    for statement in statements:
        statement(more, False)
    return more


def _closed(claims: AncestralClaims) -> bool:
    """Whether a MAG satisfies the claims; the marks that follow from them are then accepted, too."""
    return mag_search.close(claims) and mag_search.find_mag(claims) is not None


def _known(knowledge: Masks, strengths: Strengths) -> list[Statement]:
    """Required edges, then the pairs of which one is not a cause of the other, those with the largest strength first.

    A required edge from i to j says that i is a cause of j. A forbidden edge from i to j says that i is not a cause of
    j, whether they have an edge or not, and nothing more: a hidden common cause remains possible.
    """
    apart = sorted(np.argwhere(knowledge.forbidden).tolist(), key=lambda ij: (-strengths.get(ordered(*ij), 0.0), ij))
    return [
        *(partial(_cause, i, j) for i, j in np.argwhere(knowledge.required).tolist()),
        *(partial(_no_cause, i, j) for i, j in apart),
    ]


def _cause(i: int, j: int, claims: AncestralClaims, opposite: bool) -> None:
    if not opposite:
        claims.directed(i, j)


def _no_cause(i: int, j: int, claims: AncestralClaims, opposite: bool) -> None:
    if not opposite:
        claims.no_ancestor(i, j)


def _decision(triple: Triple, weight: float) -> Statement:
    """The decision about a triple; without evidence it is no collider, if that is possible."""

    def decide(claims: AncestralClaims, opposite: bool) -> None:
        if (weight > 0) != opposite:
            _ = claims.collider(*triple) or claims.no_collider(*triple)
        else:
            _ = claims.no_collider(*triple) or claims.collider(*triple)

    return decide


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


def accept_paths(claims: AncestralClaims, weighed: dict[Path, float], knowledge: Masks | None) -> None:
    """Accept the decisions about discriminating paths in the order of their bits."""
    ranked = sorted(weighed.items(), key=lambda entry: (-abs(entry[1]), entry[0]))
    before = claims.copy()
    for path, weight in ranked:
        _accept_path(claims, path, weight > 0, weight)
    if knowledge is None or _closed(claims):
        return
    claims.restore(before)
    for path, weight in ranked:
        before = claims.copy()
        _accept_path(claims, path, weight > 0, weight)
        if not _closed(claims):
            claims.restore(before)
            _accept_path(claims, path, weight < 0, weight)


def _accept_path(claims: AncestralClaims, path: Path, is_collider: bool, weight: float) -> None:
    a, b, c = path[-3:]
    is_open = bool(claims.ends.circles_at(b) >> c & 1)
    if weight == 0 or (is_collider and claims.path_collider(a, b, c)) or not is_open:
        return
    _ = claims.directed(b, c) or claims.path_collider(a, b, c)
