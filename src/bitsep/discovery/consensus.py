"""The consensus graph: the edges that are probable, with directions on which bootstrap samples agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from bitsep.checks import real_number, shown
from bitsep.discovery.extension import known_arrows, known_masks
from bitsep.discovery.knowledge import Masks
from bitsep.discovery.mark_claims import Path, Ranked, accept_paths, accept_triples, open_paths
from bitsep.discovery.mark_orientation import settle
from bitsep.discovery.v_structures import Triple
from bitsep.errors import ArgumentError
from bitsep.graphs import PAG, PDAG, equivalence
from bitsep.graphs.claims import Claim, overruled
from bitsep.graphs.closure import close_consistent, ordered
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import Marks, unshielded_triples
from bitsep.naming import Name

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery

Edge = tuple[int, int]

_GRAPH = 1 + 1e-9  # the weight of the graph of all rows beside that of all samples
_ARROWHEADS = {(False, True): "→", (True, False): "←", (True, True): "↔", (False, False): "—"}


class Agreement(NamedTuple):
    """What is known about an edge.

    probability : of the edge.
    forward, backward : of the bootstrap samples that have it, the shares with an arrowhead at the second variable, and
        at the first.
    mark : the arrowheads in the graph of all rows: "→", "←", "—" (none), in a PAG also "↔"; "" if that does not have
        the edge.
    """

    probability: float
    forward: float
    backward: float
    mark: str


def consensus(discovery: Discovery, threshold: Any) -> PDAG | PAG:
    """See `Discovery.consensus`."""
    level = real_number(threshold)
    if level is None or not 0 < level <= 1:
        raise ArgumentError(f"threshold: must be above 0 and at most 1, got {shown(threshold)}.")
    if not discovery.settings["bootstrap"]:
        raise ArgumentError(
            "consensus: the search had no bootstrap samples; at least 1 is needed, got 0.",
            hint="Search again with bootstrap=100 (--bootstrap 100 in the shell).",
        )
    found = discovery.graph
    names, places = discovery.variables, found._index
    edges = {}
    for pair in discovery.support:
        probability = discovery.probability.counted(pair)
        if is_chosen(probability, pair in discovery.edges, level):
            i, j = sorted(places[name] for name in pair)
            support = discovery.probability.support(pair)
            share = support.edge or 1.0
            mark = _mark(found, names[i], names[j])
            edges[i, j] = Agreement(probability, support.forward / share, support.backward / share, mark)
    if isinstance(found, PAG):
        return PAG._of(names, agreed_marks(len(names), edges, known_masks(discovery), discovery.settings["selection"]))
    graph = Marks.of(len(names), (), edges)
    known, left_out = known_arrows(discovery, graph, lambda i, j: edges[ordered(i, j)].probability)
    for i, j in left_out:
        del edges[ordered(i, j)]
    return PDAG._of(names, agreed(len(names), edges, known))


def is_chosen(probability: float, drawn: bool, threshold: float) -> bool:
    """Whether the consensus graph has an edge.

    One that the graph of all rows does not have needs more: its direction is known from the samples only, and is often
    wrong.
    """
    return probability >= (threshold if drawn else (1 + threshold) / 2)


def agreed(n: int, edges: Mapping[Edge, Agreement], known: Iterable[Edge] = ()) -> Marks:
    """The CPDAG with these edges (the smaller index first), v-structures by agreement, and the known directions."""
    known = list(known)
    ranked = rank(unshielded_triples(Marks.of(n, (), edges)), edges)
    claims = [Claim.arrow(i, j) for i, j in known]
    claims += [(Claim.collider if excess > 0 else Claim.no_collider)(*triple) for triple, excess in ranked]
    lost = set(overruled(claims))
    arrows = set(known)
    for k, ((a, c, b), excess) in enumerate(ranked, len(known)):
        if (excess > 0) != (k in lost):
            arrows |= {(a, c), (b, c)}
    lines = [edge for edge in edges if edge not in arrows and edge[::-1] not in arrows]
    dag = equivalence.extend(Marks.of(n, sorted(arrows), lines))
    assert dag is not None  # the accepted claims hold together, and they decide every triple
    marks = equivalence.complete(dag)
    directed = {(i, j) for i, j in known if marks.undirected[i] >> j & 1}
    for i, j in directed:
        marks.direct(i, j)
    close_consistent(marks, directed)
    return marks


def agreed_marks(n: int, edges: Mapping[Edge, Agreement], knowledge: Masks | None, selection: bool) -> EndMarks:
    """The legal PAG with these edges, colliders by agreement, and the marks that follow from knowledge."""
    graph = EndMarks.circles([0] * n)
    for edge in edges:
        graph.join(*edge)
    ranked = rank(graph.unshielded(), edges)
    strengths = {edge: agreement.probability for edge, agreement in edges.items()}
    claims = accept_triples(graph.adjacent, ranked, knowledge, selection, strengths)
    weighed: dict[Path, float] = {}
    while paths := open_paths(claims, weighed):
        found = {path: collider_excess(edges, *path[-3:]) for path in paths}
        weighed |= found
        accept_paths(claims, found, knowledge)
    return settle(claims, ranked, knowledge, selection).rules.ends


def rank(triples: Iterable[Triple], edges: Mapping[Edge, Agreement]) -> Ranked:
    """The triples with the agreement that they are colliders, the clearest first, then those of probable edges."""
    found = []
    for a, c, b in triples:
        excess = collider_excess(edges, a, c, b)
        probability = edges[ordered(a, c)].probability + edges[ordered(b, c)].probability
        found.append((-abs(excess), -probability, (a, c, b), excess))
    return [(triple, excess) for _, _, triple, excess in sorted(found)]


def collider_excess(edges: Mapping[Edge, Agreement], a: int, c: int, b: int) -> float:
    """How clearly a — c — b is a collider: from −2 (not at all) to 2.

    Both ends point to c in at most the smaller share; most samples that have one of the arrows have both. The graph of
    all rows, which is more reliable than that of a sample, counts as much as all samples together, and a little more:
    it decides ties.
    """
    excess = 2 * min(_share(edges, a, c), _share(edges, b, c)) - 1
    if edges[ordered(a, c)].mark and edges[ordered(b, c)].mark:
        excess += _GRAPH if _points(edges, a, c) and _points(edges, b, c) else -_GRAPH
    return excess


def _share(edges: Mapping[Edge, Agreement], i: int, j: int) -> float:
    """The share of the samples with the edge in which it has an arrowhead at j."""
    return edges[i, j].forward if i < j else edges[j, i].backward


def _points(edges: Mapping[Edge, Agreement], i: int, j: int) -> bool:
    """Whether the edge has an arrowhead at j in the graph of all rows."""
    return edges[ordered(i, j)].mark in (("→" if i < j else "←"), "↔")


def _mark(graph: PDAG | PAG, a: Name, b: Name) -> str:
    if isinstance(graph, PAG):
        if not graph.adjacent(a, b):
            return ""
        return _ARROWHEADS[graph.mark(a, b) == "arrow", graph.mark(b, a) == "arrow"]
    if (a, b) in graph.directed:
        return "→"
    if (b, a) in graph.directed:
        return "←"
    return "—" if frozenset((a, b)) in graph.undirected else ""
