"""What runs on the executors to encode a data frame: its rows are read once.

Spark hands over a partition as Arrow batches. `NumberPartition` turns it into a few rows, each a chunk of many: one
binary field per variable that holds the codes of the chunk. So the cache of Spark keeps bytes, not millions of rows, a
round moves only the variables it counts, and the native kernel reads the codes where they lie.

These first codes number the values as the partition meets them, and a chunk brings along the values that are new in it.
`merge_values` gathers those of all partitions; once the driver knows the levels, `RecodePartition` rewrites the codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.data.encode import MAX_LEVELS, Codes, code_type

Integers = npt.NDArray[np.int64]

CHUNK_ROWS = 1 << 16

MOST_VALUES = MAX_LEVELS + MAX_LEVELS // 5
"""A column with more distinct values is refused at once. Of fewer, some may be missing values or spellings of the same
level: the encoder decides."""

_MOST_FRESH_BYTES = 1 << 24  # a chunk ends early where its new values would make a huge row for Spark

HEAD = ("part", "first_row", "rows", "weight")
"""Which partition a chunk is of, the rows before it there, and what it holds."""

VALUES_SCHEMA = "variable int, values binary"
"""The distinct values of a variable; no values at all where they are too many."""


def chunk_schema(variables: int, *, weighted: bool, fresh: bool = False) -> str:
    """The columns of encoded data, as Spark writes them down; `fresh` holds per variable the new values, or nothing."""
    head = "part int, first_row long, rows int, weight long"
    fields = [head, *(f"c{i} binary" for i in range(variables))]
    return ", ".join([*fields, *(["w binary"] if weighted else []), *(["fresh array<binary>"] if fresh else [])])


def packed(values: Any) -> bytes:
    """An Arrow array as bytes that know its type."""
    import pyarrow as pa

    batch = pa.record_batch([values], ["values"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def unpacked(data: Any) -> Any:
    """The Arrow array in such bytes."""
    import pyarrow as pa

    return pa.ipc.open_stream(data).read_next_batch().column(0)


def lookup_keys(values: Any) -> list[Any]:
    """A key for each of some distinct Arrow values of one type, None for NaN; equal values have equal keys."""
    import pyarrow.types as pt

    if pt.is_timestamp(values.type):
        # The hour that comes twice when clocks are set back is one and the same to Python.
        values = values.cast("int64")
    keys: list[Any] = values.to_pylist()
    return [None if key != key else key for key in keys] if pt.is_floating(values.type) else keys


class Numbering:
    """Numbers the values of a column in the order in which a partition meets them; gives up where they are too many."""

    def __init__(self) -> None:
        self._place: dict[Any, int] = {}
        self._fresh: list[Any] = []
        self._given_up = False
        self.fresh_bytes = 0

    def numbers(self, column: Any) -> Codes:
        """The numbers of the values of a batch, −1 where there is none."""
        if self._given_up or column.null_count == len(column):
            return np.full(len(column), -1, np.int8)
        coded = column.dictionary_encode()
        indices = coded.indices.fill_null(-1) if coded.indices.null_count else coded.indices
        places: npt.NDArray[np.int32] = indices.to_numpy()
        return self._known(coded.dictionary).take(places)

    def _known(self, values: Any) -> Codes:
        """The number of each value; the last entry serves the missing value, −1."""
        place, known = self._place, len(self._place)
        numbers = np.full(len(values) + 1, -1, code_type(known + len(values)))
        first: list[int] = []
        for i, key in enumerate(lookup_keys(values)):
            if key is None:
                continue
            numbers[i] = place.setdefault(key, len(place))
            if len(place) > known + len(first):
                first.append(i)
        if first:
            fresh = values.take(first)
            self._fresh.append(fresh)
            self.fresh_bytes += fresh.nbytes
        if len(place) > MOST_VALUES:  # and so many are handed on: that is how the others will know
            self._given_up, self._place = True, {}
        return numbers

    def take_fresh(self) -> bytes | None:
        """The values numbered since the last call, in order."""
        import pyarrow as pa

        if not self._fresh:
            return None
        fresh = packed(pa.concat_arrays(self._fresh))
        self._fresh, self.fresh_bytes = [], 0
        return fresh


class NumberPartition:
    """Turns the rows of a partition into chunks of numbers, with the values behind them.

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
            fresh = [one.take_fresh() for one in numberings]
            yield _chunk_batch((part, rows, count, total), columns, weights, fresh)
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
            if held >= CHUNK_ROWS or sum(one.fresh_bytes for one in numberings) > _MOST_FRESH_BYTES:
                yield self._joined(waiting)
                waiting, held = [], 0
        if held:
            yield self._joined(waiting)

    def _joined(self, waiting: list[list[Any]]) -> tuple[list[Codes], Integers | None]:
        columns = [np.concatenate(parts) for parts in zip(*waiting, strict=True)]
        return (columns, None) if self._weights is None else (columns[:-1], columns[-1])


