"""PC-stable by the book: Colombo & Maathuis 2014 for the skeleton and the v-structures, Meek 1995 for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from twins.answers import Answers

Pair = frozenset[str]
Triple = tuple[str, str, str]
"""(a, c, b) of a — c — b, with a < b."""


def skeleton(
    answers: Answers, max_given: int | None = None, best: bool = False
) -> tuple[set[Pair], dict[Pair, tuple[str, ...]]]:
    """The edges, and the separator of every other pair: the first, or with `best` the one with the lowest score."""
    edges = {frozenset(pair) for pair in combinations(answers.names, 2)}
    separators: dict[Pair, tuple[str, ...]] = {}
    size = 0
    while max_given is None or size <= max_given:
        neighbors = {v: sorted(u for u in answers.names if frozenset((u, v)) in edges) for v in answers.names}
        if all(len(others) <= size for others in neighbors.values()):
            break
        for x, y in combinations(answers.names, 2):
            if frozenset((x, y)) not in edges:
                continue
            sets = _sets_of(neighbors, x, y, size)
            found = [given for given in sets if answers.independent(x, y, given)]
            if found:
                edges.discard(frozenset((x, y)))
                chosen = min(found, key=lambda s: (answers.score(x, y, s), sets.index(s))) if best else found[0]
                separators[frozenset((x, y))] = chosen
        size += 1
    return edges, separators


def _sets_of(neighbors: dict[str, list[str]], x: str, y: str, size: int) -> list[tuple[str, ...]]:
    """The sets of this size among the neighbors of x, then among those of y."""
    first = combinations([v for v in neighbors[x] if v != y], size)
    second = combinations([v for v in neighbors[y] if v != x], size)
    return list(dict.fromkeys([*first, *second]))


def unshielded(names: tuple[str, ...], edges: set[Pair]) -> Iterator[Triple]:
    for a, b in combinations(names, 2):
        if frozenset((a, b)) not in edges:
            for c in names:
                if frozenset((a, c)) in edges and frozenset((b, c)) in edges:
                    yield a, c, b


def v_structures(
    answers: Answers, edges: set[Pair], separators: dict[Pair, tuple[str, ...]], rule: str
) -> tuple[set[Triple], set[Triple]]:
    """The v-structures, and the triples that the rule leaves undecided."""
    neighbors = {v: sorted(u for u in answers.names if frozenset((u, v)) in edges) for v in answers.names}
    colliders, undecided = set(), set()
    for a, c, b in unshielded(answers.names, edges):
        if rule == "standard":
            if c not in separators[frozenset((a, b))]:
                colliders.add((a, c, b))
            continue
        sets = {s for size in range(len(answers.names)) for s in _sets_of(neighbors, a, b, size)}
        found = [s for s in sets if answers.independent(a, b, s)]
        share = sum(c in s for s in found) / len(found) if found else 0.5
        certain = (share == 0, share == 1) if rule == "conservative" else (share < 0.5, share > 0.5)
        if certain[0] and found:
            colliders.add((a, c, b))
        elif not certain[1] or not found:
            undecided.add((a, c, b))
    return colliders, undecided


def evidence(answers: Answers, edges: set[Pair], separators: dict[Pair, tuple[str, ...]], triple: Triple) -> float:
    """By how many bits the smallest separators get worse if the center of the triple changes sides."""
    a, c, b = triple
    size = len(separators[frozenset((a, b))])
    later = {pair for pair, given in separators.items() if len(given) >= size}
    for pool in (edges, edges | later):
        neighbors = {v: sorted(u for u in answers.names if frozenset((u, v)) in pool) for v in answers.names}
        found = [frozenset(s) for s in _sets_of(neighbors, a, b, size) if answers.independent(a, b, s)]
        if found:
            break
    bits = 0.0
    for separator in found:
        gain = answers.score(a, b, separator ^ {c}) - answers.score(a, b, separator)
        bits += -gain if c in separator else gain
    return bits


def meek(names: tuple[str, ...], edges: set[Pair], arrows: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The arrows that follow, one at a time, by the four rules."""
    arrows = set(arrows)

    def line(x: str, y: str) -> bool:
        return frozenset((x, y)) in edges and (x, y) not in arrows and (y, x) not in arrows

    def follows(x: str, y: str) -> bool:
        def joined(u: str, v: str) -> bool:
            return frozenset((u, v)) in edges

        one = any((z, x) in arrows and not joined(z, y) for z in names if z != y)
        two = any((x, z) in arrows and (z, y) in arrows for z in names)
        into = [z for z in names if line(x, z) and (z, y) in arrows]
        three = any(not joined(u, v) for u, v in combinations(into, 2))
        four = any(
            line(x, u) and (u, v) in arrows and (v, y) in arrows and joined(x, v) and not joined(u, y)
            for u in names
            for v in names
            if y not in (u, v)
        )
        return one or two or three or four

    while True:
        new = next(((x, y) for x in names for y in names if x != y and line(x, y) and follows(x, y)), None)
        if new is None:
            return arrows
        arrows.add(new)
