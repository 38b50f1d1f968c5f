"""The pass that reads the source: it converts values to codes, finds the levels, and stores the chunks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.data.budget import Budget
from bitsep.data.dictionary import Dictionary
from bitsep.data.discretization.column import CutColumn
from bitsep.data.encode import Codes, EncodingRules, recode_missing, with_last_code
from bitsep.data.levels import MISSING_LEVEL, Level
from bitsep.data.readers.arrow import code_arrow
from bitsep.data.readers.batches import Source
from bitsep.data.readers.paths import FileWatch
from bitsep.data.store import ChunkStore
from bitsep.data.weights import LARGEST_SUM, read_weights
from bitsep.errors import DataError
from bitsep.naming import Name

Step = Callable[[int], None]
"""Called after each batch with the number of rows read so far."""

_BYTES_PER_LEVEL = 200  # a value, its entry in the dictionary and in the tuple of levels


@dataclass(frozen=True, slots=True)
class Encoded:
    """The encoded source: its columns in the order of the source, as codes in chunks.

    recode : for each column, the final code of each code in the store; None if the codes are final.
    places : the position of each column in the chunks of the store.
    display : for each column, the codes of ordered categories in their order; None if that is the canonical order.
    """

    names: tuple[Name, ...]
    levels: tuple[tuple[Level, ...], ...]
    recode: tuple[Codes | None, ...]
    places: tuple[int, ...]
    display: tuple[tuple[int, ...] | None, ...]
    store: ChunkStore
    watch: FileWatch

    def select(self, names: Sequence[Name]) -> Encoded:
        """The same rows with these columns only."""
        kept = [self.names.index(name) for name in names]
        return replace(
            self,
            names=tuple(names),
            levels=tuple(self.levels[i] for i in kept),
            recode=tuple(self.recode[i] for i in kept),
            places=tuple(self.places[i] for i in kept),
            display=tuple(self.display[i] for i in kept),
        )

    def with_missing_level(self, names: Sequence[Name]) -> Encoded:
        """The same rows with missing values as the last level of these columns."""
        levels, recode, display = list(self.levels), list(self.recode), list(self.display)
        for i in map(self.names.index, names):
            last = len(levels[i])
            recode[i] = recode_missing(recode[i], last)
            display[i] = with_last_code(display[i], last)
            levels[i] = (*levels[i], MISSING_LEVEL)
        return replace(self, levels=tuple(levels), recode=tuple(recode), display=tuple(display))

    def cut(self, columns: Sequence[CutColumn]) -> Encoded:
        """The same rows with intervals as levels of these columns."""
        levels, recodes, display = list(self.levels), list(self.recode), list(self.display)
        for one in columns:
            i = self.names.index(one.column)
            recode, earlier = one.recode(self.levels[i]), self.recode[i]
            recodes[i] = recode if earlier is None else recode.take(earlier)
            levels[i], display[i] = one.intervals(), None
        return replace(self, levels=tuple(levels), recode=tuple(recodes), display=tuple(display))


def read(
    source: Source,
    chosen: Sequence[Name],
    weights: Name | None,
    rules: EncodingRules,
    budget: Budget,
    folder: str | os.PathLike[str] | None,
    step: Step,
) -> Encoded:
    """Read the chosen columns (including the weights) of a source."""
    names = [name for name in chosen if name != weights]
    rows = budget.chunk_rows(len(names))
    store = ChunkStore(rows, budget.kept, folder)
    dictionaries = [Dictionary(name, rules, text=source.text) for name in names]
    read_rows = 0
    with closing(source.batches([str(name) for name in chosen], rows)) as batches:
        for label, batch in batches:
            columns = dict(zip(chosen, batch, strict=True))
            counts = keep = None
            if weights is not None:
                counts, keep = _weights(columns.pop(weights), weights, label, source.text, rules)
            if len(batch[0]):
                store.append(list(_codes(dictionaries, columns, keep, source.text)), counts)
            read_rows += len(batch[0])
            _check_levels(dictionaries, budget)
            if store.weight > LARGEST_SUM:
                raise DataError(f"weights: column {weights!r} sums to more than 2^56.", hint="Scale the weights down.")
            step(read_rows)
    store.finish()
    source.watch.check()
    if not read_rows:
        raise DataError("data: no rows; at least one is needed.")
    if not store.rows:
        raise DataError("weights: every row has weight 0; at least one must count.")
    found = [dictionary.levels() for dictionary in dictionaries]
    return Encoded(
        tuple(names),
        tuple(levels for levels, _ in found),
        tuple(recode for _, recode in found),
        tuple(range(len(names))),
        tuple(dictionary.display() for dictionary in dictionaries),
        store,
        source.watch,
    )


def _codes(
    dictionaries: list[Dictionary], columns: dict[Name, Any], keep: npt.NDArray[np.bool_] | None, text: bool
) -> Iterator[Codes]:
    for dictionary, (name, column) in zip(dictionaries, columns.items(), strict=True):
        if keep is not None:
            column = column.filter(keep)  # levels that only rows of weight 0 have are left out
        yield dictionary.codes(code_arrow(name, column, text=text))


def _weights(
    column: Any, name: Name, label: str, text: bool, rules: EncodingRules
) -> tuple[npt.NDArray[np.int64], Any]:
    import pyarrow as pa

    if not len(column):
        return np.zeros(0, np.int64), None
    coded = code_arrow(name, column, text=text)
    counts = read_weights(f"column {name!r} of a batch of {label!r}", coded, rules.numbers)
    if counts.all():
        return counts, None
    keep = counts > 0
    return counts[keep], pa.array(keep)


def _check_levels(dictionaries: list[Dictionary], budget: Budget) -> None:
    needed = _BYTES_PER_LEVEL * sum(map(len, dictionaries))
    if needed > budget.levels:
        total = sum(map(len, dictionaries))
        raise budget.too_small(10 * needed, f"the {total:,} levels met so far")
