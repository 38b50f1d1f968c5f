"""What runs on the executors: encoding a partition once, counting it in every round.

Spark hands over a partition as Arrow batches. Encoded, it is a few rows, each a chunk of many: one binary field per
variable that holds the codes of the chunk. So the cache of Spark keeps bytes, not millions of rows, a round moves only
the variables it counts, and the native kernel reads the codes where they lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep._native import level_counts
from bitsep.counting.partial import Partial, RoundPlan, weighted_level_counts
from bitsep.counting.resample import bootstrap_weights, resampled_weights
from bitsep.naming import Name
from bitsep.tables.arrow import code_arrow
from bitsep.tables.encode import Codes, code_type

Integers = npt.NDArray[np.int64]

CHUNK_ROWS = 1 << 16

HEAD = "part int, first_row long, weight_before long, rows int, weight long"
"""Which partition a chunk is of, what came before it there, and what it holds."""


def chunk_schema(variables: int, weighted: bool) -> str:
    """The columns of encoded data, as Spark writes them down."""
    fields = [HEAD, *(f"c{i} binary" for i in range(variables))]
    return ", ".join([*fields, "w binary"] if weighted else fields)


def count_schema(words: int) -> str:
    """The columns of partial counts: -1 and the number of a cell, or the number of a set and the words of its key."""
    return ", ".join(["set int", *(f"k{i} long" for i in range(words)), "n long"])


@dataclass(frozen=True, slots=True)
class EncodePartition:
    """Turns the rows of a partition into chunks of codes."""

    names: tuple[str, ...]
    places: tuple[dict[Any, int], ...]
    sizes: tuple[int, ...]
    weights: str | None

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        part = 0 if context is None else context.partitionId()
        rows = weight = 0
        for columns, weights in self._chunks(batches):
            count = len(columns[0])
            total = count if weights is None else int(weights.sum())
            yield _chunk_batch((part, rows, weight, count, total), columns, weights)
            rows += count
            weight += total

    def _chunks(self, batches: Iterable[Any]) -> Iterator[tuple[list[Codes], Integers | None]]:
        waiting: list[list[Codes]] = []
        held = 0
        for batch in batches:
            for columns in self._pieces(batch):
                waiting.append(columns)
                held += len(columns[0])
                if held >= CHUNK_ROWS:
                    yield self._joined(waiting)
                    waiting, held = [], 0
        if held:
            yield self._joined(waiting)

    def _pieces(self, batch: Any) -> Iterator[list[Any]]:
        weights = None
        if self.weights is not None:
            weights = batch.column(self.weights).cast("int64").to_numpy(zero_copy_only=False)
            if not weights.all():
                batch, weights = batch.filter(_mask(weights > 0)), weights[weights > 0]
        if batch.num_rows:
            codes: list[Any] = [
                _codes(name, batch.column(name), place, size)
                for name, place, size in zip(self.names, self.places, self.sizes, strict=True)
            ]
            yield codes if weights is None else [*codes, weights]

    def _joined(self, waiting: list[list[Codes]]) -> tuple[list[Codes], Integers | None]:
        columns: list[Any] = [np.concatenate(parts) for parts in zip(*waiting, strict=True)]
        return (columns, None) if self.weights is None else (columns[:-1], columns[-1])


def _mask(keep: npt.NDArray[np.bool_]) -> Any:
    import pyarrow as pa

    return pa.array(keep)


def _codes(name: Name, column: Any, place: dict[Any, int], size: int) -> Codes:
    coded = code_arrow(name, column)
    narrow = np.ascontiguousarray(coded.codes.astype(code_type(len(coded.values)), copy=False))
    seen = level_counts(narrow, len(coded.values))[:-1].nonzero()[0].tolist()
    recode = np.full(len(coded.values) + 1, -1, code_type(size))
    recode[seen] = [place.get(coded.values[code], -1) for code in seen]
    return recode.take(narrow)


def _chunk_batch(head: Sequence[int], columns: Sequence[Codes], weights: Integers | None) -> Any:
    import pyarrow as pa

    names = ["part", "first_row", "weight_before", "rows", "weight", *(f"c{i}" for i in range(len(columns)))]
    types = [pa.int32(), pa.int64(), pa.int64(), pa.int32(), pa.int64()]
    arrays = [pa.array([value], kind) for value, kind in zip(head, types, strict=True)]
    arrays += [pa.array([column.tobytes()], pa.binary()) for column in columns]
    if weights is not None:
        names.append("w")
        arrays.append(pa.array([weights.tobytes()], pa.binary()))
    return pa.RecordBatch.from_arrays(arrays, names)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A bootstrap sample: its seed, and the rows (or weights) before each partition, which number the rows."""

    seed: int
    before: dict[int, int]

    def draw(self, head: dict[str, int], weights: Integers | None) -> tuple[npt.NDArray[np.intp], Integers | None]:
        """Which rows of a chunk the sample has, and their weights."""
        before = self.before[head["part"]]
        if weights is None:
            drawn = bootstrap_weights(self.seed, before + head["first_row"], head["rows"])
            return np.repeat(np.arange(head["rows"]), drawn), None
        drawn = resampled_weights(self.seed, weights, before + head["weight_before"])
        take = np.flatnonzero(drawn)
        return take, drawn[take]


