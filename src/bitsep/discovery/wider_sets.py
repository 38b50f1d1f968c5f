"""Searches for separators in given pools, after the skeleton of neighbors is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bitsep.discovery.skeleton import RefinedSkeleton, pair_number
from bitsep.graphs.marks import bits
from bitsep.independence.engines.base import Engine, Ragged, Tasks
from bitsep.independence.engines.skeleton import Batch
from bitsep.progress import Reporter

Pair = tuple[int, int]


def remove_separated(
    engine: Engine,
    skeleton: RefinedSkeleton,
    pairs: Sequence[Pair],
    pools: Mapping[Pair, int],
    max_given: int | None,
    reporter: Reporter,
    stage: str,
    min_size: int = 0,
) -> RefinedSkeleton:
    """Remove the edges of the pairs that a subset of a pool separates, size by size.

    ``pools[i, j]`` and ``pools[j, i]`` are the pools of the pair i, j, as bit sets; they do not change on the way. At
    the smallest size that separates a pair, all sets are tested, and the separator with the lowest score is kept.
    """
    adjacent = skeleton.adjacent.copy()
    batches = list(skeleton.batches)
    left = list(pairs)
    stages = reporter.stages(stage)
    size = min_size
    n = len(adjacent)
    while left := [
        (i, j)
        for i, j in left
        if max(pools[i, j].bit_count(), pools[j, i].bit_count()) >= size and (max_given is None or size <= max_given)
    ]:
        tasks = Tasks(
            np.array([i for i, _ in left], np.int32),
            np.array([j for _, j in left], np.int32),
            Ragged.of([tuple(bits(pools[i, j])) for i, j in left]),
            Ragged.of([tuple(bits(pools[j, i])) for i, j in left]) if size else None,
            min_size=size,
            max_size=size,
            stop="never",
        )
        found = engine.separate(tasks, stages(size) if stages else None)
        batches.append(Batch(size, np.array([pair_number(n, i, j) for i, j in left], np.int64), found))
        for (i, j), separated in zip(left, found.separated.tolist(), strict=True):
            if separated:
                adjacent[i, j] = adjacent[j, i] = False
        left = [pair for pair, separated in zip(left, found.separated.tolist(), strict=True) if not separated]
        size += 1
    return replace(skeleton, adjacent=adjacent, batches=tuple(batches))
