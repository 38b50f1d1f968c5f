"""Columns merged into one variable, for data that are counted in passes.

Rows are not rewritten: the joint counts of all columns are computed and then combined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bitsep.counting.contract import Query, Variable
from bitsep.counting.counts import Counts, check_merged
from bitsep.counting.joint_counts import Joint, SparseJoint, VariableSet
from bitsep.counting.tally import KeyLayout
from bitsep.naming import sorted_names

if TYPE_CHECKING:
    from bitsep.counting.native import NativeCounter
    from bitsep.counting.passes import PassCounter

Integers = npt.NDArray[np.int64]


class MergedCounter:
    """Counts of columns and of merged columns; see `bitsep.counting.contract.Counter`.

    Parameters
    ----------
    counter : PassCounter
        The counter of the columns.
    variables : sequence
        Columns, or tuples of columns to merge.
    """

    native = None

    def __init__(self, counter: PassCounter, variables: Sequence[Variable]) -> None:
        self._counter = counter
        self.variables = sorted_names(variables)
        self.places: dict[Variable, int] = {name: index for index, name in enumerate(self.variables)}
        self.n = counter.n
        self.min_tests_per_pass = counter.min_tests_per_pass
        self._parts = [_parts(variable, counter) for variable in self.variables]
        groups = [parts for parts in self._parts if len(parts) > 1]
        seen = counter.joint_counts([tuple(sorted(parts)) for parts in groups])
        # The levels of a merged variable are the combinations observed, also in rows with missing values elsewhere.
        self._levels = {
            parts: np.unique(self._keys(joint, parts), axis=1) for parts, joint in zip(groups, seen, strict=True)
        }
        for variable, parts in zip(self.variables, self._parts, strict=True):
            if isinstance(variable, tuple) and len(parts) > 1:
                check_merged(variable, self._levels[parts].shape[1])

    def n_levels(self, variable: int) -> int:
        parts = self._parts[variable]
        return self._counter.n_levels(parts[0]) if len(parts) == 1 else self._levels[parts].shape[1]

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        [joint] = self.joint_counts([(variable,)])
        counts = np.zeros(self.n_levels(variable), np.int64)
        counts[joint.codes[0]] = joint.count
        return counts

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        [joint] = self.joint_counts([tuple(sorted({x, y, *given}))])
        return joint.counts(x, y, given)

    def counts_many(self, queries: Sequence[Query]) -> Iterator[Counts]:
        return (self.counts(x, y, given) for x, y, given in queries)

    def joint_counts(self, sets: Sequence[VariableSet]) -> Iterator[SparseJoint]:
        columns = [tuple(sorted({part for v in variables for part in self._parts[v]})) for variables in sets]
        for variables, joint in zip(sets, self._counter.joint_counts(columns), strict=True):
            codes = tuple(self._codes(joint, self._parts[v]) for v in variables)
            sizes = tuple(self.n_levels(v) for v in variables)
            yield SparseJoint(variables, sizes, codes, joint.occupied()[1])

    def merged(self, variables: Sequence[Variable]) -> MergedCounter:
        return MergedCounter(self._counter, variables)

    def resampled(self, seed: int) -> MergedCounter:
        return MergedCounter(self._counter.resampled(seed), self.variables)

    def thinned(self, rows: int) -> NativeCounter:
        return self._counter.thinned(rows).merged(self.variables)

    def _keys(self, joint: Joint, parts: tuple[int, ...]) -> Integers:
        """The combination of the parts in each cell, as a sortable key."""
        codes, _ = joint.occupied()
        layout = KeyLayout([self._counter.n_levels(part) for part in parts])
        return layout.keys([codes[joint.variables.index(part)] for part in parts])

    def _codes(self, joint: Joint, parts: tuple[int, ...]) -> Integers:
        if len(parts) == 1:
            return joint.occupied()[0][joint.variables.index(parts[0])]
        levels = self._levels[parts]
        # Every cell is one of the levels, so numbering both together gives the level of each cell.
        both = np.concatenate([levels, self._keys(joint, parts)], axis=1)
        _, numbers = np.unique(both, axis=1, return_inverse=True)
        return numbers.reshape(-1)[levels.shape[1] :].astype(np.int64, copy=False)


def _parts(variable: Variable, counter: PassCounter) -> tuple[int, ...]:
    """The indices of the columns that a variable consists of."""
    if variable in counter.places:
        return (counter.places[variable],)
    assert isinstance(variable, tuple)
    return tuple(counter.places[part] for part in variable)