def merge_values(batches: Iterable[Any]) -> Iterator[Any]:
    """The distinct values of each variable that the rows are about."""
    import pyarrow as pa

    found: dict[int, Any] = {}
    for batch in batches:
        more: dict[int, list[Any]] = {}
        for variable, data in zip(batch.column("variable").to_pylist(), batch.column("values"), strict=True):
            more.setdefault(variable, []).append(unpacked(data.as_buffer()))
        for variable, arrays in more.items():
            known = found.setdefault(variable, arrays[0][:0])
            # One that is None has too many already.
            if known is not None:
                values = pa.chunked_array([known, *arrays]).unique()
                found[variable] = values if len(values) <= MOST_VALUES else None
    for variable, values in found.items():
        data = None if values is None else packed(values)
        yield pa.record_batch([pa.array([variable], pa.int32()), pa.array([data], pa.binary())], ["variable", "values"])


class RecodePartition:
    """Rewrites the numbers of chunks as the codes of levels.

    Parameters
    ----------
    places : sequence of dict
        Per variable the code of every value, by its key.
    sizes : sequence of int
        Domain sizes.
    """

    def __init__(self, places: Sequence[dict[Any, int]], sizes: Sequence[int]) -> None:
        self._places = tuple(places)
        self._types = tuple(code_type(size) for size in sizes)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        part, recodes = -1, self._begin()
        for batch in batches:
            for row in range(batch.num_rows):
                head = [batch.column(name)[row].as_py() for name in HEAD]
                if head[0] != part:
                    part, recodes = head[0], self._begin()
                # The chunks of a partition come in order: what is in this one was new in it, or in one before it.
                self._extend(recodes, batch.column("fresh")[row].values)
                weights = batch.column("w")[row].as_buffer() if "w" in batch.schema.names else None
                columns = [recode.take(_numbers(batch, row, v)) for v, recode in enumerate(recodes)]
                yield _chunk_batch(head, columns, weights)

    def _begin(self) -> list[Codes]:
        return [np.full(1, -1, kind) for kind in self._types]

    def _extend(self, recodes: list[Codes], fresh: Any) -> None:
        for variable, data in enumerate(fresh):
            if data.is_valid:
                place = self._places[variable]
                codes = [place.get(key, -1) for key in lookup_keys(unpacked(data.as_buffer()))]
                # The last entry serves the missing value, −1.
                recode = recodes[variable]
                recodes[variable] = np.concatenate([recode[:-1], np.array([*codes, -1], recode.dtype)])


def _numbers(batch: Any, row: int, variable: int) -> Codes:
    """The numbers of a variable in a chunk; how wide they are depends on the values met by then."""
    data = batch.column(f"c{variable}")[row].as_buffer()
    return np.frombuffer(data, f"i{data.size // batch.column('rows')[row].as_py()}")


def _chunk_batch(
    head: Sequence[int], columns: Sequence[Codes], weights: Any, fresh: Sequence[bytes | None] | None = None
) -> Any:
    import pyarrow as pa

    kinds = (pa.int32(), pa.int64(), pa.int32(), pa.int64())
    arrays = {name: pa.array([value], kind) for name, value, kind in zip(HEAD, head, kinds, strict=True)}
    arrays |= {f"c{i}": _binary(column) for i, column in enumerate(columns)}
    if weights is not None:
        arrays["w"] = _binary(weights)
    if fresh is not None:
        arrays["fresh"] = pa.array([fresh], pa.list_(pa.binary()))
    return pa.record_batch(arrays)


def _binary(data: Any) -> Any:
    import pyarrow as pa

    return pa.array([memoryview(data).cast("B")], pa.binary())
