"""Decides which unshielded triples are v-structures: a — c — b becomes a → c ← b if c is not in the separator of a, b.

Three of the rules are here: "standard" uses the one separator that the search found; "conservative" and "majority" use
all sets of neighbors that separate a and b, and leave a triple undecided if these disagree (Ramsey, Zhang & Spirtes
2006; Colombo & Maathuis 2014). The rule "evidence" is in `triple_evidence`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from bitsep.discovery.skeleton import AnySkeleton, Mask, Skeleton
from bitsep.independence.engines.base import Engine, Indices, Queries, Ragged
from bitsep.progress import Reporter

OrientationRule = Literal["standard", "conservative", "majority", "evidence"]

Triple = tuple[int, int, int]
"""(a, c, b) of a — c — b, with a < b."""

_TESTS_PER_CALL = 1 << 18  # of the engine, to limit memory if a variable has many neighbors


@dataclass(frozen=True, slots=True)
class UndecidedTriple:
    """A triple a — c — b that may be a v-structure, and the numbers of separators of a and b with and without c."""

    a: int
    c: int
    b: int
    holding: int
    lacking: int


@dataclass(frozen=True, slots=True)
class Triples:
    """The v-structures a → c ← b (a < b) as rows of a matrix, the undecided triples, and the number of tests."""

    colliders: Indices
    undecided: tuple[UndecidedTriple, ...]
    tests: int


def decide_triples(
    engine: Engine, skeleton: Skeleton, rule: OrientationRule, max_given: int | None, reporter: Reporter
) -> Triples:
    """Decide for every unshielded triple whether it is a v-structure."""
    if rule == "standard" and skeleton.untested is None:
        return Triples(skeleton.colliders, (), 0)
    adjacent = skeleton.adjacent
    a, b, undecided = unshielded_pairs(skeleton)
    if rule == "standard":
        return Triples(skeleton.colliders, tuple(undecided), 0)

    colliders = []
    tests = 0
    for pairs, sets, independent in _all_separators(engine, skeleton.pools, a, b, max_given, reporter):
        tests += len(sets)
        for p, holding, total in _count(pairs, sets, independent, len(adjacent)):
            x, y = int(a[p]), int(b[p])
            for c in np.flatnonzero(adjacent[x] & adjacent[y]).tolist():
                verdict = _verdict(int(holding[c]), total - int(holding[c]), rule)
                if verdict is True:
                    colliders.append((x, c, y))
                elif verdict is None:
                    undecided.append(UndecidedTriple(x, c, y, int(holding[c]), total - int(holding[c])))
    found = np.array(sorted(colliders), np.int32).reshape(-1, 3)
    return Triples(found, tuple(sorted(undecided, key=lambda d: (d.a, d.c, d.b))), tests)


def unshielded_pairs(skeleton: AnySkeleton) -> tuple[Indices, Indices, list[UndecidedTriple]]:
    """The pairs that are separated by a test and have a common neighbor, and the triples of pairs without a test."""
    adjacent = skeleton.adjacent
    numbers = adjacent.astype(np.float32)
    a, b = (index.astype(np.int32) for index in np.nonzero(np.triu((numbers @ numbers > 0) & ~adjacent, 1)))
    if skeleton.untested is None:
        return a, b, []
    known = ~skeleton.untested[a, b]
    undecided = [
        UndecidedTriple(x, c, y, 0, 0)
        for x, y in zip(a[~known].tolist(), b[~known].tolist(), strict=True)
        for c in np.flatnonzero(adjacent[x] & adjacent[y]).tolist()
    ]
    return a[known], b[known], undecided


def _verdict(holding: int, lacking: int, rule: OrientationRule) -> bool | None:
    """Whether the triple is a v-structure, or None; `holding` is the number of separators that contain its center."""
    if holding + lacking == 0:
        return None
    if rule == "conservative":
        return True if holding == 0 else False if lacking == 0 else None
    return None if holding == lacking else lacking > holding


def _all_separators(
    engine: Engine, pools: Mask, a: Indices, b: Indices, max_given: int | None, reporter: Reporter
) -> Iterator[tuple[list[int], list[tuple[int, ...]], Mask]]:
    """Test every pair given all subsets of its pools: yields pairs, conditioning sets and verdicts."""
    pairs: list[int] = []
    sets: list[tuple[int, ...]] = []
    for p, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        subsets = _subsets(np.flatnonzero(pools[x]).tolist(), np.flatnonzero(pools[y]).tolist(), max_given)
        pairs += [p] * len(subsets)
        sets += subsets
        if len(sets) >= _TESTS_PER_CALL:
            yield pairs, sets, _evaluate(engine, a, b, pairs, sets, reporter)
            pairs, sets = [], []
    if sets:
        yield pairs, sets, _evaluate(engine, a, b, pairs, sets, reporter)


def _subsets(first: list[int], second: list[int], max_given: int | None) -> list[tuple[int, ...]]:
    found: dict[tuple[int, ...], None] = {}
    for pool in (first, second):
        largest = len(pool) if max_given is None else min(max_given, len(pool))
        for size in range(largest + 1):
            found.update(dict.fromkeys(combinations(pool, size)))
    return list(found)


def _evaluate(
    engine: Engine, a: Indices, b: Indices, pairs: list[int], sets: list[tuple[int, ...]], reporter: Reporter
) -> Mask:
    records = engine.evaluate(Queries(a[pairs], b[pairs], Ragged.of(sets)), reporter.stage("judging v-structures"))
    independent: Mask = records["independent"]
    return independent


def _count(
    pairs: list[int], sets: list[tuple[int, ...]], independent: Mask, n: int
) -> Iterator[tuple[int, Indices, int]]:
    """Per pair: the number of its separators that contain each variable, and the number of all its separators."""
    counts: dict[int, Indices] = {}
    totals: dict[int, int] = {}
    for p, given, separates in zip(pairs, sets, independent.tolist(), strict=True):
        row = counts.setdefault(p, np.zeros(n, np.int32))
        totals.setdefault(p, 0)
        if separates:
            totals[p] += 1
            row[list(given)] += 1
    for p, row in counts.items():
        yield p, row, totals[p]