@dataclass(frozen=True, slots=True)
class CountPartition:
    """Counts the chunks of a partition; yields its counts at the end, and sooner where they outgrow the memory.

    types : per variable, that of the codes as they lie in the chunks.
    recode : per variable, from those codes to the ones counted (a sample may lack levels); None: they are the same.
    """

    plan: RoundPlan
    memory: int
    types: tuple[str, ...]
    recode: tuple[Codes | None, ...]
    drawing: Drawing | None

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        partial = self._fresh()
        for batch in batches:
            for row in range(batch.num_rows):
                partial.add(*read_chunk(batch, row, self.plan.columns, self.types, self.recode, self.drawing))
                if partial.overflowed:
                    yield from counts_of(partial)
                    partial = self._fresh()
        yield from counts_of(partial)

    def _fresh(self) -> Partial:
        return Partial(self.plan, self.memory, give_up=False)


@dataclass(frozen=True, slots=True)
class LevelsOfPartition:
    """Counts the levels of all variables: set and cell are variable and code. The sum of the weights is set -1."""

    sizes: tuple[int, ...]
    types: tuple[str, ...]
    recode: tuple[Codes | None, ...]
    drawing: Drawing | None

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        variables = list(range(len(self.sizes)))
        seen = [np.zeros(size, np.int64) for size in self.sizes]
        total = 0
        for batch in batches:
            for row in range(batch.num_rows):
                codes, rows, weights = read_chunk(batch, row, variables, self.types, self.recode, self.drawing)
                total += rows if weights is None else int(weights.sum())
                for counts, column, size in zip(seen, codes, self.sizes, strict=True):
                    counts += weighted_level_counts(column, size, weights).astype(np.int64)
        yield _count_batch(-1, [np.zeros(1, np.int64)], np.array([total], np.int64))
        for variable, counts in enumerate(seen):
            occupied = np.flatnonzero(counts)
            yield _count_batch(variable, [occupied.astype(np.int64)], counts[occupied])


def read_chunk(
    batch: Any,
    row: int,
    variables: Sequence[int],
    types: Sequence[str],
    recode: Sequence[Codes | None],
    drawing: Drawing | None,
) -> tuple[list[Codes], int, Integers | None]:
    """The codes of some variables in a chunk, its rows, its weights."""
    names = ("part", "first_row", "weight_before", "rows")
    head = {name: batch.column(name)[row].as_py() for name in names}
    weights = np.frombuffer(batch.column("w")[row].as_buffer(), np.int64) if "w" in batch.schema.names else None
    take, rows = None, head["rows"]
    if drawing is not None:
        take, weights = drawing.draw(head, weights)
        rows = len(take)
    codes = []
    for v in variables:
        column: Codes = np.frombuffer(batch.column(f"c{v}")[row].as_buffer(), types[v])
        if take is not None:
            column = column[take]
        new = recode[v]
        codes.append(column if new is None else new.take(column))
    return codes, rows, weights


def counts_of(partial: Partial) -> Iterator[Any]:
    """The counts of some chunks as rows for Spark to add up."""
    layouts = [tally.words for tally in partial.tallies]
    words = max([1, *layouts])
    occupied = np.flatnonzero(partial.cells)
    if len(occupied):
        keys = [occupied.astype(np.int64), *([np.zeros(len(occupied), np.int64)] * (words - 1))]
        yield _count_batch(-1, keys, partial.cells[occupied])
    for number, tally in enumerate(partial.tallies):
        found, count = tally.cells()
        if len(count):
            padding = [np.zeros(len(count), np.int64)] * (words - len(found))
            yield _count_batch(number, [*found, *padding], count)


def _count_batch(number: int, keys: Sequence[Integers], count: Integers) -> Any:
    import pyarrow as pa

    arrays = [pa.array(np.full(len(count), number, np.int32)), *map(pa.array, keys), pa.array(count)]
    return pa.RecordBatch.from_arrays(arrays, ["set", *(f"k{i}" for i in range(len(keys))), "n"])
