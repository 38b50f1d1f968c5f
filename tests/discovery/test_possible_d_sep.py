"""Possible-D-Sep and biconnected components, by their definitions."""

from __future__ import annotations

import random
from itertools import combinations

from bitsep.discovery.possible_d_sep import biconnected, possible_d_sep
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import bits


def random_ends(rng: random.Random, n: int, density: float) -> EndMarks:
    ends = EndMarks.of(n, [(i, "o—o", j) for i, j in combinations(range(n), 2) if rng.random() < density])
    for i, j in ends.pairs():
        for here, there in ((i, j), (j, i)):
            if rng.random() < 0.5:
                ends.arrow(there, here)
    return ends


def test_possible_d_sep_by_definition() -> None:
    """Every step of a path leads through a collider, or between two adjacent variables."""
    rng = random.Random(5)
    for _ in range(150):
        ends = random_ends(rng, 6, 0.5)
        joined = {(i, j) for x, y in ends.pairs() for i, j in ((x, y), (y, x))}
        arrows = {(i, j) for i, j in joined if ends.mark(j, i) == "arrow"}
        for x in range(6):
            steps = {(i, j) for i, j in joined if i == x}
            while (
                more := {
                    (v, w)
                    for u, v in steps
                    for w in set(range(6)) - {u, x}
                    if (v, w) in joined and ((u, w) in joined or {(u, v), (w, v)} <= arrows)
                }
                - steps
            ):
                steps |= more
            assert set(bits(possible_d_sep(ends, x))) == {v for _, v in steps}


def test_biconnected_components_by_definition() -> None:
    """The largest sets of variables that stay connected without any one of them."""

    def connected(adjacent: list[int], chosen: set[int]) -> bool:
        reached = {min(chosen)}
        while more := {v for u in reached for v in bits(adjacent[u]) if v in chosen} - reached:
            reached |= more
        return reached == chosen

    rng = random.Random(6)
    for _ in range(100):
        adjacent = random_ends(rng, 6, rng.choice((0.2, 0.35, 0.5))).adjacent
        sets = [set(some) for size in range(2, 7) for some in combinations(range(6), size)]
        whole = [
            some
            for some in sets
            if connected(adjacent, some) and all(len(some) == 2 or connected(adjacent, some - {v}) for v in some)
        ]
        expected = [some for some in whole if not any(some < other for other in whole)]
        assert sorted(sorted(bits(found)) for found in biconnected(adjacent)) == sorted(map(sorted, expected))
