"""The joint counts of a set of variables, which do not depend on the roles of the variables in a test.

A test of x and y given Z needs only the joint counts of {x, y} ∪ Z, so tests of the same variables in different roles
share one table. A small table is dense; a large one contains only its occupied cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.counting.counts import Counts

Integers = npt.NDArray[np.int64]

VariableSet = tuple[int, ...]
"""Indices of variables, ascending."""


@dataclass(frozen=True, slots=True)
class DenseCounts:
    """The counts of one test as a flat array of all cells [strata of Z][x][y]; see `Counts` for the attributes."""

    cells: Integers
    kx: int
    ky: int
    kz_product: float

    def sparse(self) -> Counts:
        """The same counts as their occupied cells.

        >>> DenseCounts(np.array([0, 0, 0, 0, 1, 2, 0, 3]), 2, 2, 2.0).sparse().stratum.tolist()
        [0, 0, 0]
        """
        if not len(self.cells):
            empty = np.zeros(0, np.int64)
            return Counts(empty, empty, empty, empty, self.kx, self.ky, self.kz_product)
        occupied = np.flatnonzero(self.cells)
        rest, y = np.divmod(occupied, self.ky)
        stratum, x = np.divmod(rest, self.kx)
        return Counts(_numbered([stratum]), x, y, self.cells[occupied], self.kx, self.ky, self.kz_product)


@dataclass(frozen=True, slots=True)
class DenseJoint:
    """All cells of a set of variables: one axis per variable, ascending."""

    variables: VariableSet
    cells: Integers

    @property
    def nbytes(self) -> int:
        return self.cells.nbytes

    def occupied(self) -> tuple[tuple[Integers, ...], Integers]:
        """The codes of the occupied cells, variable by variable, and their counts."""
        codes = np.nonzero(self.cells)
        return tuple(code.astype(np.int64) for code in codes), self.cells[codes]

    def counts(self, x: int, y: int, given: Sequence[int]) -> DenseCounts:
        """The counts of x against y given the others."""
        axes = [self.variables.index(v) for v in (*sorted(set(given)), x, y)]
        cells = np.ascontiguousarray(self.cells.transpose(axes)).reshape(-1)
        shape = [self.cells.shape[axis] for axis in axes]
        return DenseCounts(cells, shape[-2], shape[-1], _native.domain_product(shape[:-2]))


@dataclass(frozen=True, slots=True)
class SparseJoint:
    """The occupied cells of a set of variables: their codes, variable by variable, and their counts."""

    variables: VariableSet
    sizes: tuple[int, ...]
    codes: tuple[Integers, ...]
    count: Integers

    @property
    def nbytes(self) -> int:
        return (len(self.codes) + 1) * self.count.nbytes

    def occupied(self) -> tuple[tuple[Integers, ...], Integers]:
        """The codes of the occupied cells, variable by variable, and their counts."""
        return self.codes, self.count

    def counts(self, x: int, y: int, given: Sequence[int]) -> Counts:
        """The counts of x against y given the others."""
        indices = [self.variables.index(v) for v in (*sorted(set(given)), x, y)]
        codes = [self.codes[index] for index in indices]
        sizes = [self.sizes[index] for index in indices]
        order = np.lexsort(codes[::-1])
        *strata, xs, ys = (code[order] for code in codes)
        stratum = _numbered(strata) if strata else np.zeros(len(xs), np.int64)
        return Counts(stratum, xs, ys, self.count[order], sizes[-2], sizes[-1], _native.domain_product(sizes[:-2]))


Joint = DenseJoint | SparseJoint


def strata_of(joint: Joint, given: Sequence[int]) -> tuple[Integers, Integers]:
    """The stratum of each occupied cell, numbered from 0 in lexicographic order of the given codes, and its count."""
    codes, count = joint.occupied()
    if not given:
        return np.zeros(len(count), np.int64), count
    keys = [codes[joint.variables.index(z)] for z in given]
    order = np.lexsort(keys[::-1])
    return _numbered([key[order] for key in keys]), count[order]


def _numbered(sorted_keys: Sequence[Integers]) -> Integers:
    """The number of each key among the distinct keys, from 0; the keys are sorted."""
    if not len(sorted_keys[0]):
        return np.zeros(0, np.int64)
    changed = np.zeros(len(sorted_keys[0]), np.bool_)
    for key in sorted_keys:
        changed[1:] |= key[1:] != key[:-1]
    return np.cumsum(changed, dtype=np.int64)
