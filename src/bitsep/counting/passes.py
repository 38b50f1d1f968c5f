"""A counter over data that can only be passed over: every pass counts all that is wanted at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy.typing as npt

from bitsep.counting.counts import Counts
from bitsep.counting.joint_counts import DenseCounts, Joint, VariableSet
from bitsep.data.fingerprint import Fingerprint, RowHasher, Sums
from bitsep.data.levels import Level
from bitsep.naming import Name

Query = tuple[int, int, Sequence[int]]


class Passes(Protocol):
    """Data that are counted in passes: a stream of chunks, the partitions of a cluster."""

    @property
    def variables(self) -> tuple[Name, ...]:
        """The variables in canonical order."""

    @property
    def n_rows(self) -> int:
        """Rows of the data (sum of weights)."""

    @property
    def worth(self) -> int:
        """Tests a pass should count, for reading the data not to cost more than counting."""

    @property
    def cache_bytes(self) -> int:
        """Memory for counts that may be asked for again."""

    def n_levels(self, variable: int) -> int:
        """Domain size of a variable."""

    def joints(self, sets: Sequence[VariableSet]) -> list[Joint]:
        """One pass: the joint counts of the sets, in order, as many as fit into memory, but at least the first."""

    def level_counts(self) -> list[npt.NDArray[Any]]:
        """One pass: how often each level of each variable occurs."""

    def row_hashes(self, hasher: RowHasher) -> Sums:
        """One pass: the sums of the hashes of all rows."""

    def resampled(self, seed: int) -> Passes:
        """The same data with rows drawn anew (see `bitsep.counting.resample`)."""


def fingerprint_passes(passes: Passes, levels: Sequence[tuple[Level, ...]], *, weighted: bool) -> Fingerprint:
    """The fingerprint of data that are counted in passes; `levels` are in the order of the variables."""
    hasher = RowHasher(passes.variables, levels)
    return hasher.fingerprint(passes.row_hashes(hasher), passes.n_rows, weighted=weighted)


class PassCounter:
    """Counts from passes; see `bitsep.counting.Counter`.

    Tests over the same variables share a table, and tables are remembered while there is room: a search asks for many
    of them again in other roles, and whoever explains a result asks for them later.
    """

    def __init__(self, passes: Passes) -> None:
        self.passes = passes
        self._remembered: OrderedDict[VariableSet, Joint] = OrderedDict()
        self._remembered_bytes = 0
        self._level_counts: list[npt.NDArray[Any]] | None = None

    @property
    def variables(self) -> tuple[Name, ...]:
        return self.passes.variables

    @property
    def n_rows(self) -> int:
        return self.passes.n_rows

    @property
    def worth(self) -> int:
        return self.passes.worth

    def n_levels(self, variable: int) -> int:
        return self.passes.n_levels(variable)

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        [counts] = self.many([(x, y, given)])
        return counts if isinstance(counts, Counts) else counts.sparse()

    def many(self, queries: Sequence[Query]) -> Iterator[Counts | DenseCounts]:
        """Counts of many queries, in order; each is made when asked for, from the tables of as few passes as fit."""
        sets = [tuple(sorted({x, y, *given})) for x, y, given in queries]
        counted: dict[VariableSet, Joint] = {}
        for number, ((x, y, given), variables) in enumerate(zip(queries, sets, strict=True)):
            joint = counted.get(variables) or self._recall(variables)
            if joint is None:
                later = dict.fromkeys(sets[number:])
                wanted = [one for one in later if one not in self._remembered]
                counted = {}  # let go before the next pass takes its memory
                fresh = {one.variables: one for one in self.passes.joints(wanted)}
                known = {one: self._remembered[one] for one in later if one in self._remembered}
                self._remember(fresh)
                counted = {**known, **fresh}
                joint = counted[variables]
            yield joint.test(x, y, given)

    def joint(self, sets: Sequence[VariableSet]) -> list[Joint]:
        """The joint counts of sets of variables, in as few passes as fit."""
        found: list[Joint] = []
        while len(found) < len(sets):
            found += self.passes.joints(sets[len(found) :])
        return found

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        """How often each level of a variable occurs."""
        if self._level_counts is None:
            self._level_counts = self.passes.level_counts()
        return self._level_counts[variable]

    def resampled(self, seed: int) -> PassCounter:
        return PassCounter(self.passes.resampled(seed))

    def _recall(self, variables: VariableSet) -> Joint | None:
        joint = self._remembered.get(variables)
        if joint is not None:
            self._remembered.move_to_end(variables)
        return joint

    def _remember(self, counted: dict[VariableSet, Joint]) -> None:
        for variables, joint in counted.items():
            if joint.nbytes > self.passes.cache_bytes // 8:
                continue  # one of these would push out all that is small
            self._remembered[variables] = joint
            self._remembered_bytes += joint.nbytes
        while self._remembered_bytes > self.passes.cache_bytes:
            _, oldest = self._remembered.popitem(last=False)
            self._remembered_bytes -= oldest.nbytes
