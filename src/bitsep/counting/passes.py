"""A counter for data that are read in passes: every pass counts as many tables as possible."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bitsep.counting.contract import Query, Variable
from bitsep.counting.counts import Counts
from bitsep.counting.joint_counts import DenseCounts, Joint, VariableSet
from bitsep.counting.merged import MergedCounter
from bitsep.counting.native import NativeCounter
from bitsep.data.fingerprint import RowHasher, Sums
from bitsep.lazy import cached_property
from bitsep.naming import Name


class Passes(Protocol):
    """Data that are counted in passes: a stream of chunks, or the partitions of a cluster."""

    @property
    def variables(self) -> tuple[Name, ...]:
        """The variables in canonical order."""

    @property
    def n(self) -> int:
        """The sum of the weights; without weights, the number of rows."""

    @property
    def min_tests_per_pass(self) -> int:
        """The number of tests that a pass should count at least, so that reading takes no longer than counting."""

    @property
    def passes_made(self) -> int:
        """The number of passes made so far."""

    @property
    def cache_bytes(self) -> int:
        """The memory for counts that may be needed again."""

    def n_levels(self, variable: int) -> int:
        """The domain size of a variable."""

    def joint_counts(self, sets: Sequence[VariableSet]) -> list[Joint]:
        """Make one pass: the joint counts of the first sets, as many as fit into memory, but at least one."""

    def level_counts(self) -> list[npt.NDArray[Any]]:
        """Make one pass: the count of each level of each variable."""

    def row_hashes(self, hasher: RowHasher) -> Sums:
        """Make one pass: the sums of the hashes of all rows."""

    def resampled(self, seed: int) -> Passes:
        """A bootstrap sample of the rows (see `bitsep.counting.resample`)."""

    def every(self, step: int) -> tuple[list[npt.NDArray[Any]], npt.NDArray[np.int64] | None]:
        """Make one pass: the codes of each variable in every `step`-th row, and the weights of these rows."""


class PassCounter:
    """Counts from passes; see `bitsep.counting.contract.Counter`.

    Tests of the same variables in different roles share one table of joint counts. Tables are cached within a budget,
    because a search needs many of them again, and explanations need them later.
    """

    native = None

    def __init__(self, passes: Passes) -> None:
        self._passes = passes
        self.variables = passes.variables
        self.places: dict[Variable, int] = {name: index for index, name in enumerate(self.variables)}
        self.n = passes.n
        self.min_tests_per_pass = passes.min_tests_per_pass
        self._cache: OrderedDict[VariableSet, Joint] = OrderedDict()
        self._cached_bytes = 0

    def n_levels(self, variable: int) -> int:
        return self._passes.n_levels(variable)

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        return self._level_counts[variable]

    @cached_property
    def _level_counts(self) -> list[npt.NDArray[Any]]:
        return self._passes.level_counts()

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        [counts] = self.counts_many([(x, y, given)])
        return counts if isinstance(counts, Counts) else counts.sparse()

    def counts_many(self, queries: Sequence[Query]) -> Iterator[Counts | DenseCounts]:
        sets = [tuple(sorted({x, y, *given})) for x, y, given in queries]
        for (x, y, given), joint in zip(queries, self.joint_counts(sets), strict=True):
            yield joint.counts(x, y, given)

    def joint_counts(self, sets: Sequence[VariableSet]) -> Iterator[Joint]:
        """The joint counts in order, computed lazily in as few passes as memory allows."""
        counted: dict[VariableSet, Joint] = {}
        for number, variables in enumerate(sets):
            joint = counted.get(variables) or self._cached(variables)
            if joint is None:
                later = dict.fromkeys(sets[number:])
                missing = [one for one in later if one not in self._cache]
                counted = {}  # released before the next pass needs memory
                new = {one.variables: one for one in self._passes.joint_counts(missing)}
                cached = {one: self._cache[one] for one in later if one in self._cache}
                self._add_to_cache(new)
                counted = {**cached, **new}
                joint = counted[variables]
            yield joint

    def merged(self, variables: Sequence[Variable]) -> MergedCounter:
        return MergedCounter(self, variables)

    def resampled(self, seed: int) -> PassCounter:
        return PassCounter(self._passes.resampled(seed))

    def thinned(self, rows: int) -> NativeCounter:
        # Every row weighs at least 1, so there are at most n rows.
        codes, weights = self._passes.every(-(-self.n // rows))
        sizes = [self.n_levels(variable) for variable in range(len(self.variables))]
        return NativeCounter.of_sample(self.variables, codes, sizes, weights)

    @property
    def passes_made(self) -> int:
        """The number of passes made so far."""
        return self._passes.passes_made

    def row_hashes(self, hasher: RowHasher) -> Sums:
        """The sums of the hashes of all rows, by one pass."""
        return self._passes.row_hashes(hasher)

    def _cached(self, variables: VariableSet) -> Joint | None:
        joint = self._cache.get(variables)
        if joint is not None:
            self._cache.move_to_end(variables)
        return joint

    def _add_to_cache(self, counted: dict[VariableSet, Joint]) -> None:
        for variables, joint in counted.items():
            if joint.nbytes > self._passes.cache_bytes // 8:
                continue  # one of them would evict all small tables
            self._cache[variables] = joint
            self._cached_bytes += joint.nbytes
        while self._cached_bytes > self._passes.cache_bytes:
            _, oldest = self._cache.popitem(last=False)
            self._cached_bytes -= oldest.nbytes
