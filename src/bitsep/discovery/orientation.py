"""Orients the edges of a skeleton by knowledge, v-structures and Meek's rules, and records contradictions.

There are two ways to treat contradictions: `orient_edges` leaves the edges concerned undirected, `orient_by_evidence`
keeps the decisions with the most evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from bitsep.discovery.evidence import ConflictKind
from bitsep.discovery.knowledge import Masks
from bitsep.discovery.skeleton import Mask
from bitsep.discovery.triple_evidence import WeighedTriples
from bitsep.discovery.v_structures import Triple, Triples, UndecidedTriple
from bitsep.graphs.claims import Claim, overruled
from bitsep.graphs.closure import close, follows, ordered
from bitsep.graphs.marks import Marks, bits, reachable


@dataclass(frozen=True, slots=True)
class EdgeConflict:
    """An edge (smaller index first) with a contradictory direction, and the v-structures that contradict it.

    bits : with `orient_by_evidence`, the evidence that was overruled: positive if it speaks for the v-structure.
    """

    kind: ConflictKind
    edge: tuple[int, int]
    triples: tuple[Triple, ...]
    bits: float | None = None


@dataclass(frozen=True, slots=True)
class Oriented:
    """The marks of the graph, its v-structures, the edges directed by knowledge, conflicts and undecided triples.

    bits : the evidence on each triple, with `orient_by_evidence` only.
    """

    marks: Marks
    colliders: tuple[Triple, ...]
    locked: frozenset[tuple[int, int]]
    conflicts: tuple[EdgeConflict, ...]
    undecided: tuple[UndecidedTriple, ...]
    bits: Mapping[Triple, float] = field(default_factory=dict)


def orient_edges(adjacent: Mask, triples: Triples, knowledge: Masks | None) -> Oriented:
    """Give the edges the directions that knowledge, v-structures and Meek's rules imply.

    Knowledge comes first: a v-structure that contradicts it is ignored. An edge that v-structures direct both ways
    stays undirected, as does an edge whose direction would close a cycle; Meek's rules do not direct them either. The
    result does not depend on the order in which edges or rules are considered.
    """
    marks, locked, circular = _start(adjacent, knowledge)
    conflicts = [EdgeConflict("knowledge", edge, ()) for edge in circular]
    colliders: list[Triple] = [(a, c, b) for a, c, b in triples.colliders.tolist()]
    if locked:
        against = {(j, i) for i, j in locked}
        refused = [t for t in colliders if not against.isdisjoint(_arms(t))]
        colliders = [t for t in colliders if against.isdisjoint(_arms(t))]
        hit = {ordered(*arm) for t in refused for arm in _arms(t) if arm in against}
        conflicts += [EdgeConflict("knowledge", edge, behind) for edge, behind in _by_arm(refused, hit).items()]

    fixed = {ordered(i, j) for i, j in locked}
    arrows = {arm for t in colliders for arm in _arms(t)}
    contested = {(i, j) for i, j in arrows if i < j and (j, i) in arrows}
    conflicts += [EdgeConflict("v-structures", edge, behind) for edge, behind in _by_arm(colliders, contested).items()]
    contested |= {conflict.edge for conflict in conflicts if conflict.edge not in fixed}
    for i, j in arrows - locked:
        if ordered(i, j) not in contested:
            marks.direct(i, j)
    settled = contested.copy()
    _close(marks, locked, contested, triples.undecided)
    conflicts += _from_rules(marks, contested - settled, arrows)
    conflicts.sort(key=lambda conflict: (conflict.edge, conflict.kind))
    return Oriented(marks, tuple(colliders), frozenset(locked), tuple(conflicts), triples.undecided)


def orient_by_evidence(adjacent: Mask, triples: WeighedTriples, knowledge: Masks | None) -> Oriented:
    """Give the edges directions such that the graph represents DAGs, by the decisions with the most evidence.

    Knowledge comes first. Then the decisions about triples are accepted in the order of their bits, each if some DAG
    with this skeleton satisfies it together with those accepted before; the others are conflicts. Undecided triples
    come last, as triples that are not v-structures, but no direction follows from them. The accepted decisions
    determine the v-structures of the graph; Meek's rules give the other directions. Names decide only between decisions
    with exactly the same bits.

    The graph represents no DAG only if the directions that knowledge allows form a cycle: these edges stay undirected.
    """
    marks, locked, circular = _start(adjacent, knowledge)
    ranked = [
        (triple, bits)
        for triple, bits in zip(triples.rows, triples.bits, strict=True)
        if not any(ordered(*arm) in circular for arm in _arms(triple))
    ]
    ranked.sort(key=lambda entry: (-abs(entry[1]), entry[0]))
    claims = [Claim.arrow(i, j) for i, j in locked]
    claims += [(Claim.collider if bits > 0 else Claim.no_collider)(*triple) for triple, bits in ranked]
    lost = [ranked[k - len(locked)] for k in overruled(claims)]
    refuted = {triple for triple, _ in lost}
    colliders = sorted(triple for triple, bits in ranked if (bits > 0) != (triple in refuted))
    arrows = {arm for triple in colliders for arm in _arms(triple)}
    for i, j in arrows - locked:
        marks.direct(i, j)
    contested = circular.copy()
    _close(marks, locked, contested, triples.undecided)
    conflicts = [EdgeConflict("knowledge", edge, ()) for edge in circular]
    conflicts += [_refused(triple, bits, marks, locked) for triple, bits in lost if bits != 0]
    conflicts += _from_rules(marks, contested - circular, arrows)
    conflicts.sort(key=lambda conflict: (conflict.edge, conflict.kind, conflict.triples))
    evidence = dict(zip(triples.rows, triples.bits, strict=True))
    return Oriented(marks, tuple(colliders), frozenset(locked), tuple(conflicts), triples.undecided, evidence)


def _close(
    marks: Marks,
    locked: set[tuple[int, int]],
    contested: set[tuple[int, int]],
    undecided: tuple[UndecidedTriple, ...],
) -> None:
    """Apply Meek's rules; rules 1, 3 and 4 apply only to triples that are known not to be v-structures."""
    if not undecided:
        close(marks, locked, contested)
        return
    open_triples = {(d.a, d.c, d.b) for d in undecided} | {(d.b, d.c, d.a) for d in undecided}
    close(marks, locked, contested, lambda now, i, j: _follows_from_decided(now, i, j, open_triples))


