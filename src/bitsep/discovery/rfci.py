"""The checks by which RFCI avoids Possible-D-Sep (Colombo, Maathuis, Kalisch & Richardson 2012).

A skeleton of sets of neighbors can have edges that other sets would separate. RFCI does not look for these sets. Before
it concludes something from a triple or a discriminating path, it tests the edges in question given the separator that
it uses, and removes those that are separated.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from bitsep.discovery.skeleton import RefinedSkeleton
from bitsep.discovery.v_structures import unshielded_pairs
from bitsep.discovery.wider_sets import remove_separated
from bitsep.graphs.closure import ordered
from bitsep.graphs.marks import bits, mask_of
from bitsep.independence.engines.base import Engine, Queries, Ragged
from bitsep.progress import Reporter

Pair = tuple[int, int]


def remove_by_triples(
    engine: Engine, skeleton: RefinedSkeleton, max_given: int | None, reporter: Reporter
) -> tuple[RefinedSkeleton, int]:
    """Test the edges of all unshielded triples until none is removed; also returns the number of further tests.

    For a triple a — c — b with separator S of a and b, the edges a — c and b — c must be dependent given S without c.
    An edge that is not is removed, with a smallest separator in S.
    """
    passed: set[tuple[Pair, frozenset[int]]] = set()
    tests = 0
    while True:
        wanted: dict[tuple[Pair, frozenset[int]], None] = {}
        first, second, _ = unshielded_pairs(skeleton)
        neighbors = [mask_of(row.nonzero()[0].tolist()) for row in skeleton.adjacent]
        for a, b in zip(first.tolist(), second.tolist(), strict=True):
            separator = skeleton.separators[a, b][0]
            for c in bits(neighbors[a] & neighbors[b]):
                for end in (a, b):
                    if not skeleton.is_required(end, c):
                        wanted[ordered(end, c), separator - {c, a, b}] = None
        checks = [check for check in wanted if check not in passed]
        if not checks:
            return skeleton, tests
        passed.update(checks)
        tests += len(checks)
        skeleton = _remove_separated_checks(engine, skeleton, checks, max_given, reporter)


def _remove_separated_checks(
    engine: Engine,
    skeleton: RefinedSkeleton,
    checks: Iterable[tuple[Pair, frozenset[int]]],
    max_given: int | None,
    reporter: Reporter,
) -> RefinedSkeleton:
    """Remove the edges that their set separates, each with a smallest separator in that set."""
    checks = list(checks)
    x, y = np.array([pair for pair, _ in checks], np.int32).T
    given = Ragged.of([sorted(members) for _, members in checks])
    records = engine.evaluate(Queries(x.copy(), y.copy(), given), reporter.stage("checking triples"))
    pools: dict[Pair, int] = {}
    for ((i, j), members), separates in zip(checks, records["independent"].tolist(), strict=True):
        if separates:
            pools[i, j] = pools[j, i] = pools.get((i, j), 0) | mask_of(members)
    pairs = sorted({ordered(i, j) for i, j in pools})
    if not pairs:
        return skeleton
    return remove_separated(engine, skeleton, pairs, pools, max_given, reporter, "sets of size {} in separators")


def remove_by_path(
    engine: Engine,
    skeleton: RefinedSkeleton,
    paths: Iterable[tuple[int, ...]],
    max_given: int | None,
    reporter: Reporter,
) -> RefinedSkeleton:
    """Remove the edges of discriminating paths (d, …, b, c) that a subset of the separator of d and c separates."""
    pools: dict[Pair, int] = {}
    for path in paths:
        separator = mask_of(skeleton.separators[ordered(path[0], path[-1])][0])
        for i, j in pairwise(path):
            if not skeleton.is_required(i, j):
                pool = separator & ~(1 << i) & ~(1 << j)
                pools[i, j] = pools[j, i] = pools.get((i, j), 0) | pool
    pairs = sorted({ordered(i, j) for i, j in pools})
    return remove_separated(engine, skeleton, pairs, pools, max_given, reporter, "sets of size {} in separators")
