"""The skeleton of PC-stable under background knowledge, and skeletons from which further edges were removed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from bitsep.discovery.knowledge import Masks
from bitsep.graphs.marks import mask_of
from bitsep.independence.engines.base import Engine
from bitsep.independence.engines.skeleton import Batch, Mask, Skeleton, SkeletonQuery, pairs_of
from bitsep.lazy import cached_property
from bitsep.progress import Reporter

__all__ = ["AnySkeleton", "Mask", "RefinedSkeleton", "Skeleton", "find_skeleton", "masks_of", "pair_number", "pairs_of"]


@dataclass(frozen=True)
class RefinedSkeleton:
    """A skeleton from which more edges were removed than sets of neighbors separate; see `Skeleton`.

    first_batches : the number of batches whose pools were the neighbors.
    """

    adjacent: Mask
    untested: Mask | None
    never_given: tuple[int, ...]
    batches: tuple[Batch, ...]
    first_batches: int

    @classmethod
    def of(cls, skeleton: Skeleton) -> RefinedSkeleton:
        """A skeleton before further edges are removed."""
        batches = skeleton.batches
        return cls(skeleton.adjacent, skeleton.untested, skeleton.never_given, batches, len(batches))

    @cached_property
    def pools(self) -> Mask:
        """Entry (x, z): whether z is a neighbor of x that a conditioning set may contain."""
        pools = self.adjacent.copy()
        pools[:, list(self.never_given)] = False
        return pools

    @property
    def edges(self) -> int:
        """The number of edges."""
        return int(self.adjacent.sum()) // 2

    @cached_property
    def tests(self) -> int:
        """The number of tests made."""
        return sum(int(batch.found.tests.sum()) for batch in self.batches)

    @cached_property
    def separators(self) -> dict[tuple[int, int], tuple[frozenset[int], float]]:
        """For each pair that a test separated, its separator and the score."""
        first, second = (index.tolist() for index in pairs_of(len(self.adjacent)))
        found = {}
        for batch in self.batches:
            scores = batch.found.record["score_bits"]
            for row in np.flatnonzero(batch.found.separated).tolist():
                number = int(batch.pairs[row])
                found[first[number], second[number]] = frozenset(batch.found.given[row]), float(scores[row])
        return found

    @cached_property
    def strengths(self) -> dict[tuple[int, int], float]:
        """For each pair that was tested, how many bits its lowest score is from the boundary between the verdicts."""
        first, second = (index.tolist() for index in pairs_of(len(self.adjacent)))
        lowest = np.full(len(first), np.inf)
        for batch in self.batches:
            np.minimum.at(lowest, batch.pairs, batch.found.record["score_bits"])
        strengths = np.where(np.isfinite(lowest), np.abs(lowest), 0.0)  # -inf: too few rows for a verdict
        return dict(zip(zip(first, second, strict=True), strengths.tolist(), strict=True))

    @cached_property
    def separated_later(self) -> frozenset[int]:
        """The numbers of the pairs that sets of neighbors did not separate, but other sets did."""
        later = self.batches[self.first_batches :]
        return frozenset(number for batch in later for number in batch.pairs[batch.found.separated].tolist())

    def is_required(self, i: int, j: int) -> bool:
        """Whether knowledge requires the edge, so that it is not tested."""
        return self.untested is not None and bool(self.untested[i, j])


AnySkeleton = Skeleton | RefinedSkeleton


def pair_number(n: int, i: int, j: int) -> int:
    """The number of the pair i < j in the list of all pairs of n variables (`pairs_of`)."""
    return i * (2 * n - i - 1) // 2 + j - i - 1


def masks_of(adjacent: Mask) -> list[int]:
    """The neighbors of each variable as bit sets."""
    return [mask_of(np.flatnonzero(row).tolist()) for row in adjacent]


def find_skeleton(
    engine: Engine,
    max_given: int | None,
    knowledge: Masks | None,
    never_given: tuple[int, ...],
    stop: Literal["first", "never"],
    reporter: Reporter,
) -> Skeleton:
    """Remove the edge of every pair that a set of neighbors separates; pairs that knowledge decides are not tested."""
    query = SkeletonQuery(max_given, stop=stop, never_given=never_given)
    if knowledge is not None:
        query = replace(query, required=knowledge.kept, excluded=knowledge.excluded, not_parent=knowledge.forbidden)
    return engine.find_skeleton(query, reporter.stages("sets of size {}"))
