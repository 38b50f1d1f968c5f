"""Several columns as one variable, for data that are counted in passes.

No row is rewritten: the counts of all the columns together tell everything, and are put together afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.counting.counts import Counts
from bitsep.counting.joint_counts import DenseJoint, Joint, _numbered
from bitsep.counting.native import Variable
from bitsep.counting.passes import PassCounter, Query
from bitsep.counting.tally import KeyLayout
from bitsep.data.encode import MAX_LEVELS
from bitsep.errors import DataError
from bitsep.naming import name_key

Integers = npt.NDArray[np.int64]


class JoinedCounter:
    """Counts of columns and of joined columns; see `bitsep.counting.Counter`.

    Parameters
    ----------
    counter : PassCounter
    variables : sequence
        Columns to take, or tuples of columns to join, as `MemoryCounter` takes them.
    """

    def __init__(self, counter: PassCounter, variables: Sequence[Variable]) -> None:
        index = {name: i for i, name in enumerate(counter.variables)}
        self._counter = counter
        self._variables = tuple(sorted(variables, key=name_key))
        self._parts = [
            (index[variable],) if variable in index else tuple(index[part] for part in _parts(variable))
            for variable in self._variables
        ]
        groups = [parts for parts in self._parts if len(parts) > 1]
        seen = counter.joint([tuple(sorted(parts)) for parts in groups])
        # The levels of a joined variable are the combinations observed, also in rows that miss something else.
        self._levels = {parts: self._keys(joint, parts) for parts, joint in zip(groups, seen, strict=True)}
        for variable, parts in zip(self._variables, self._parts, strict=True):
            if len(parts) > 1 and self._levels[parts].shape[1] > MAX_LEVELS:
                raise DataError(
                    f"{list(_parts(variable))!r} together have {self._levels[parts].shape[1]:,} levels; at most "
                    f"{MAX_LEVELS:,} are possible."
                )

    @property
    def variables(self) -> tuple[Variable, ...]:
        return self._variables

    @property
    def n_rows(self) -> int:
        return self._counter.n_rows

    def n_levels(self, variable: int) -> int:
        parts = self._parts[variable]
        return self._counter.n_levels(parts[0]) if len(parts) == 1 else self._levels[parts].shape[1]

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        order = (*sorted(set(given)), x, y)
        [joint] = self._counter.joint([tuple(sorted({part for v in order for part in self._parts[v]}))])
        codes = [self._codes(joint, self._parts[v]) for v in order]
        by_cell = np.lexsort(codes[::-1])
        *strata, xs, ys = (code[by_cell] for code in codes)
        stratum = _numbered(strata) if strata else np.zeros(len(xs), np.int64)
        product = _native.domain_product([self.n_levels(z) for z in order[:-2]])
        return Counts(stratum, xs, ys, _cells(joint)[1][by_cell], self.n_levels(x), self.n_levels(y), product)

    def many(self, queries: Sequence[Query]) -> list[Counts]:
        return [self.counts(x, y, given) for x, y, given in queries]

    def resampled(self, seed: int) -> JoinedCounter:
        return JoinedCounter(self._counter.resampled(seed), self._variables)

    def _keys(self, joint: Joint, parts: tuple[int, ...]) -> Integers:
        codes = _cells(joint)[0]
        layout = KeyLayout([self._counter.n_levels(part) for part in parts])
        return np.unique(layout.keys([codes[joint.variables.index(part)] for part in parts]), axis=1)

    def _codes(self, joint: Joint, parts: tuple[int, ...]) -> Integers:
        codes = _cells(joint)[0]
        if len(parts) == 1:
            return codes[joint.variables.index(parts[0])]
        layout = KeyLayout([self._counter.n_levels(part) for part in parts])
        cells = layout.keys([codes[joint.variables.index(part)] for part in parts])
        levels = self._levels[parts]
        # Every cell is among the levels: numbering both together numbers the cells by level.
        _, places = np.unique(np.concatenate([levels, cells], axis=1), axis=1, return_inverse=True)
        return places.reshape(-1)[levels.shape[1] :].astype(np.int64, copy=False)


def _parts(variable: Variable) -> tuple[Variable, ...]:
    assert isinstance(variable, tuple)
    return variable


def _cells(joint: Joint) -> tuple[tuple[Integers, ...], Integers]:
    """The codes and counts of the occupied cells."""
    if isinstance(joint, DenseJoint):
        places = np.nonzero(joint.cells)
        return tuple(place.astype(np.int64) for place in places), joint.cells[places]
    return joint.codes, joint.count
