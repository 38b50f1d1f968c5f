"""A DAG for every graph found, and what had to be decided for it.

A graph that represents DAGs gives one of them. Tests on a sample may contradict each other, so a graph can also
represent none. Then its directions, its v-structures and its other triples are claims of which those with the most
evidence are kept, as far as one DAG can satisfy them (`bitsep.graphs.claims`). Knowledge always holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bitsep.discovery.evidence import Decision
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.knowledge import Knowledge, Masks
from bitsep.errors import ArgumentError
from bitsep.figures import shown_bits
from bitsep.graphs import DAG, PAG, equivalence
from bitsep.graphs.claims import Claim, overruled
from bitsep.graphs.marks import Marks, bits, reachable, unshielded_triples
from bitsep.naming import Name, plain_name

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery

Arrow = tuple[int, int]

_MAX_EDGES_SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class Extension:
    """A DAG, and the decisions in which it differs from the graph."""

    dag: DAG
    decisions: tuple[Decision, ...]


def decisions_shown(discovery: Discovery) -> tuple[Decision, ...] | None:
    """The decisions for a report or a terminal; None if the graph has so many edges that they may take a minute."""
    return None if len(discovery.edges) > _MAX_EDGES_SHOWN else discovery.decisions


def extend(discovery: Discovery) -> Extension:
    """The DAG of a discovery: the best one of a search by score, otherwise a member of the class of its graph, or the
    nearest DAG if the graph represents none."""
    found = discovery.graph
    if isinstance(found, PAG):
        raise ArgumentError(
            "to_dag: a PAG represents graphs with hidden variables, so it has no DAG of the observed variables.",
            hint="Use graph.mag() for one graph of its class, or a search without hidden variables, such as pc_stable.",
        )
    if discovery._best_dag is not None:
        best = discovery._best_dag()
        return Extension(best, tuple(_decisions(discovery.variables, found._marks, best._marks)))
    graph = found._marks.copy()
    known, left_out = known_arrows(discovery, graph, lambda i, j: _edge_bits(discovery, i, j))
    for i, j in left_out:
        _remove(graph, i, j)
    for i, j in known:
        _remove(graph, i, j)
        graph.direct(i, j)
    dag = equivalence.extend(graph)
    if dag is None:
        dag = _nearest(discovery, graph, known)
    names = discovery.variables
    decisions = [_left_out(discovery, i, j) for i, j in left_out]
    decisions += _decisions(names, found._marks, dag)
    return Extension(DAG._of(names, dag), tuple(decisions))


def known_arrows(
    discovery: Discovery, graph: Marks, evidence: Callable[[int, int], float]
) -> tuple[list[Arrow], list[Arrow]]:
    """The directions that knowledge gives to edges of the graph, and edges that have to be left out for them.

    Required edges form no cycle, but edges of which one direction is forbidden can: of such a cycle the edge with the
    least evidence is left out.
    """
    masks = known_masks(discovery)
    if masks is None:
        return [], []
    allowed = masks.required | (masks.forbidden.T & ~masks.forbidden)
    rows, columns = (index.tolist() for index in np.nonzero(allowed))
    known = [(i, j) for i, j in zip(rows, columns, strict=True) if graph.adjacent(i) >> j & 1]
    left_out: list[Arrow] = []
    while True:
        below = reachable(Marks.of(len(graph), known).children)
        circular = [(i, j) for i, j in known if below[j] >> i & 1 and not masks.required[i, j]]
        if not circular:
            return known, left_out
        weakest = min(circular, key=lambda arrow: evidence(*arrow))
        known.remove(weakest)
        left_out.append(weakest)


def known_masks(discovery: Discovery) -> Masks | None:
    """The knowledge used, if any; JSON stores the names of variables as text or integers, so these are compared."""
    parts = discovery.settings["knowledge"]
    if not parts:
        return None
    knowledge = Knowledge(**{part: [[_plain(name) for name in names] for names in parts[part]] for part in parts})
    return knowledge.on([_plain(name) for name in discovery.variables])


def _plain(name: Any) -> int | str:
    return plain_name(tuple(name) if isinstance(name, list) else name)


def _nearest(discovery: Discovery, graph: Marks, known: list[Arrow]) -> Marks:
    """A DAG that satisfies what is known and, as far as possible, the claims of the graph with the most evidence.

    The evidence on a triple a — c — b is that of the separation of a and b. Single directions come last: those that
    belong to v-structures, or follow from them by Meek's rules, are claimed by the triples.
    """
    index = discovery.graph._index
    ambiguous = {(index[t.a], index[t.center], index[t.b]) for t in discovery.ambiguous}
    ranked = []
    for a, c, b in unshielded_triples(graph):
        collider = bool(graph.parents[c] >> a & graph.parents[c] >> b & 1)
        evidence = 0.0 if (a, c, b) in ambiguous else _triple_bits(discovery, a, b)
        ranked.append((-evidence, a, c, b, collider))
    ranked.sort()
    claims = [Claim.arrow(i, j) for i, j in known]
    claims += [(Claim.collider if collider else Claim.no_collider)(a, c, b) for _, a, c, b, collider in ranked]
    claims += [Claim.arrow(i, j) for i, j in graph.directed_pairs()]
    lost = set(overruled(claims))
    arrows = {arrow for k, arrow in enumerate(graph.directed_pairs(), len(known) + len(ranked)) if k not in lost}
    for k, (_, a, c, b, collider) in enumerate(ranked, len(known)):
        if collider != (k in lost):
            arrows |= {(a, c), (b, c)}
    lines = [pair for pair in _edges(graph) if pair not in arrows and pair[::-1] not in arrows]
    dag = equivalence.extend(Marks.of(len(graph), arrows, lines))
    assert dag is not None  # the accepted claims hold together, and they decide every triple
    return dag


def _edges(graph: Marks) -> Iterator[Arrow]:
    for i in range(len(graph)):
        for j in bits(graph.adjacent(i) >> (i + 1)):
            yield i, i + 1 + j


def _remove(graph: Marks, i: int, j: int) -> None:
    """Remove the edge between i and j, whatever its direction."""
    for one, other in ((i, j), (j, i)):
        for sets in (graph.parents, graph.children, graph.undirected):
            sets[one] &= ~(1 << other)


def _triple_bits(discovery: Discovery, i: int, j: int) -> float:
    """How clearly i and j are separated, in bits; 0 if no test separates them."""
    separation = discovery.separations.get(_pair(discovery, i, j))
    return 0.0 if separation is None else max(0.0, separation.margin_bits)


def _edge_bits(discovery: Discovery, i: int, j: int) -> float:
    margin = discovery.edges[_pair(discovery, i, j)].margin_bits
    return 0.0 if margin is None else margin


def _pair(discovery: Discovery, i: int, j: int) -> frozenset[Name]:
    return frozenset((discovery.variables[i], discovery.variables[j]))


def _decisions(names: tuple[Name, ...], graph: Marks, dag: Marks) -> Iterator[Decision]:
    """One decision for each edge of the DAG that has another mark in the graph, ascending."""
    for i, j in _edges(dag):
        if dag.parents[i] >> j & 1:
            i, j = j, i
        if graph.parents[j] >> i & 1:
            continue
        arrow, (a, b) = (names[i], names[j]), sorted((i, j))
        if graph.parents[i] >> j & 1:
            text = "{} → {} became {} → {}: no DAG has all directions of the graph and only its v-structures."
            yield Decision("reversed", arrow, _about(names, text, j, i, i, j))
            continue
        new = dag.parents[j] & ~dag.adjacent(i) & ~(1 << i)
        if not new:
            text = "{} — {} became {} → {}, which makes no v-structure and no cycle."
            yield Decision("undirected", arrow, _about(names, text, a, b, i, j))
            continue
        text = (
            "{} — {} became {} → {} in the v-structure {} → {} ← {}, which the graph does not have: no DAG has all "
            "directions of the graph and only its v-structures."
        )
        yield Decision("v-structure", arrow, _about(names, text, a, b, i, j, i, j, next(bits(new))))


def _left_out(discovery: Discovery, i: int, j: int) -> Decision:
    names, (a, b) = discovery.variables, sorted((i, j))
    text = (
        "{} — {} was left out: the directions that the knowledge allows for such edges form a cycle, and this edge has "
        "the least evidence in it ({} bits)."
    )
    reason = Explanation(text, ((names[a],), (names[b],), shown_bits(_edge_bits(discovery, i, j))))
    return Decision("left out", (names[a], names[b]), reason)


def _about(names: tuple[Name, ...], template: str, *variables: int) -> Explanation:
    return Explanation(template, tuple((names[v],) for v in variables))
