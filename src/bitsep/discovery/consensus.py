"""The consensus graph: the edges that are probable, with directions on which bootstrap samples agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from bitsep.checks import real_number, shown
from bitsep.discovery.extension import known_arrows
from bitsep.errors import ArgumentError
from bitsep.graphs import PAG, PDAG, equivalence
from bitsep.graphs.claims import Claim, overruled
from bitsep.graphs.closure import close_consistent, ordered
from bitsep.graphs.marks import Marks, unshielded_triples
from bitsep.naming import Name

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery

Edge = tuple[int, int]


class Agreement(NamedTuple):
    """What is known about an edge.

    probability : of the edge.
    forward, backward : of the bootstrap samples that have it, the shares in which it leads from the first variable to
        the second, and from the second to the first.
    mark : its mark in the graph of all rows: "→", "←", "—", or "" if that does not have it.
    """

    probability: float
    forward: float
    backward: float
    mark: str


def consensus(discovery: Discovery, threshold: Any) -> PDAG:
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
    if isinstance(found, PAG):
        raise ArgumentError("consensus: must be of a graph without hidden variables, got a PAG.")
    names, places = discovery.variables, found._index
    edges = {}
    for pair, support in discovery.support.items():
        probability = discovery.probability[pair]
        if is_chosen(probability, pair in discovery.edges, level):
            i, j = sorted(places[name] for name in pair)
            share = support.edge or 1.0
            mark = _mark(found, names[i], names[j])
            edges[i, j] = Agreement(probability, support.forward / share, support.backward / share, mark)
    graph = Marks.of(len(names), (), edges)
    known, left_out = known_arrows(discovery, graph, lambda i, j: edges[ordered(i, j)].probability)
    for i, j in left_out:
        del edges[ordered(i, j)]
    return PDAG._of(names, agreed(len(names), edges, known))


def is_chosen(probability: float, drawn: bool, threshold: float) -> bool:
    """Whether the consensus graph has an edge.

    One that the graph of all rows does not have needs more: its direction is known from the samples only, and is often
    wrong. This makes the consensus graph better on average (`python -m accuracy.confidence`).
    """
    return probability >= (threshold if drawn else (1 + threshold) / 2)


def agreed(n: int, edges: Mapping[Edge, Agreement], known: Iterable[Edge] = ()) -> Marks:
    """The CPDAG with these edges (the smaller index first), v-structures by agreement, and the known directions."""
    known = list(known)
    graph = Marks.of(n, (), edges)
    ranked = []
    for a, c, b in unshielded_triples(graph):
        # Both ends point to c in at most the smaller share; most samples that have one of the arrows have both. The
        # graph of all rows, which is more reliable than that of a sample, counts as much as all samples together.
        excess = 2 * min(_share(edges, a, c), _share(edges, b, c)) - 1
        if edges[ordered(a, c)].mark and edges[ordered(b, c)].mark:
            excess += 1 if _points(edges, a, c) and _points(edges, b, c) else -1
        probability = edges[ordered(a, c)].probability + edges[ordered(b, c)].probability
        ranked.append((-abs(excess), -probability, a, c, b, excess > 0))
    ranked.sort()
    claims = [Claim.arrow(i, j) for i, j in known]
    claims += [(Claim.collider if collider else Claim.no_collider)(a, c, b) for _, _, a, c, b, collider in ranked]
    lost = set(overruled(claims))
    arrows = set(known)
    for k, (_, _, a, c, b, collider) in enumerate(ranked, len(known)):
        if collider != (k in lost):
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


def _share(edges: Mapping[Edge, Agreement], i: int, j: int) -> float:
    """The share of the samples with the edge in which it leads from i to j."""
    return edges[i, j].forward if i < j else edges[j, i].backward


def _points(edges: Mapping[Edge, Agreement], i: int, j: int) -> bool:
    """Whether the edge leads from i to j in the graph of all rows."""
    return edges[ordered(i, j)].mark == ("→" if i < j else "←")


def _mark(graph: PDAG, a: Name, b: Name) -> str:
    if (a, b) in graph.directed:
        return "→"
    if (b, a) in graph.directed:
        return "←"
    return "—" if frozenset((a, b)) in graph.undirected else ""
