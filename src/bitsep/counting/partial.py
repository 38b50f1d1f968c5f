"""What one pass over the data counts, and the counts of the pieces passed so far.

Both backends that pass over data work with these: the plan is made once, every piece of the data (a chunk of a file, a
partition on a cluster) is counted by the same native kernel into a `Partial`, and partials add up.
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

_DENSE_CELLS = 1 << 22  # beyond, a table of all cells leaves the processor's cache for good
_ALWAYS_DENSE_CELLS = 1 << 16
_MOST_CACHE = 96 << 20  # for the margins that the sets of one piece share while it is counted


@dataclass(frozen=True, slots=True)
class PassPlan:
    """The sets of variables to count in one pass; dense ones go into one flat array, the others into tallies.

    sets : in the order asked for.
    sizes : domain size per variable of the data.
    """

    sets: tuple[VariableSet, ...]
    sizes: tuple[int, ...]
    is_dense: tuple[bool, ...]

    @classmethod
    def fitting(cls, sets: Sequence[VariableSet], sizes: Sequence[int], rows: int, memory: int) -> PassPlan:
        """As many of the sets, from the first on, as fit into memory when pieces of so many rows are counted."""
        # Clearing and adding up a table for every piece should not cost more than counting its rows.
        limit = min(_DENSE_CELLS, max(_ALWAYS_DENSE_CELLS, 4 * rows), memory // 16)
        taken: list[VariableSet] = []
        dense: list[bool] = []
        used = 0
        for variables in sets:
            cells = math.prod(sizes[v] for v in variables)
            is_dense = cells <= limit
            # A tally begins with the cells of one piece; what it takes in the end shows on the way.
            used += 16 * cells if is_dense else 48 * KeyLayout([sizes[v] for v in variables]).words * min(cells, rows)
            if used > memory and taken:
                break
            taken.append(variables)
            dense.append(is_dense)
        return cls(tuple(taken), tuple(sizes), tuple(dense))

    @property
    def columns(self) -> list[int]:
        """The variables a pass has to read."""
        return sorted({v for variables in self.sets for v in variables})

    @property
    def dense(self) -> list[VariableSet]:
        """Sorted: sets that begin alike are counted one after the other, and share the work on their beginning."""
        return sorted(variables for variables, dense in zip(self.sets, self.is_dense, strict=True) if dense)

    @property
    def sparse(self) -> list[VariableSet]:
        """In the order asked for."""
        return [variables for variables, dense in zip(self.sets, self.is_dense, strict=True) if not dense]

    def shape(self, variables: VariableSet) -> tuple[int, ...]:
        return tuple(self.sizes[v] for v in variables)

    def cell_offsets(self) -> Integers:
        """Where the cells of each dense set begin in the flat array."""
        cells = [math.prod(self.shape(variables)) for variables in self.dense]
        return np.array(list(accumulate(cells, initial=0)), dtype=np.int64)


class Partial:
    """The counts of some pieces of the data.

    Parameters
    ----------
    plan : PassPlan
    memory : int
        Bytes the counts may take.
    threads : int
    give_up : bool
        Whether tallies that outgrow the memory are given up, the last ones first, for another pass to count.
    """

    def __init__(self, plan: PassPlan, memory: int, threads: int = 1, *, give_up: bool = True) -> None:
        self.plan = plan
        self._threads = threads
        self._give_up = give_up
        self._offsets = plan.cell_offsets()
        self.cells = np.zeros(int(self._offsets[-1]), dtype=np.int64)
        self.tallies = [Tally(variables, plan.shape(variables)) for variables in plan.sparse]
        self._tally_memory = max(0, memory - self.cells.nbytes)
        self._cache_bytes = min(_MOST_CACHE, memory // 4)
        self._local = {variable: place for place, variable in enumerate(plan.columns)}
        # A set is asked for as a test of its last two variables given the others: so its cells lie in its own order.
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
        """Whether the tallies outgrew the memory they may take."""
        return sum(tally.nbytes for tally in self.tallies) > self._tally_memory

    def add(self, codes: Sequence[Codes], rows: int, weights: Integers | None) -> None:
        """Count a piece, given the codes of the plan's columns."""
        if len(self.cells):
            sizes = [self.plan.sizes[v] for v in self._local]
            table = _native.Table(list(codes), sizes, rows, weights, self._cache_bytes)
            table.add_dense_counts(*self._queries, self._offsets, self.cells, self._threads)
        for number, tally in enumerate(list(self.tallies)):
            if number >= len(self.tallies):
                break
            tally.add([codes[self._local[v]] for v in tally.variables], weights)
            while self._give_up and len(self.tallies) > 1 and self.overflowed:
                self.tallies.pop()

    def joint_counts(self) -> list[Joint]:
        """The counts of the plan's sets, up to the first that was given up."""
        dense = {}
        for number, variables in enumerate(self.plan.dense):
            cells = self.cells[self._offsets[number] : self._offsets[number + 1]]
            # A copy: one table that is remembered must not hold on to all others.
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
    """How often each of so many levels occurs, or the sums of their weights; the missing are not counted."""
    if weights is None:
        return _native.level_counts(np.ascontiguousarray(codes), size)[:size]
    return np.bincount(codes.astype(np.int64) + 1, weights=weights, minlength=size + 1)[1:]


def kept_levels(occupied: npt.NDArray[np.bool_]) -> Codes:
    """The codes of the levels that are left when some are not; the last entry serves the missing value, −1.

    >>> kept_levels(np.array([True, False, True])).tolist()
    [0, -1, 1, -1]
    """
    kept: Codes = np.append(np.where(occupied, np.cumsum(occupied) - 1, -1), -1).astype(code_type(int(occupied.sum())))
    return kept
