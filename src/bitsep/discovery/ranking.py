"""Each pair's telling sets over all sizes: the one that separated it or came closest, and the runner-up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep.independence.engines.skeleton import Batch, Numbers, Skeleton


@dataclass(frozen=True, slots=True)
class Place:
    """Per pair, where a record stands: ``batches[batch]``, row `row`, as the best set or (`second`) the runner-up.

    Batch -1 means that there is none.
    """

    batch: npt.NDArray[np.int32]
    row: npt.NDArray[np.int32]
    second: npt.NDArray[np.bool_]

    @classmethod
    def nowhere(cls, count: int) -> Place:
        return cls(np.full(count, -1, np.int32), np.zeros(count, np.int32), np.zeros(count, bool))

    def put(self, pairs: Numbers, batch: int, rows: Numbers, second: bool = False) -> None:
        self.batch[pairs] = batch
        self.row[pairs] = rows
        self.second[pairs] = second


@dataclass(frozen=True, slots=True)
class Ranking:
    """best : of a removed pair the separator, of a kept one the set that came closest to separating it.

    runner_up : of a removed pair the lowest-scoring other set that was tried.
    tests : made per pair.
    """

    best: Place
    runner_up: Place
    tests: npt.NDArray[np.int64]


def rank(skeleton: Skeleton) -> Ranking:
    """Go through the batches in the order of asking."""
    n = len(skeleton.adjacent)
    count = n * (n - 1) // 2
    best, runner_up = Place.nowhere(count), Place.nowhere(count)
    lowest = np.full(count, np.inf)
    tests = np.zeros(count, np.int64)
    for number, batch in enumerate(skeleton.batches):
        tests[batch.pairs] += batch.found.tests
        _merge(batch, number, best, runner_up, lowest)
    return Ranking(best, runner_up, tests)


def _merge(batch: Batch, number: int, best: Place, runner_up: Place, lowest: npt.NDArray[np.float64]) -> None:
    pairs, found = batch.pairs, batch.found
    score = found.record["score_bits"]
    earlier = lowest[pairs]
    (gone,) = np.nonzero(found.separated)
    lost = pairs[gone]
    runner_up.batch[lost] = best.batch[lost]
    runner_up.row[lost] = best.row[lost]
    other = np.where(found.has_runner_up[gone], found.runner_up_record["score_bits"][gone], np.inf)
    closer = other < earlier[gone]  # a set tried earlier wins a tie
    runner_up.put(lost[closer], number, gone[closer], second=True)

    (lower,) = np.nonzero((score < earlier) & (found.tests > 0) | found.separated)
    best.put(pairs[lower], number, lower)
    lowest[pairs[lower]] = score[lower]
