"""The counter of a table in memory, in native code."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.counting.contract import Query, Variable
from bitsep.counting.counts import Counts, check_merged
from bitsep.counting.joint_counts import DenseJoint, Joint, VariableSet
from bitsep.counting.partial import kept_levels, weighted_level_counts
from bitsep.counting.resample import sample_rows
from bitsep.counting.tally import Tally
from bitsep.data.encode import code_type
from bitsep.naming import sorted_names

if TYPE_CHECKING:
    from bitsep.data import Table

Codes = npt.NDArray[np.signedinteger[Any]]

_ALWAYS_DENSE_CELLS = 1 << 16


class NativeCounter:
    """Counts the columns of a `Table`; see `bitsep.counting.contract.Counter`.

    Parameters
    ----------
    variables : tuple
        The variables in canonical order.
    columns : list of (codes, number of levels)
        The column of each variable.
    weights : array or None
        The weight of each row.
    n_rows, n : int
        The number of rows, and the sum of their weights.
    """

    min_tests_per_pass = 0

    def __init__(
        self,
        variables: tuple[Variable, ...],
        columns: list[tuple[_native.Codes, int]],
        weights: npt.NDArray[np.int64] | None,
        n_rows: int,
        n: int,
    ) -> None:
        self.variables = variables
        self.places = {name: index for index, name in enumerate(variables)}
        self.n = n
        self._columns = columns
        self._weights = weights
        self.native = _native.Table([codes for codes, _ in columns], [levels for _, levels in columns], n_rows, weights)

    @classmethod
    def of(cls, table: Table) -> NativeCounter:
        """The counter of all columns of this table."""
        names = sorted_names(table.names)
        columns = [(table.native_codes(name), table.n_levels(name)) for name in names]
        return cls(names, columns, table.weights, table.n_rows, table.n)

    @classmethod
    def of_sample(
        cls,
        variables: tuple[Variable, ...],
        codes: Sequence[Codes],
        sizes: Sequence[int],
        weights: npt.NDArray[np.int64] | None,
    ) -> NativeCounter:
        """The counter of some rows: the codes of each variable, its domain size in all rows, and the weights."""
        columns = [_observed_only(column, levels) for column, levels in zip(codes, sizes, strict=True)]
        rows = len(codes[0])
        return cls(variables, columns, weights, rows, rows if weights is None else int(weights.sum()))

    def n_levels(self, variable: int) -> int:
        return self._columns[variable][1]

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        codes, levels = self._columns[variable]
        return weighted_level_counts(codes.array, levels, self._weights)

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        stratum, xs, ys, count = self.native.counts(x, y, np.asarray(sorted(set(given)), dtype=np.int32))
        product = _native.domain_product([self.n_levels(z) for z in given])
        return Counts(stratum, xs, ys, count, self.n_levels(x), self.n_levels(y), product)

    def counts_many(self, queries: Sequence[Query]) -> Iterator[Counts]:
        return (self.counts(x, y, given) for x, y, given in queries)

    def joint_counts(self, sets: Sequence[VariableSet]) -> Iterator[Joint]:
        return map(self._joint, sets)

    def merged(self, variables: Sequence[Variable]) -> NativeCounter:
        chosen = sorted_names(variables)
        columns = [self._columns[self.places[one]] if one in self.places else self._merge(one) for one in chosen]
        return NativeCounter(chosen, columns, self._weights, self.native.rows, self.n)

    def resampled(self, seed: int) -> NativeCounter:
        take, weights = sample_rows(seed, 0, self.native.rows, self._weights)
        codes = [codes.array[take] for codes, _ in self._columns]
        return NativeCounter.of_sample(self.variables, codes, [levels for _, levels in self._columns], weights)

    def thinned(self, rows: int) -> NativeCounter:
        step = -(-self.native.rows // rows)
        if step <= 1:
            return self
        codes = [codes.array[::step] for codes, _ in self._columns]
        sizes = [levels for _, levels in self._columns]
        weights = None if self._weights is None else self._weights[::step].copy()
        return NativeCounter.of_sample(self.variables, codes, sizes, weights)

    def _joint(self, variables: VariableSet) -> Joint:
        sizes = tuple(self.n_levels(v) for v in variables)
        cells = math.prod(sizes)
        if len(variables) > 1 and 0 < cells <= max(_ALWAYS_DENSE_CELLS, 4 * self.native.rows):
            flat = np.zeros(cells, np.int64)
            *given, x, y = np.array(variables, np.int32).reshape(-1, 1)
            rest = np.array([0, len(given)]), np.array(variables[:-2], np.int32)
            self.native.add_dense_counts(x, y, rest, np.array([0, cells]), flat, 1)
            return DenseJoint(variables, flat.reshape(sizes))
        tally = Tally(variables, sizes)
        tally.add([self._columns[v][0].array for v in variables], self._weights)
        return tally.joint()

    def _merge(self, variable: Variable) -> tuple[_native.Codes, int]:
        """Several columns as one; the combinations that occur are numbered in lexicographic order of their codes."""
        assert isinstance(variable, tuple)
        columns = [self._columns[self.places[part]] for part in variable]
        present = np.logical_and.reduce([codes.array >= 0 for codes, _ in columns])
        cells, combinations = np.zeros(int(present.sum()), dtype=np.int64), 1
        for codes, levels in columns:
            # Cells are numbered again after every column, so the product is at most rows × levels and cannot overflow.
            cells, combinations = _numbered(cells * max(1, levels) + codes.array[present])
        check_merged(variable, combinations)
        merged = np.full(len(present), -1, dtype=code_type(combinations))
        merged[present] = cells
        return _native.Codes(merged), combinations


def _numbered(cells: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], int]:
    """The number of each cell among the distinct cells, in ascending order, and how many distinct cells there are."""
    largest = int(cells.max()) + 1 if len(cells) else 0
    if largest > max(1024, 4 * len(cells)):
        distinct, numbers = np.unique(cells, return_inverse=True)
        return numbers.reshape(-1).astype(np.int64, copy=False), len(distinct)
    # With few possible cells, marking those that occur is faster than sorting rows.
    occurs = np.zeros(largest, dtype=np.bool_)
    occurs[cells] = True
    return (np.cumsum(occurs) - 1)[cells], int(occurs.sum())


def _observed_only(codes: Codes, levels: int) -> tuple[_native.Codes, int]:
    """The codes without levels that do not occur in these rows; the order of levels is kept."""
    codes = np.ascontiguousarray(codes, dtype=code_type(levels))
    occupied = _native.level_counts(codes, levels)[:levels] > 0
    if occupied.all():
        return _native.Codes(codes), levels
    return _native.Codes(kept_levels(occupied)[codes]), int(occupied.sum())
