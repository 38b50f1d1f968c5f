"""Functions that run on the executors to encode a data frame, whose rows are read once.

Spark passes a partition as Arrow batches. `NumberPartition` converts it to a few rows, each of which is a chunk of many
rows: one binary field per variable contains the codes of the chunk. So the cache of Spark contains bytes, not millions
of rows, a pass reads only the variables that it counts, and the native kernel reads the codes without a copy.

These provisional codes number the values of a partition in the order of their first rows, and a chunk contains the
values that are new in it. `merge_values` combines those of all partitions; when the driver knows the levels,
`RecodePartition` rewrites the codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.data.encode import MAX_LEVELS, Codes, code_type

Integers = npt.NDArray[np.int64]

CHUNK_ROWS = 1 << 16

MAX_VALUES = MAX_LEVELS + MAX_LEVELS // 5
"""A column with more distinct values is refused immediately. With fewer, some may be missing or equal to others: the
encoder decides."""

_MAX_NEW_BYTES = 1 << 24  # a chunk ends early if its new values would make a huge row for Spark

HEAD = ("part", "first_row", "rows", "weight")
"""The partition of a chunk, the rows before it in the partition, its number of rows and its sum of weights."""

VALUES_SCHEMA = "variable int, values binary"
"""The distinct values of a variable; null if there are too many."""


def chunk_schema(variables: int, *, weighted: bool, new_values: bool = False) -> str:
    """The Spark schema of chunks; the column `new_values` has the new values of each variable, or null."""
    head = "part int, first_row long, rows int, weight long"
    fields = [head, *(f"c{i} binary" for i in range(variables))]
    return ", ".join(
        [*fields, *(["w binary"] if weighted else []), *(["new_values array<binary>"] if new_values else [])]
    )


def packed(values: Any) -> bytes:
    """An Arrow array as bytes that include its type."""
    import pyarrow as pa

    batch = pa.record_batch([values], ["values"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def unpacked(data: Any) -> Any:
    """The Arrow array from these bytes."""
    import pyarrow as pa

    return pa.ipc.open_stream(data).read_next_batch().column(0)


def lookup_keys(values: Any) -> list[Any]:
    """A key for each of some distinct Arrow values of one type, None for NaN; equal values have equal keys."""
    import pyarrow.types as pt

    if pt.is_timestamp(values.type):
        # Python treats the two hours before and after clocks are set back as equal.
        values = values.cast("int64")
    keys: list[Any] = values.to_pylist()
    return [None if key != key else key for key in keys] if pt.is_floating(values.type) else keys


class Numbering:
    """Numbers the values of a column in the order of their first rows in a partition; stops if there are too many."""

    def __init__(self) -> None:
        self._number_of: dict[Any, int] = {}
        self._new_values: list[Any] = []
        self._stopped = False
        self.new_bytes = 0

    def numbers(self, column: Any) -> Codes:
        """The numbers of the values of a batch, −1 for missing values."""
        if self._stopped or column.null_count == len(column):
            return np.full(len(column), -1, np.int8)
        coded = column.dictionary_encode()
        indices = coded.indices.fill_null(-1) if coded.indices.null_count else coded.indices
        positions: npt.NDArray[np.int32] = indices.to_numpy()
        return self._numbers_of(coded.dictionary).take(positions)

    def _numbers_of(self, values: Any) -> Codes:
        """The number of each value; the last entry is for missing values, −1."""
        number_of, known = self._number_of, len(self._number_of)
        numbers = np.full(len(values) + 1, -1, code_type(known + len(values)))
        first: list[int] = []
        for i, key in enumerate(lookup_keys(values)):
            if key is None:
                continue
            numbers[i] = number_of.setdefault(key, len(number_of))
            if len(number_of) > known + len(first):
                first.append(i)
        if first:
            new_values = values.take(first)
            self._new_values.append(new_values)
            self.new_bytes += new_values.nbytes
        if len(number_of) > MAX_VALUES:  # all of them are passed on, so that `merge_values` refuses the column
            self._stopped, self._number_of = True, {}
        return numbers

    def take_new_values(self) -> bytes | None:
        """The values numbered since the last call, in order."""
        import pyarrow as pa

        if not self._new_values:
            return None
        new_values = packed(pa.concat_arrays(self._new_values))
        self._new_values, self.new_bytes = [], 0
        return new_values


class NumberPartition:
    """Converts the rows of a partition to chunks of numbers, with the values that they stand for.

    Parameters
    ----------
    names : sequence of str
        The columns of the variables, in canonical order.
    weights : str or None
        The column of weights.
    """

    def __init__(self, names: Sequence[str], weights: str | None) -> None:
        self._names = tuple(names)
        self._weights = weights

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        part = 0 if context is None else context.partitionId()
        rows = 0
        numberings = [Numbering() for _ in self._names]
        for columns, weights in self._chunks(batches, numberings):
            count = len(columns[0])
            total = count if weights is None else int(weights.sum())
            new_values = [one.take_new_values() for one in numberings]
            yield _chunk_batch((part, rows, count, total), columns, weights, new_values)
            rows += count

    def _chunks(
        self, batches: Iterable[Any], numberings: Sequence[Numbering]
    ) -> Iterator[tuple[list[Codes], Integers | None]]:
        waiting: list[list[Any]] = []
        held = 0
        for batch in batches:
            if not batch.num_rows:
                continue
            waiting.append([one.numbers(batch.column(name)) for name, one in zip(self._names, numberings, strict=True)])
            if self._weights is not None:
                waiting[-1].append(batch.column(self._weights).cast("int64").to_numpy(zero_copy_only=False))
            held += batch.num_rows
            if held >= CHUNK_ROWS or sum(one.new_bytes for one in numberings) > _MAX_NEW_BYTES:
                yield self._joined(waiting)
                waiting, held = [], 0
        if held:
            yield self._joined(waiting)

    def _joined(self, waiting: list[list[Any]]) -> tuple[list[Codes], Integers | None]:
        columns = [np.concatenate(parts) for parts in zip(*waiting, strict=True)]
        return (columns, None) if self._weights is None else (columns[:-1], columns[-1])


def merge_values(batches: Iterable[Any]) -> Iterator[Any]:
    """The distinct values of each variable in the rows."""
    import pyarrow as pa

    found: dict[int, Any] = {}
    for batch in batches:
        more: dict[int, list[Any]] = {}
        for variable, data in zip(batch.column("variable").to_pylist(), batch.column("values"), strict=True):
            more.setdefault(variable, []).append(unpacked(data.as_buffer()))
        for variable, arrays in more.items():
            known = found.setdefault(variable, arrays[0][:0])
            # None: the variable has too many values.
            if known is not None:
                values = pa.chunked_array([known, *arrays]).unique()
                found[variable] = values if len(values) <= MAX_VALUES else None
    for variable, values in found.items():
        data = None if values is None else packed(values)
        yield pa.record_batch([pa.array([variable], pa.int32()), pa.array([data], pa.binary())], ["variable", "values"])


class RecodePartition:
    """Rewrites the numbers of chunks as the codes of levels.

    Parameters
    ----------
    codes_of : sequence of dict
        For each variable, the code of every value, by its key.
    sizes : sequence of int
        The domain size of each variable.
    """

    def __init__(self, codes_of: Sequence[dict[Any, int]], sizes: Sequence[int]) -> None:
        self._codes_of = tuple(codes_of)
        self._types = tuple(code_type(size) for size in sizes)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        part, recodes = -1, self._begin()
        for batch in batches:
            for row in range(batch.num_rows):
                head = [batch.column(name)[row].as_py() for name in HEAD]
                if head[0] != part:
                    part, recodes = head[0], self._begin()
                # The chunks of a partition are in order: each value was new in this chunk or in an earlier one.
                self._extend(recodes, batch.column("new_values")[row].values)
                weights = batch.column("w")[row].as_buffer() if "w" in batch.schema.names else None
                columns = [recode.take(_numbers(batch, row, v)) for v, recode in enumerate(recodes)]
                yield _chunk_batch(head, columns, weights)

    def _begin(self) -> list[Codes]:
        return [np.full(1, -1, kind) for kind in self._types]

    def _extend(self, recodes: list[Codes], new_values: Any) -> None:
        for variable, data in enumerate(new_values):
            if data.is_valid:
                code_of = self._codes_of[variable]
                codes = [code_of.get(key, -1) for key in lookup_keys(unpacked(data.as_buffer()))]
                # The last entry is for missing values, −1.
                recode = recodes[variable]
                recodes[variable] = np.concatenate([recode[:-1], np.array([*codes, -1], recode.dtype)])


def _numbers(batch: Any, row: int, variable: int) -> Codes:
    """The numbers of a variable in a chunk; their type depends on the number of values so far."""
    data = batch.column(f"c{variable}")[row].as_buffer()
    return np.frombuffer(data, f"i{data.size // batch.column('rows')[row].as_py()}")


def _chunk_batch(
    head: Sequence[int], columns: Sequence[Codes], weights: Any, new_values: Sequence[bytes | None] | None = None
) -> Any:
    import pyarrow as pa

    kinds = (pa.int32(), pa.int64(), pa.int32(), pa.int64())
    arrays = {name: pa.array([value], kind) for name, value, kind in zip(HEAD, head, kinds, strict=True)}
    arrays |= {f"c{i}": _binary(column) for i, column in enumerate(columns)}
    if weights is not None:
        arrays["w"] = _binary(weights)
    if new_values is not None:
        arrays["new_values"] = pa.array([new_values], pa.list_(pa.binary()))
    return pa.record_batch(arrays)


def _binary(data: Any) -> Any:
    import pyarrow as pa

    return pa.array([memoryview(data).cast("B")], pa.binary())
