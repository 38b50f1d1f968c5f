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
from bitsep.parallel import in_parallel
from bitsep.progress import Reporter

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Resamples:
    """The number of bootstrap samples (of `total`) in which i and j are adjacent, and with an arrowhead at j."""

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
    @property
    def samples_at_once(self) -> int: ...
    def resampled(self, seed: int) -> Self: ...


class Directions(Protocol):
    """The edges of a graph: with a direction, and without."""

    def directed_pairs(self) -> Iterator[tuple[int, int]]: ...
    def undirected_pairs(self) -> Iterator[tuple[int, int]]: ...


E = TypeVar("E", bound=Resampled)
T = TypeVar("T")


def each_sample(engine: E, total: int, seed: int, search: Callable[[E], T], reporter: Reporter) -> Iterator[T]:
    """The results of the search on `total` bootstrap samples, in order; sample k does not depend on `total`.

    Samples of a small table are searched at the same time, each by a thread of its own: native code does most of the
    work, without the lock of the interpreter.
    """
    if engine.n > LARGEST_SUM:
        raise ArgumentError(
            f"bootstrap: the weights must sum to at most 2^55, got {engine.n}.", hint="Scale the weights down."
        )
    step = reporter.stage("bootstrap")

    def result(number: int) -> T:
        # Each sample has its own random stream, so that seeds such as 1 and 2 do not have samples in common.
        child = int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> np.uint64(1))
        return search(engine.resampled(child))

    for number, found in enumerate(in_parallel(result, total, engine.samples_at_once)):
        if step is not None:
            step(number + 1, total)
        yield found


def resample(engine: E, total: int, seed: int, search: Callable[[E], Directions], reporter: Reporter) -> Resamples:
    """Count edges and directions in the graphs that the search finds in `total` bootstrap samples."""
    n = len(engine.variables)
    adjacent, directed = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    for marks in each_sample(engine, total, seed, search, reporter):
        arrows, lines = _places(marks.directed_pairs()), _places(marks.undirected_pairs())
        directed[arrows] += 1
        found = np.zeros((n, n), bool)
        for i, j in (arrows, arrows[::-1], lines, lines[::-1]):
            found[i, j] = True
        adjacent += found
    return Resamples(total, adjacent, directed)


def _places(pairs: Iterator[tuple[int, int]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    i, j = np.array(list(pairs), np.int64).reshape(-1, 2).T
    return i, j


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
