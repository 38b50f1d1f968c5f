"""Bootstrap support: the share of samples drawn from the data with replacement in which an edge is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep.counting.resample import LARGEST_SUM
from bitsep.discovery.evidence import Support
from bitsep.errors import ArgumentError
from bitsep.graphs.marks import Marks
from bitsep.independence.engines.base import Engine
from bitsep.progress import Reporter

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Resamples:
    """The number of bootstrap samples (of `total`) in which i and j are adjacent, and in which i → j is directed."""

    total: int
    adjacent: Counts
    directed: Counts

    def support(self, i: int, j: int) -> Support:
        """The shares for one pair."""
        return Support(
            edge=int(self.adjacent[i, j]) / self.total,
            forward=int(self.directed[i, j]) / self.total,
            backward=int(self.directed[j, i]) / self.total,
        )


def resample(engine: Engine, total: int, seed: int, search: Callable[[Engine], Marks], reporter: Reporter) -> Resamples:
    """Run the search on `total` bootstrap samples; sample k does not depend on `total`."""
    if engine.n > LARGEST_SUM:
        raise ArgumentError(
            f"bootstrap: the weights must sum to at most 2^55, got {engine.n}.", hint="Scale the weights down."
        )
    n = len(engine.variables)
    adjacent, directed = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    step = reporter.stage("bootstrap")
    for number in range(total):
        # Each sample has its own random stream, so that seeds such as 1 and 2 do not have samples in common.
        child = int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> np.uint64(1))
        marks = search(engine.resampled(child))
        for i, j in marks.directed_pairs():
            directed[i, j] += 1
            adjacent[i, j] += 1
            adjacent[j, i] += 1
        for i, j in marks.undirected_pairs():
            adjacent[i, j] += 1
            adjacent[j, i] += 1
        if step is not None:
            step(number + 1, total)
    return Resamples(total, adjacent, directed)
