"""Bootstrap support: the share of samples drawn from the data with replacement in which an edge is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from bitsep.counting.resample import LARGEST_SUM
from bitsep.discovery.evidence import LazyEvidence, Support
from bitsep.errors import ArgumentError
from bitsep.naming import Name
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


class Resampled(Protocol):
    """An engine of tests or of scores."""

    @property
    def variables(self) -> tuple[Name, ...]: ...
    @property
    def n(self) -> int: ...
    def resampled(self, seed: int) -> Self: ...


class Directions(Protocol):
    """The edges of a graph: with a direction, and without."""

    def directed_pairs(self) -> Iterator[tuple[int, int]]: ...
    def undirected_pairs(self) -> Iterator[tuple[int, int]]: ...


E = TypeVar("E", bound=Resampled)


def resample(engine: E, total: int, seed: int, search: Callable[[E], Directions], reporter: Reporter) -> Resamples:
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


def support_of(
    resamples: Resamples | None, variables: tuple[Name, ...], adjacent: npt.NDArray[np.bool_]
) -> LazyEvidence[Support]:
    """The support of every pair that is adjacent in the graph or in some sample; nothing without samples."""
    if resamples is None:
        return LazyEvidence(variables, lambda: iter(()), _no_support)
    seen = adjacent | (resamples.adjacent > 0)
    return LazyEvidence(variables, lambda: pairs_in(seen), resamples.support)


def pairs_in(mask: npt.NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """The pairs i < j with a true entry."""
    rows, columns = np.nonzero(np.triu(mask, 1))
    return zip(rows.tolist(), columns.tolist(), strict=True)


def _no_support(i: int, j: int) -> Support:
    raise KeyError((i, j))
