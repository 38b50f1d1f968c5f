"""For each pair, over all sizes: the conditioning set that separated it or came closest, and the runner-up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep.discovery.skeleton import AnySkeleton
from bitsep.independence.engines.skeleton import Batch, Numbers


@dataclass(frozen=True, slots=True)
class RecordPosition:
    """The position of a record per pair: row `row` of ``batches[batch]``, in the records of the runner-up if `second`.

    Batch -1 means that there is no record.
    """

    batch: npt.NDArray[np.int32]
    row: npt.NDArray[np.int32]
    second: npt.NDArray[np.bool_]

    @classmethod
    def none(cls, count: int) -> RecordPosition:
        return cls(np.full(count, -1, np.int32), np.zeros(count, np.int32), np.zeros(count, bool))

    def put(self, pairs: Numbers, batch: int, rows: Numbers, second: bool = False) -> None:
        self.batch[pairs] = batch
        self.row[pairs] = rows
        self.second[pairs] = second


@dataclass(frozen=True, slots=True)
class Ranking:
    """The positions of records, and the number of tests, per pair.

    best : for a removed pair the separator, for a kept pair the set that came closest to separating it.
    runner_up : for a removed pair the other set with the lowest score.
    tests : the number of tests.
    """

    best: RecordPosition
    runner_up: RecordPosition
    tests: npt.NDArray[np.int64]


def rank(skeleton: AnySkeleton) -> Ranking:
    """Rank the records of all batches, in the order in which they were computed."""
    n = len(skeleton.adjacent)
    count = n * (n - 1) // 2
    best, runner_up = RecordPosition.none(count), RecordPosition.none(count)
    lowest = np.full(count, np.inf)
    tests = np.zeros(count, np.int64)
    for number, batch in enumerate(skeleton.batches):
        tests[batch.pairs] += batch.found.tests
        _merge(batch, number, best, runner_up, lowest)
    return Ranking(best, runner_up, tests)


def _merge(
    batch: Batch, number: int, best: RecordPosition, runner_up: RecordPosition, lowest: npt.NDArray[np.float64]
) -> None:
    pairs, found = batch.pairs, batch.found
    score = found.record["score_bits"]
    earlier = lowest[pairs]
    (rows,) = np.nonzero(found.separated)
    removed = pairs[rows]
    runner_up.batch[removed] = best.batch[removed]
    runner_up.row[removed] = best.row[removed]
    other = np.where(found.has_runner_up[rows], found.runner_up_record["score_bits"][rows], np.inf)
    closer = other < earlier[rows]  # of equal scores the set tested first is kept
    runner_up.put(removed[closer], number, rows[closer], second=True)

    (lower,) = np.nonzero((score < earlier) & (found.tests > 0) | found.separated)
    best.put(pairs[lower], number, lower)
    lowest[pairs[lower]] = score[lower]
