"""Counting a table in memory, in native code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.counting.counts import Counts
from bitsep.counting.partial import weighted_level_counts
from bitsep.counting.resample import draw_rows
from bitsep.naming import Name, name_key

if TYPE_CHECKING:
    from bitsep.data import Table

Codes = npt.NDArray[np.signedinteger[Any]]

Variable = Name | tuple[Name, ...]
"""A column, or several joined into one variable."""

# Bitmaps are built once per table and reused by every later call with the same table.
_ready: WeakKeyDictionary[Table, MemoryCounter] = WeakKeyDictionary()


class MemoryCounter:
    """Counts the columns of a `Table`; see `bitsep.counting.Counter`.

    Parameters
    ----------
    table : Table
    variables : sequence, optional
        Columns to take, or tuples of columns to join; by default all columns, one by one.
    """

    def __init__(self, table: Table, variables: Sequence[Variable] | None = None) -> None:
        chosen = table.names if variables is None else variables
        columns: dict[Variable, tuple[_native.Codes, int]] = {}
        for variable in chosen:
            if isinstance(variable, tuple) and variable not in table.names:
                codes, levels = table.joint(variable)
                columns[variable] = (_native.Codes(codes), len(levels))
            else:
                columns[variable] = (table.native_codes(variable), table.n_levels(variable))
        names = tuple(sorted(columns, key=name_key))
        self._set(names, [columns[name] for name in names], table.weights, table.n_rows, table.n)

    def _set(
        self,
        variables: tuple[Variable, ...],
        columns: list[tuple[_native.Codes, int]],
        weights: npt.NDArray[np.int64] | None,
        rows: int,
        n: int,
    ) -> None:
        self._variables = variables
        self._columns = columns
        self._weights = weights
        self._n = n
        self.native = _native.Table([codes for codes, _ in columns], [levels for _, levels in columns], rows, weights)

    @classmethod
    def of(cls, table: Table) -> MemoryCounter:
        """The counter of all columns of this table, made once."""
        counter = _ready.get(table)
        if counter is None:
            counter = _ready[table] = cls(table)
        return counter

    @property
    def variables(self) -> tuple[Variable, ...]:
        return self._variables

    @cached_property
    def places(self) -> dict[Variable, int]:
        """Where each variable stands."""
        return {name: place for place, name in enumerate(self._variables)}

    @property
    def n_rows(self) -> int:
        return self._n

    def n_levels(self, variable: int) -> int:
        return self._columns[variable][1]

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        stratum, xs, ys, count = self.native.counts(x, y, np.asarray(sorted(set(given)), dtype=np.int32))
        product = _native.domain_product([self.n_levels(z) for z in given])
        return Counts(stratum, xs, ys, count, self.n_levels(x), self.n_levels(y), product)

    def many(self, queries: Sequence[tuple[int, int, Sequence[int]]]) -> list[Counts]:
        return [self.counts(x, y, given) for x, y, given in queries]

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        """How often each level of a variable occurs."""
        codes, levels = self._columns[variable]
        return weighted_level_counts(codes.array, levels, self._weights)

    def resampled(self, seed: int) -> MemoryCounter:
        take, weights = draw_rows(seed, 0, self.native.rows, self._weights)
        columns = [_observed_only(codes.array[take], levels) for codes, levels in self._columns]
        copy = object.__new__(MemoryCounter)
        n = len(take) if weights is None else int(weights.sum())
        copy._set(self._variables, columns, weights, len(take), n)
        return copy


def _observed_only(codes: Codes, levels: int) -> tuple[_native.Codes, int]:
    """The codes without levels that the resampled rows no longer have; their order stays."""
    occupied = _native.level_counts(codes, levels)[:levels] > 0
    if occupied.all():
        return _native.Codes(codes), levels
    new_code = np.append(np.cumsum(occupied) - 1, -1).astype(codes.dtype)  # -1 (missing) finds the last entry
    return _native.Codes(new_code[codes]), int(occupied.sum())
