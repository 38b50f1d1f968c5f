"""Functions that run on the executors in every pass: they count chunks of codes (see `bitsep.data.spark.encoding`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from bitsep.counting.partial import Partial, PassPlan, weighted_level_counts
from bitsep.counting.resample import sample_rows
from bitsep.data.encode import Codes
from bitsep.data.fingerprint import RowHasher

Integers = npt.NDArray[np.int64]


def count_schema(words: int) -> str:
    """The columns of partial counts: -1 and the index of a cell, or the number of a set and the words of its key."""
    return ", ".join(["set int", *(f"k{i} long" for i in range(words)), "n long"])


@dataclass(frozen=True, slots=True)
class Sample:
    """A bootstrap sample: its seed, and the number of rows before each partition, from which rows are numbered."""

    seed: int
    rows_before: dict[int, int]


@dataclass(frozen=True, slots=True)
class CountPartition:
    """Counts the chunks of a partition; yields the counts at the end, and earlier if they need too much memory.

    types : the type of the codes of each variable in the chunks.
    recode : for each variable, the code to count for each code in the chunks (levels may not occur in a sample), or
        None if they are the same.
    """

    plan: PassPlan
    memory: int
    types: tuple[str, ...]
    recode: tuple[Codes | None, ...]
    sample: Sample | None

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        partial = self._empty()
        for chunk in chunks(batches, self.plan.columns, self.types, self.recode, self.sample):
            partial.add(chunk.codes, chunk.rows, chunk.weights)
            if partial.overflowed:
                yield from counts_of(partial)
                partial = self._empty()
        yield from counts_of(partial)

    def _empty(self) -> Partial:
        return Partial(self.plan, self.memory, drop_tallies=False)


@dataclass(frozen=True, slots=True)
class LevelsOfPartition:
    """Counts the levels of all variables: set is the variable, and k0 the code. The sum of the weights has set -1."""

    sizes: tuple[int, ...]
    types: tuple[str, ...]
    recode: tuple[Codes | None, ...]
    sample: Sample | None

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        found = [np.zeros(size, np.int64) for size in self.sizes]
        total = 0
        for chunk in chunks(batches, range(len(self.sizes)), self.types, self.recode, self.sample):
            total += chunk.rows if chunk.weights is None else int(chunk.weights.sum())
            for counts, column, size in zip(found, chunk.codes, self.sizes, strict=True):
                counts += weighted_level_counts(column, size, chunk.weights).astype(np.int64)
        yield _count_batch(-1, [np.zeros(1, np.int64)], np.array([total], np.int64))
        for variable, counts in enumerate(found):
            occupied = np.flatnonzero(counts)
            yield _count_batch(variable, [occupied.astype(np.int64)], counts[occupied])


@dataclass(frozen=True, slots=True)
class HashPartition:
    """Adds up the hashes of the rows of a partition (see `bitsep.data.fingerprint`).

    rows_before : for each partition, the number of rows in the partitions before it.
    """

    SCHEMA: ClassVar[str] = "s0 long, s1 long, s2 long, s3 long"

    hasher: RowHasher
    types: tuple[str, ...]
    recode: tuple[Codes | None, ...]
    rows_before: dict[int, int]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        sums = np.zeros(4, np.uint64)
        for chunk in chunks(batches, range(len(self.types)), self.types, self.recode, None):
            sums += self.hasher.sums(chunk.codes, chunk.weights, self.rows_before[chunk.part] + chunk.first_row)
        yield pa.RecordBatch.from_arrays(
            [pa.array(one) for one in sums.view(np.int64).reshape(4, 1)], ["s0", "s1", "s2", "s3"]
        )


@dataclass(frozen=True, slots=True)
class ThinPartition:
    """Every step-th row of all rows: the codes of each variable as bytes of int32, and the weights as int64.

    rows_before : for each partition, the number of rows in the partitions before it.
    """

    step: int
    types: tuple[str, ...]
    recode: tuple[Codes | None, ...]
    sample: Sample | None
    rows_before: dict[int, int]

    def schema(self, *, weighted: bool) -> str:
        names = [*(f"c{v}" for v in range(len(self.types))), *(["w"] if weighted else [])]
        return ", ".join(f"{name} binary" for name in names)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for chunk in chunks(batches, range(len(self.types)), self.types, self.recode, self.sample):
            take = slice(-(self.rows_before[chunk.part] + chunk.first_row) % self.step, None, self.step)
            fields = {f"c{v}": column[take].astype(np.int32).tobytes() for v, column in enumerate(chunk.codes)}
            if chunk.weights is not None:
                fields["w"] = chunk.weights[take].tobytes()
            yield pa.RecordBatch.from_arrays([pa.array([one], pa.binary()) for one in fields.values()], list(fields))


class Chunk(NamedTuple):
    """The codes of some variables in a chunk, its number of rows, its weights, and its position."""

    codes: list[Codes]
    rows: int
    weights: Integers | None
    part: int
    first_row: int


def chunks(
    batches: Iterable[Any],
    variables: Sequence[int],
    types: Sequence[str],
    recode: Sequence[Codes | None],
    sample: Sample | None,
) -> Iterator[Chunk]:
    """The chunks of a partition; if there is a sample, only the rows in it."""
    for batch in batches:
        for row in range(batch.num_rows):
            part, first_row, rows = (batch.column(name)[row].as_py() for name in ("part", "first_row", "rows"))
            weights = np.frombuffer(batch.column("w")[row].as_buffer(), np.int64) if "w" in batch.schema.names else None
            take = None
            if sample is not None:
                start = sample.rows_before[part] + first_row
                take, weights = sample_rows(sample.seed, start, rows, weights)
                rows = len(take)
            codes = []
            for v in variables:
                column: Codes = np.frombuffer(batch.column(f"c{v}")[row].as_buffer(), types[v])
                if take is not None:
                    column = column[take]
                new = recode[v]
                codes.append(column if new is None else new.take(column))
            yield Chunk(codes, rows, weights, part, first_row)


def counts_of(partial: Partial) -> Iterator[Any]:
    """Partial counts as rows that Spark adds up."""
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
