"""The plan of one pass over the data, and partial counts.

Both backends that count in passes use them: the plan is made once, every part of the data (a chunk of a file, a
partition on a cluster) is counted by the same native kernel into a `Partial`, and partial counts are added up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.counting.joint_counts import DenseJoint, Joint, VariableSet
from bitsep.counting.tally import KeyLayout, Tally
from bitsep.data.encode import code_type

Integers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.signedinteger[Any]]

_DENSE_CELLS = 1 << 22  # a larger table of all cells does not fit into the cache of the processor
_ALWAYS_DENSE_CELLS = 1 << 16
_MAX_CACHE_BYTES = 96 << 20  # for margins that several sets share while a part is counted


@dataclass(frozen=True, slots=True)
class PassPlan:
    """The sets of variables to count in one pass: dense sets in one flat array, the others in tallies.

    sets : the sets in the order requested.
    sizes : the domain size of each variable of the data.
    is_dense : whether each set is counted in the flat array.
    """

    sets: tuple[VariableSet, ...]
    sizes: tuple[int, ...]
    is_dense: tuple[bool, ...]

    @classmethod
    def fitting(cls, sets: Sequence[VariableSet], sizes: Sequence[int], rows: int, memory: int) -> PassPlan:
        """The first sets that fit into memory together if parts have this number of rows; at least one set."""
        # Clearing and adding a table for every part should not take longer than counting its rows.
        limit = min(_DENSE_CELLS, max(_ALWAYS_DENSE_CELLS, 4 * rows), memory // 16)
        taken: list[VariableSet] = []
        dense: list[bool] = []
        used = 0
        for variables in sets:
            cells = math.prod(sizes[v] for v in variables)
            is_dense = cells <= limit
            # A tally starts with the cells of one part; its final size is known only after counting.
            used += 16 * cells if is_dense else 48 * KeyLayout([sizes[v] for v in variables]).words * min(cells, rows)
            if used > memory and taken:
                break
            taken.append(variables)
            dense.append(is_dense)
        return cls(tuple(taken), tuple(sizes), tuple(dense))

    @property
    def columns(self) -> list[int]:
        """The variables that a pass must read."""
        return sorted({v for variables in self.sets for v in variables})

    @property
    def dense(self) -> list[VariableSet]:
        """The dense sets, sorted so that sets with the same first variables follow each other and share work."""
        return sorted(variables for variables, dense in zip(self.sets, self.is_dense, strict=True) if dense)

    @property
    def sparse(self) -> list[VariableSet]:
        """The other sets, in the order requested."""
        return [variables for variables, dense in zip(self.sets, self.is_dense, strict=True) if not dense]

    def shape(self, variables: VariableSet) -> tuple[int, ...]:
        return tuple(self.sizes[v] for v in variables)

    def cell_offsets(self) -> Integers:
        """The start of the cells of each dense set in the flat array."""
        cells = [math.prod(self.shape(variables)) for variables in self.dense]
        return np.array(list(accumulate(cells, initial=0)), dtype=np.int64)


class Partial:
    """The counts of some parts of the data.

    Parameters
    ----------
    plan : PassPlan
        The sets to count.
    memory : int
        The maximum size of the counts in bytes.
    threads : int
        The number of threads.
    drop_tallies : bool
        Whether tallies are dropped, the last ones first, if they need more memory; another pass has to count them.
    """

    def __init__(self, plan: PassPlan, memory: int, threads: int = 1, *, drop_tallies: bool = True) -> None:
        self.plan = plan
        self._threads = threads
        self._drop_tallies = drop_tallies
        self._offsets = plan.cell_offsets()
        self.cells = np.zeros(int(self._offsets[-1]), dtype=np.int64)
        self.tallies = [Tally(variables, plan.shape(variables)) for variables in plan.sparse]
        self._tally_memory = max(0, memory - self.cells.nbytes)
        self._cache_bytes = min(_MAX_CACHE_BYTES, memory // 4)
        self._local = {variable: index for index, variable in enumerate(plan.columns)}
        # A set is counted as a test of its last two variables given the others, so that its cells are in its own order.
        sets = [[self._local[v] for v in variables] for variables in plan.dense]
        given = [one[:-2] for one in sets]
        self._queries = (
            np.array([one[-2] for one in sets], dtype=np.int32),
            np.array([one[-1] for one in sets], dtype=np.int32),
            (
                np.array(list(accumulate(map(len, given), initial=0)), dtype=np.int64),
                np.array([v for one in given for v in one], dtype=np.int32),
            ),
        )

    @property
    def overflowed(self) -> bool:
        """Whether the tallies need more memory than allowed."""
        return sum(tally.nbytes for tally in self.tallies) > self._tally_memory

    def add(self, codes: Sequence[Codes], rows: int, weights: Integers | None) -> None:
        """Count a part, given as the codes of the columns of the plan."""
        if len(self.cells):
            sizes = [self.plan.sizes[v] for v in self._local]
            table = _native.Table(list(codes), sizes, rows, weights, self._cache_bytes)
            table.add_dense_counts(*self._queries, self._offsets, self.cells, self._threads)
        for number, tally in enumerate(list(self.tallies)):
            if number >= len(self.tallies):
                break
            tally.add([codes[self._local[v]] for v in tally.variables], weights)
            while self._drop_tallies and len(self.tallies) > 1 and self.overflowed:
                self.tallies.pop()

    def joint_counts(self) -> list[Joint]:
        """The counts of the sets of the plan, up to the first that was dropped."""
        dense = {}
        for number, variables in enumerate(self.plan.dense):
            cells = self.cells[self._offsets[number] : self._offsets[number + 1]]
            # A copy, so that a cached table does not keep all others in memory.
            dense[variables] = DenseJoint(variables, cells.reshape(self.plan.shape(variables)).copy())
        tallies = {tally.variables: tally for tally in self.tallies}
        found: list[Joint] = []
        for variables in self.plan.sets:
            if variables in dense:
                found.append(dense[variables])
            elif variables in tallies:
                found.append(tallies[variables].joint())
            else:
                break
        return found


def weighted_level_counts(codes: Codes, size: int, weights: Integers | None) -> npt.NDArray[Any]:
    """The number of rows with each level, or the sum of their weights, without missing values."""
    if weights is None:
        return _native.level_counts(np.ascontiguousarray(codes), size)[:size]
    counts = np.zeros(size + 1, np.int64)
    np.add.at(counts, codes, weights)  # code −1, a missing value, is the last entry
    return counts[:size]


def kept_levels(occupied: npt.NDArray[np.bool_]) -> Codes:
    """The new code of each level after levels that do not occur are removed; the last entry is for missing values, −1.

    >>> kept_levels(np.array([True, False, True])).tolist()
    [0, -1, 1, -1]
    """
    kept: Codes = np.append(np.where(occupied, np.cumsum(occupied) - 1, -1), -1).astype(code_type(int(occupied.sum())))
    return kept


def kept_recode(recode: Codes | None, occupied: npt.NDArray[np.bool_]) -> Codes | None:
    """The codes after `recode` without levels that do not occur; None if codes do not change."""
    if occupied.all():
        return recode
    kept = kept_levels(occupied)
    return kept if recode is None else kept[recode]
