"""Contingency tables small enough to be looked at: the frequent levels, the large strata, the rest pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep.data import Table
from bitsep.naming import Name
from bitsep.report.labels import shortened, unique_labels, visible

MAX_LEVELS = 12
"""Levels of a variable shown by themselves; of more, the most frequent are, and the others are pooled."""

MAX_STRATA = 12
"""Strata shown by themselves; of more, those with most rows are, and the others are pooled."""

_MAX_CELLS = 1 << 22

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LevelCount:
    """A level and the rows that have it."""

    label: str
    rows: int


@dataclass(frozen=True, slots=True)
class Axis:
    """A variable as tables show it.

    Attributes
    ----------
    labels : tuple of str
        The levels shown; the last one stands for all others where `pooled` is not 0.
    pooled : int
        How many levels the last label stands for.
    codes : array
        Per row of the data, which of the labels it has; −1 where it is missing.
    """

    labels: tuple[str, ...]
    pooled: int
    codes: Integers


@dataclass(frozen=True, slots=True)
class Stratum:
    """One value combination of the given: its label per given variable, and the table of X by Y within it.

    `expected` is what independence given the stratum would give. Pooled strata (`pooled` of them, no labels) have the
    sums over their members.
    """

    labels: tuple[str, ...]
    pooled: int
    observed: Integers
    expected: Floats

    @property
    def rows(self) -> int:
        """Rows of the data in it."""
        return int(self.observed.sum())


class Tabulator:
    """Tables of a data set for people to look at, not to compute with: rare levels are pooled."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._axes: dict[Name, Axis] = {}
        self._strata: dict[tuple[Name, ...], tuple[Integers, Sequence[tuple[object, ...]]]] = {}

    def axis(self, variable: Name) -> Axis:
        """A column, or a tuple of columns joined into one variable, with its rare levels pooled."""
        if variable not in self._axes:
            self._axes[variable] = self._make_axis(variable)
        return self._axes[variable]

    def level_counts(self, variable: Name) -> tuple[LevelCount, ...]:
        """Rows per label of the axis, by weight."""
        axis = self.axis(variable)
        counts = self._count(axis.codes, len(axis.labels))
        return tuple(LevelCount(label, int(rows)) for label, rows in zip(axis.labels, counts, strict=True))

    def strata(self, x: Name, y: Name, given: Sequence[Name]) -> tuple[Stratum, ...]:
        """The table of x by y per stratum, from rows that miss none of the values; the pooled strata come last.

        Nothing comes back where there are too many strata for memory.
        """
        across, down = self.axis(x), self.axis(y)
        kx, ky = len(across.labels), len(down.labels)
        number, levels = self._given(tuple(given))
        if len(levels) * kx * ky > _MAX_CELLS:
            return ()
        present = (across.codes >= 0) & (down.codes >= 0) & (number >= 0)
        cell = np.where(present, (number * kx + across.codes) * ky + down.codes, -1)
        observed = self._count(cell, len(levels) * kx * ky).reshape(len(levels), kx, ky)
        rows = observed.sum(axis=(1, 2))
        expected = (
            observed.sum(axis=2)[:, :, None] * observed.sum(axis=1)[:, None, :] / np.maximum(rows, 1)[:, None, None]
        )
        occupied = np.flatnonzero(rows)
        largest = occupied[np.argsort(-rows[occupied], kind="stable")]
        cut = len(largest) if len(largest) <= MAX_STRATA else MAX_STRATA - 1
        shown, rest = np.sort(largest[:cut]), largest[cut:]
        found = [Stratum(_stratum_labels(levels[k]), 0, observed[k], expected[k]) for k in shown]
        if len(rest):
            found.append(Stratum((), len(rest), observed[rest].sum(axis=0), expected[rest].sum(axis=0)))
        return tuple(found)

    def _make_axis(self, variable: Name) -> Axis:
        codes, levels = self._column(variable)
        wide = codes.astype(np.int64)
        if len(levels) <= MAX_LEVELS:
            return Axis(_level_labels(levels), 0, wide)
        kept = np.sort(np.argsort(-self._count(wide, len(levels)), kind="stable")[: MAX_LEVELS - 1])
        pooled = len(levels) - len(kept)
        place = np.full(len(levels) + 1, len(kept))  # one more, for missing: code −1 finds the last entry
        place[kept] = np.arange(len(kept))
        place[-1] = -1
        return Axis((*_level_labels([levels[k] for k in kept]), f"{pooled:,} others"), pooled, place[wide])

    def _given(self, given: tuple[Name, ...]) -> tuple[Integers, Sequence[tuple[object, ...]]]:
        """The number of each row's stratum (−1: a value is missing), and the strata's levels, in canonical order."""
        if given not in self._strata:
            if given:
                codes, levels = self._table.joint(given)
                self._strata[given] = (codes.astype(np.int64), levels)
            else:
                self._strata[given] = (np.zeros(self._table.n_rows, np.int64), [()])
        return self._strata[given]

    def _column(self, variable: Name) -> tuple[npt.NDArray[np.signedinteger], Sequence[object]]:
        if isinstance(variable, tuple) and variable not in self._table.names:
            return self._table.joint(variable)
        return self._table.codes(variable), self._table.levels(variable)

    def _count(self, numbers: Integers, size: int) -> Integers:
        """Rows per number from 0 up to `size`, by weight; negative numbers are left out."""
        weights = self._table.weights
        kept = numbers >= 0
        if weights is None:
            return np.bincount(numbers[kept], minlength=size).astype(np.int64)
        return np.rint(np.bincount(numbers[kept], weights[kept], minlength=size)).astype(np.int64)


def _level_labels(levels: Sequence[object]) -> tuple[str, ...]:
    """What levels show; combinations of several columns show their parts."""
    plain = [", ".join(map(visible, level)) if isinstance(level, tuple) else level for level in levels]
    return tuple(shortened(label, 40) for label in unique_labels(plain))


def _stratum_labels(levels: Sequence[object]) -> tuple[str, ...]:
    return tuple(shortened(visible(level), 40) for level in levels)
