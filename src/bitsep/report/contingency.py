"""Contingency tables small enough to be looked at: the frequent levels, the large strata, the rest pooled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep.counting import Counter
from bitsep.data.contract import EncodedData
from bitsep.naming import Name
from bitsep.processors import thread_count
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
    place : array
        The label of each level.
    rows : array
        The rows (by weight) that have each label.
    """

    labels: tuple[str, ...]
    pooled: int
    place: Integers
    rows: Integers


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
    """Contingency tables to look at, not to compute with: rare levels are pooled.

    Parameters
    ----------
    data : EncodedData
    merged : sequence of tuples of names
        Columns that are merged into one variable.
    """

    def __init__(self, data: EncodedData, merged: Sequence[tuple[Name, ...]] = ()) -> None:
        self._data = data
        counter: Counter = data.counter(thread_count(None))
        self._counter = counter.merged([*data.names, *merged]) if merged else counter
        self._merged = frozenset(merged)
        self._axes: dict[Name, Axis] = {}

    def axis(self, variable: Name) -> Axis:
        """A column, or a tuple of merged columns, with its rare levels pooled."""
        if variable not in self._axes:
            self._axes[variable] = self._make_axis(variable)
        return self._axes[variable]

    def level_counts(self, variable: Name) -> tuple[LevelCount, ...]:
        """Rows per label of the axis, by weight."""
        axis = self.axis(variable)
        return tuple(LevelCount(label, int(rows)) for label, rows in zip(axis.labels, axis.rows, strict=True))

    def missing(self, variable: Name) -> int:
        """Rows (by weight) in which a variable is missing."""
        return self._data.n - int(self.axis(variable).rows.sum())

    def strata(self, x: Name, y: Name, given: Sequence[Name]) -> tuple[Stratum, ...]:
        """The table of x by y per stratum, from rows that miss none of the values; the pooled strata come last.

        Nothing comes back where there are too many strata for memory.
        """
        [found] = self.strata_many([(x, y, given)])
        return found

    def strata_many(self, queries: Sequence[tuple[Name, Name, Sequence[Name]]]) -> Iterator[tuple[Stratum, ...]]:
        """The tables of many tests, in order; data that are counted in passes are read in as few as possible."""
        places = self._counter.places
        sets = [tuple(sorted({places[x], places[y], *(places[z] for z in given)})) for x, y, given in queries]
        for (x, y, given), joint in zip(queries, self._counter.joint_counts(sets), strict=True):
            codes, count = joint.occupied()
            column = dict(zip((self._counter.variables[v] for v in joint.variables), codes, strict=True))
            yield self._tables(x, y, tuple(given), column, count)

    def _tables(
        self, x: Name, y: Name, given: tuple[Name, ...], codes: dict[Name, Integers], count: Integers
    ) -> tuple[Stratum, ...]:
        """The tables from the occupied cells: the codes of each variable, and their counts."""
        down, across = self.axis(x), self.axis(y)
        shape = len(down.labels), len(across.labels)
        levels = np.zeros((1, 0), np.int64)
        number = np.zeros(len(count), np.int64)
        if given:
            keys = np.stack([codes[z] for z in given], axis=1)
            levels, number = np.unique(keys, axis=0, return_inverse=True)
        if len(levels) * shape[0] * shape[1] > _MAX_CELLS:
            return ()
        observed = np.zeros((len(levels), *shape), np.int64)
        np.add.at(observed, (number.reshape(-1), down.place[codes[x]], across.place[codes[y]]), count)
        rows = observed.sum(axis=(1, 2))
        expected = (
            observed.sum(axis=2)[:, :, None] * observed.sum(axis=1)[:, None, :] / np.maximum(rows, 1)[:, None, None]
        )
        occupied = np.flatnonzero(rows)
        largest = occupied[np.argsort(-rows[occupied], kind="stable")]
        cut = len(largest) if len(largest) <= MAX_STRATA else MAX_STRATA - 1
        shown, rest = np.sort(largest[:cut]), largest[cut:]
        found = [Stratum(self._stratum_labels(given, levels[k]), 0, observed[k], expected[k]) for k in shown]
        if len(rest):
            found.append(Stratum((), len(rest), observed[rest].sum(axis=0), expected[rest].sum(axis=0)))
        return tuple(found)

    def _make_axis(self, variable: Name) -> Axis:
        counts = self._counter.level_counts(self._counter.places[variable]).astype(np.int64)
        levels = self._levels(variable)
        if len(levels) <= MAX_LEVELS:
            return Axis(_level_labels(levels), 0, np.arange(len(levels)), counts)
        kept = np.sort(np.argsort(-counts, kind="stable")[: MAX_LEVELS - 1])
        pooled = len(levels) - len(kept)
        place = np.full(len(levels), len(kept))
        place[kept] = np.arange(len(kept))
        rows = np.append(counts[kept], counts.sum() - counts[kept].sum())
        return Axis((*_level_labels([levels[k] for k in kept]), f"{pooled:,} others"), pooled, place, rows)

    def _levels(self, variable: Name) -> Sequence[object]:
        if variable not in self._merged:
            return self._data.levels(variable)
        assert isinstance(variable, tuple)
        whole = self._data.counter(thread_count(None))
        parts = [whole.places[part] for part in variable]
        [joint] = whole.joint_counts([tuple(sorted(parts))])
        codes = [joint.occupied()[0][joint.variables.index(part)] for part in parts]
        levels = [self._data.levels(part) for part in variable]
        order = np.lexsort(codes[::-1])
        return [tuple(own[code[k]] for own, code in zip(levels, codes, strict=True)) for k in order]

    def _stratum_labels(self, given: tuple[Name, ...], codes: Integers) -> tuple[str, ...]:
        levels = (self._data.levels(z)[code] for z, code in zip(given, codes.tolist(), strict=True))
        return tuple(shortened(visible(level), 40) for level in levels)


def _level_labels(levels: Sequence[object]) -> tuple[str, ...]:
    """What levels show; combinations of several columns show their parts."""
    plain = [", ".join(map(visible, level)) if isinstance(level, tuple) else level for level in levels]
    return tuple(shortened(label, 40) for label in unique_labels(plain))