def _refused(triple: Triple, bits: float, marks: Marks, locked: set[tuple[int, int]]) -> EdgeConflict:
    """The conflict of an overruled decision, with an edge of the triple whose direction contradicts the decision."""
    against = [arm for arm in _arms(triple) if bits < 0 or not marks.parents[arm[1]] >> arm[0] & 1]
    known = [arm for arm in against if (arm if bits < 0 else arm[::-1]) in locked]
    by_knowledge = bool(known) if bits > 0 else len(known) == 2
    edge = known[0] if by_knowledge else against[0]
    return EdgeConflict("knowledge" if by_knowledge else "evidence", ordered(*edge), (triple,), bits)


def _from_rules(marks: Marks, contested: set[tuple[int, int]], arrows: set[tuple[int, int]]) -> list[EdgeConflict]:
    """The conflicts about edges that were found to be contested while Meek's rules were applied."""
    found = []
    for i, j in contested:
        both = (i, j) not in arrows and (j, i) not in arrows and follows(marks, i, j) and follows(marks, j, i)
        found.append(EdgeConflict("rules" if both else "cycle", (i, j), ()))
    return found


def _start(adjacent: Mask, knowledge: Masks | None) -> tuple[Marks, set[tuple[int, int]], set[tuple[int, int]]]:
    """The skeleton directed by knowledge, these directions, and the edges left out because their ones form a cycle."""
    lines = list(zip(*(index.tolist() for index in np.nonzero(np.triu(adjacent, 1))), strict=True))
    marks = Marks.of(len(adjacent), (), lines)
    if knowledge is None:
        return marks, set(), set()
    locked, circular = _known(adjacent, knowledge)
    for i, j in locked:
        marks.direct(i, j)
    return marks, locked, {ordered(i, j) for i, j in circular}


def _known(adjacent: Mask, knowledge: Masks) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The directions that knowledge gives to edges of the skeleton, and those left out because they form a cycle.

    Required edges are acyclic, but edges that are directed because the other direction is forbidden can form a cycle.
    """
    fixed = adjacent & (knowledge.required | (knowledge.forbidden.T & ~knowledge.forbidden))
    arrows = set(zip(*(index.tolist() for index in np.nonzero(fixed)), strict=True))
    below = reachable(Marks.of(len(adjacent), arrows).children)
    circular = {(i, j) for i, j in arrows if below[j] >> i & 1 and not knowledge.required[i, j]}
    return arrows - circular, circular


def _arms(triple: Triple) -> tuple[tuple[int, int], tuple[int, int]]:
    a, c, b = triple
    return (a, c), (b, c)


def _by_arm(triples: Iterable[Triple], edges: set[tuple[int, int]]) -> dict[tuple[int, int], tuple[Triple, ...]]:
    """For each of the edges, the v-structures that have it as an arm."""
    found: dict[tuple[int, int], list[Triple]] = {edge: [] for edge in edges}
    for triple in triples if found else ():
        for arm in _arms(triple):
            if (edge := ordered(*arm)) in found:
                found[edge].append(triple)
    return {edge: tuple(behind) for edge, behind in found.items()}


def _follows_from_decided(marks: Marks, i: int, j: int, undecided: set[Triple]) -> bool:
    """Like `follows`, but no rule uses an undecided triple."""
    beside_j = marks.adjacent(j)
    if any((k, i, j) not in undecided for k in bits(marks.parents[i] & ~beside_j)):  # rule 1
        return True
    if marks.children[i] & marks.parents[j]:  # rule 2
        return True
    both = marks.undirected[i] & marks.parents[j]
    for k in bits(both):  # rule 3
        if any((k, i, m) not in undecided for m in bits(both & ~marks.adjacent(k) & ~(1 << k))):
            return True
    not_beside_j = marks.undirected[i] & ~beside_j & ~(1 << j)
    through = bits(marks.adjacent(i) & marks.parents[j])
    return any((m, i, j) not in undecided for k in through for m in bits(marks.parents[k] & not_beside_j))  # rule 4
