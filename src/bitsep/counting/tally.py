"""Counting the occupied cells of a large table, one part of the data after the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.counting.joint_counts import SparseJoint, VariableSet

Integers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.signedinteger[Any]]

_MAX_KEY = 1 << 62  # keys below it do not overflow in 64 bits
_MIN_MERGED_CELLS = 1 << 16  # fewer waiting cells are not merged yet


class KeyLayout:
    """Converts the codes of a set of variables to sortable keys, with as many variables per 64-bit word as fit.

    Keys do not overflow, whatever the number of variables and their sizes: further variables use the next word.

    >>> KeyLayout((10**6,) * 4).words
    2
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = tuple(max(1, size) for size in sizes)
        self._cuts = [0]
        product = 1
        for index, size in enumerate(self._sizes):
            if product * size >= _MAX_KEY:
                self._cuts.append(index)
                product = 1
            product *= size
        self._cuts.append(len(self._sizes))

    @property
    def words(self) -> int:
        return len(self._cuts) - 1

    def keys(self, codes: Sequence[Codes]) -> Integers:
        """One column of words per row, for rows without a missing value."""
        keys = np.zeros((self.words, len(codes[0])), np.int64)
        for word, (begin, end) in zip(keys, pairwise(self._cuts), strict=True):
            for index in range(begin, end):
                word *= self._sizes[index]
                word += codes[index]
        return keys

    def codes(self, keys: Integers) -> tuple[Integers, ...]:
        """The codes from the keys, variable by variable."""
        result: list[Integers] = []
        for word, (begin, end) in zip(keys, pairwise(self._cuts), strict=True):
            rest, parts = word, []
            for size in reversed(self._sizes[begin:end]):
                rest, part = np.divmod(rest, size)
                parts.append(part)
            result += reversed(parts)
        return tuple(result)


class Tally:
    """The occupied cells of the rows counted so far; merged regularly, so that memory depends on cells, not on rows."""

    def __init__(self, variables: VariableSet, sizes: Sequence[int]) -> None:
        self.variables = variables
        self._sizes = tuple(sizes)
        self._layout = KeyLayout(sizes)
        self._merged = distinct(np.zeros((self._layout.words, 0), np.int64), None)
        self._waiting: list[tuple[Integers, Integers]] = []
        self._waiting_cells = 0

    @property
    def words(self) -> int:
        """The number of 64-bit words per key."""
        return self._layout.words

    @property
    def nbytes(self) -> int:
        """The memory used, including the peak while merging."""
        return 3 * 8 * (self._layout.words + 1) * (len(self._merged[1]) + self._waiting_cells)

    def add(self, codes: Sequence[Codes], weights: Integers | None) -> None:
        """Count the rows of one part."""
        present = np.logical_and.reduce([column >= 0 for column in codes])
        if not present.all():
            codes = [column[present] for column in codes]
            weights = None if weights is None else weights[present]
        self.add_cells(*distinct(self._layout.keys(codes), weights))

    def add_cells(self, keys: Integers, count: Integers) -> None:
        """Add cells counted elsewhere."""
        self._waiting.append((keys, count))
        self._waiting_cells += len(count)
        if self._waiting_cells > max(_MIN_MERGED_CELLS, len(self._merged[1])):
            self._merge()

    def cells(self) -> tuple[Integers, Integers]:
        """The keys, sorted, and their counts."""
        self._merge()
        return self._merged

    def joint(self) -> SparseJoint:
        """The counts."""
        keys, count = self.cells()
        return SparseJoint(self.variables, self._sizes, self._layout.codes(keys), count)

    def _merge(self) -> None:
        parts = [self._merged, *self._waiting]
        self._waiting, self._waiting_cells = [], 0
        self._merged = distinct(
            np.concatenate([keys for keys, _ in parts], axis=1), np.concatenate([count for _, count in parts])
        )


def distinct(keys: Integers, values: Integers | None) -> tuple[Integers, Integers]:
    """The distinct keys, sorted, and the number of rows with each, or the sum of their values."""
    total = keys.shape[1]
    if not total:
        return keys, np.zeros(0, np.int64)
    if values is None:
        ordered = np.sort(keys, axis=1) if len(keys) == 1 else keys[:, np.lexsort(keys[::-1])]
    else:
        order = np.argsort(keys[0], kind="stable") if len(keys) == 1 else np.lexsort(keys[::-1])
        ordered, values = keys[:, order], values[order]
    starts = np.flatnonzero(np.append(True, (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)))
    count = np.diff(starts, append=total) if values is None else np.add.reduceat(values, starts)
    return np.ascontiguousarray(ordered[:, starts]), count.astype(np.int64, copy=False)
