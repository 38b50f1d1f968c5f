"""Contingency tables small enough to read: frequent levels and large strata, with the rest pooled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep.counting import Counter
from bitsep.data.contract import EncodedData
from bitsep.naming import Name
from bitsep.report.labels import unique_labels, visible

MAX_LEVELS = 12
"""Maximum number of levels shown; if a variable has more, the most frequent are shown and the others are pooled."""

MAX_STRATA = 12
"""Maximum number of strata shown; if there are more, the largest are shown and the others are pooled."""

_MAX_CELLS = 1 << 22

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LevelCount:
    """A level and the number of rows with it."""

    label: str
    rows: int


@dataclass(frozen=True, slots=True)
class Axis:
    """A variable as one side of a table.

    Attributes
    ----------
    labels : tuple of str
        The levels shown; if `pooled` is not 0, the last label stands for all other levels.
    pooled : int
        The number of levels that the last label stands for, or 0.
    label_index : array
        The index of the label of each level.
    rows : array
        The number of rows (by weight) with each label.
    """

    labels: tuple[str, ...]
    pooled: int
    label_index: Integers
    rows: Integers


@dataclass(frozen=True, slots=True)
class Stratum:
    """One combination of levels of the conditioning set: its labels, and the table of X by Y in it.

    `expected` has the counts expected under independence in the stratum. Strata that are pooled (`pooled` is their
    number, and there are no labels) have the sums of their tables.
    """

    labels: tuple[str, ...]
    pooled: int
    observed: Integers
    expected: Floats

    @property
    def rows(self) -> int:
        """The number of rows in the stratum."""
        return int(self.observed.sum())


class Tabulator:
    """Makes contingency tables for display, in which rare levels are pooled.

    Parameters
    ----------
    data : EncodedData
    merged : sequence of tuples of names
        Columns that are merged into one variable.
    """

    def __init__(self, data: EncodedData, merged: Sequence[tuple[Name, ...]] = ()) -> None:
        self._data = data
        counter: Counter = data.counter(None)
        self._counter = counter.merged([*data.names, *merged]) if merged else counter
        self._merged = frozenset(merged)
        self._axes: dict[Name, Axis] = {}

    def axis(self, variable: Name) -> Axis:
        """A column, or a tuple of merged columns, with its rare levels pooled."""
        if variable not in self._axes:
            self._axes[variable] = self._make_axis(variable)
        return self._axes[variable]

    def level_counts(self, variable: Name) -> tuple[LevelCount, ...]:
        """The number of rows (by weight) per label of the axis."""
        axis = self.axis(variable)
        return tuple(LevelCount(label, int(rows)) for label, rows in zip(axis.labels, axis.rows, strict=True))

    def missing(self, variable: Name) -> int:
        """The number of rows (by weight) in which a variable is missing."""
        return self._data.n - int(self.axis(variable).rows.sum())

    def strata(self, x: Name, y: Name, given: Sequence[Name]) -> tuple[Stratum, ...]:
        """The table of x by y per stratum, from rows without missing values; the pooled strata come last.

        The result is empty if there are too many strata for memory.
        """
        [found] = self.strata_many([(x, y, given)])
        return found

    def strata_many(self, queries: Sequence[tuple[Name, Name, Sequence[Name]]]) -> Iterator[tuple[Stratum, ...]]:
        """The tables of many tests, in order; backends that count in passes use as few passes as possible."""
        places = self._counter.places
        sets = [tuple(sorted({places[x], places[y], *(places[z] for z in given)})) for x, y, given in queries]
        for (x, y, given), joint in zip(queries, self._counter.joint_counts(sets), strict=True):
            codes, count = joint.occupied()
            column = dict(zip((self._counter.variables[v] for v in joint.variables), codes, strict=True))
            yield self._tables(x, y, tuple(given), column, count)

    def _tables(
        self, x: Name, y: Name, given: tuple[Name, ...], codes: dict[Name, Integers], count: Integers
    ) -> tuple[Stratum, ...]:
        """The tables made from the occupied cells, given as codes per variable and counts."""
        down, across = self.axis(x), self.axis(y)
        shape = len(down.labels), len(across.labels)
        levels = np.zeros((1, 0), np.int64)
        number = np.zeros(len(count), np.int64)
        if given:
            keys = np.stack([self._ranks(z)[codes[z]] for z in given], axis=1)
            levels, number = np.unique(keys, axis=0, return_inverse=True)
        if len(levels) * shape[0] * shape[1] > _MAX_CELLS:
            return ()
        observed = np.zeros((len(levels), *shape), np.int64)
        np.add.at(observed, (number.reshape(-1), down.label_index[codes[x]], across.label_index[codes[y]]), count)
        rows = observed.sum(axis=(1, 2))
        expected = (
            observed.sum(axis=2)[:, :, None] * observed.sum(axis=1)[:, None, :] / np.maximum(rows, 1)[:, None, None]
        )
        occupied = np.flatnonzero(rows)
        largest = occupied[np.argsort(-rows[occupied], kind="stable")]
        cut = len(largest) if len(largest) <= MAX_STRATA else MAX_STRATA - 1
        shown, rest = np.sort(largest[:cut]), largest[cut:]
        labels = self._stratum_labels(given, levels[shown])
        found = [Stratum(own, 0, observed[k], expected[k]) for own, k in zip(labels, shown, strict=True)]
        if len(rest):
            found.append(Stratum((), len(rest), observed[rest].sum(axis=0), expected[rest].sum(axis=0)))
        return tuple(found)

    def _make_axis(self, variable: Name) -> Axis:
        counts = self._counter.level_counts(self._counter.places[variable]).astype(np.int64)
        levels = self._levels(variable)
        ranks = np.arange(len(levels)) if variable in self._merged else self._ranks(variable)
        if len(levels) <= MAX_LEVELS:
            order = np.argsort(ranks)
            return Axis(_level_labels([levels[code] for code in order]), 0, ranks, counts[order])
        kept = np.argsort(-counts, kind="stable")[: MAX_LEVELS - 1]
        kept = kept[np.argsort(ranks[kept])]
        pooled = len(levels) - len(kept)
        label_index = np.full(len(levels), len(kept))
        label_index[kept] = np.arange(len(kept))
        rows = np.append(counts[kept], counts.sum() - counts[kept].sum())
        return Axis((*_level_labels([levels[k] for k in kept]), f"{pooled:,} others"), pooled, label_index, rows)

    def _levels(self, variable: Name) -> Sequence[object]:
        if variable not in self._merged:
            return self._data.levels(variable)
        assert isinstance(variable, tuple)
        counter = self._data.counter(None)
        parts = [counter.places[part] for part in variable]
        [joint] = counter.joint_counts([tuple(sorted(parts))])
        codes = [joint.occupied()[0][joint.variables.index(part)] for part in parts]
        levels = [self._data.levels(part) for part in variable]
        order = np.lexsort(codes[::-1])
        return [tuple(own[code[k]] for own, code in zip(levels, codes, strict=True)) for k in order]

    def _ranks(self, variable: Name) -> Integers:
        """The place of each level in the order of display."""
        return np.argsort(np.array(self._data.display_order(variable), np.int64))

    def _stratum_labels(self, given: tuple[Name, ...], ranks: Integers) -> list[tuple[str, ...]]:
        """The levels of the conditioning set in every stratum (a row of ranks)."""
        columns = []
        for z, own in zip(given, ranks.T.tolist(), strict=True):
            different = sorted(set(own))
            levels = [self._data.levels(z)[self._data.display_order(z)[rank]] for rank in different]
            label_of = dict(zip(different, _level_labels(levels), strict=True))
            columns.append([label_of[rank] for rank in own])
        return [tuple(column[k] for column in columns) for k in range(len(ranks))]


def _level_labels(levels: Sequence[object]) -> tuple[str, ...]:
    """The labels of levels; a combination of several columns shows the levels of all of them."""
    plain = [", ".join(map(visible, level)) if isinstance(level, tuple) else level for level in levels]
    return unique_labels(plain, 40)
