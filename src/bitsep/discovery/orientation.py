"""Orients the edges of a skeleton by knowledge, v-structures and Meek's rules, and records contradictions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from bitsep.discovery.evidence import ConflictKind
from bitsep.discovery.knowledge import Masks
from bitsep.discovery.skeleton import Mask
from bitsep.discovery.v_structures import Triples, UndecidedTriple
from bitsep.graphs.closure import close, follows, ordered
from bitsep.graphs.marks import Marks, bits, reachable

Triple = tuple[int, int, int]
"""(a, c, b) of a → c ← b, with a < b."""


@dataclass(frozen=True, slots=True)
class EdgeConflict:
    """An edge (smaller index first) with a contradictory direction, and the v-structures that contradict it."""

    kind: ConflictKind
    edge: tuple[int, int]
    triples: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Oriented:
    """The marks of the graph, its v-structures, the edges directed by knowledge, conflicts and undecided triples."""

    marks: Marks
    colliders: tuple[Triple, ...]
    locked: frozenset[tuple[int, int]]
    conflicts: tuple[EdgeConflict, ...]
    undecided: tuple[UndecidedTriple, ...]


def orient_edges(adjacent: Mask, triples: Triples, knowledge: Masks | None) -> Oriented:
    """Give the edges the directions that knowledge, v-structures and Meek's rules imply.

    Knowledge comes first: a v-structure that contradicts it is ignored. An edge that v-structures direct both ways
    stays undirected, as does an edge whose direction would close a cycle; Meek's rules do not direct them either. The
    result does not depend on the order in which edges or rules are considered.
    """
    n = len(adjacent)
    lines = list(zip(*(index.tolist() for index in np.nonzero(np.triu(adjacent, 1))), strict=True))
    marks = Marks.of(n, (), lines)
    conflicts: list[EdgeConflict] = []
    locked: set[tuple[int, int]] = set()
    if knowledge is not None:
        locked, circular = _known(adjacent, knowledge)
        conflicts += [EdgeConflict("knowledge", ordered(i, j), ()) for i, j in circular]
    for i, j in locked:
        marks.direct(i, j)
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
    if triples.undecided:
        # Rules 1, 3 and 4 apply only to triples that are known not to be v-structures.
        undecided = {(d.a, d.c, d.b) for d in triples.undecided} | {(d.b, d.c, d.a) for d in triples.undecided}
        close(marks, locked, contested, lambda now, i, j: _follows_from_decided(now, i, j, undecided))
    else:
        close(marks, locked, contested)
    for i, j in contested - settled:
        both = (i, j) not in arrows and (j, i) not in arrows and follows(marks, i, j) and follows(marks, j, i)
        conflicts.append(EdgeConflict("rules" if both else "cycle", (i, j), ()))
    conflicts.sort(key=lambda conflict: (conflict.edge, conflict.kind))
    return Oriented(marks, tuple(colliders), frozenset(locked), tuple(conflicts), triples.undecided)


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
