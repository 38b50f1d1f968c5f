"""How often samples drawn from the data themselves yield the same edges."""

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
    """In how many of `total` resamples i and j were adjacent, and in how many there was an arrow i → j."""

    total: int
    adjacent: Counts
    arrows: Counts

    def support(self, i: int, j: int) -> Support:
        """As fractions."""
        return Support(
            edge=int(self.adjacent[i, j]) / self.total,
            forward=int(self.arrows[i, j]) / self.total,
            backward=int(self.arrows[j, i]) / self.total,
        )


def resample(engine: Engine, total: int, seed: int, search: Callable[[Engine], Marks], reporter: Reporter) -> Resamples:
    """Run the search on `total` bootstrap samples; the k-th is the same whatever `total`."""
    if engine.n > LARGEST_SUM:
        raise ArgumentError(
            f"bootstrap: the weights must sum to at most 2^55, got {engine.n}.", hint="Scale the weights down."
        )
    n = len(engine.variables)
    adjacent, arrows = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    step = reporter.stage("bootstrap")
    for number in range(total):
        # A stream of its own per sample: neighboring seeds do not share samples.
        child = int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> np.uint64(1))
        marks = search(engine.resampled(child))
        for i, j in marks.directed_pairs():
            arrows[i, j] += 1
            adjacent[i, j] += 1
            adjacent[j, i] += 1
        for i, j in marks.undirected_pairs():
            adjacent[i, j] += 1
            adjacent[j, i] += 1
        if step is not None:
            step(number + 1, total)
    return Resamples(total, adjacent, arrows)
