"""A table owns its codes: whatever happens to the memory it was made from, its contents stay the same and valid."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bitsep
from bitsep.errors import DataError

ROWS = 1000
SIZES = {np.int8: 100, np.int16: 300, np.int32: 40_000}


def dictionary(buffer: np.ndarray, size: int) -> pa.DictionaryArray:
    """An Arrow dictionary that looks at the buffer of its indices; the levels are in canonical order already."""
    indices = pa.Array.from_buffers(pa.from_numpy_dtype(buffer.dtype), len(buffer), [None, pa.py_buffer(buffer)])
    return pa.DictionaryArray.from_arrays(indices, pa.array([f"{i:05d}" for i in range(size)]), safe=False)


SOURCES: dict[str, Callable[[pa.DictionaryArray, np.ndarray], Any]] = {
    "dict of arrays": lambda column, _: {"x": column, "y": column},
    "arrow table": lambda column, _: pa.table({"x": column, "y": column}),
    "record batch": lambda column, _: pa.record_batch({"x": column, "y": column}),
    "arrow reader": lambda column, _: pa.table({"x": column, "y": column}).to_reader(),
    "polars": lambda column, _: pl.from_arrow(pa.table({"x": column, "y": column})),
    "pandas categorical": lambda column, buffer: pd.DataFrame(
        {name: pd.Categorical.from_codes(buffer, column.dictionary.to_pylist(), validate=False) for name in ("x", "y")},
        copy=False,
    ),
    "numpy": lambda _, buffer: np.stack([buffer, buffer], axis=1),
    "numpy columns": lambda _, buffer: {"x": buffer, "y": buffer},
    "numpy by column": lambda _, buffer: np.asfortranarray(buffer.reshape(-1, 1)[:, [0, 0]]),
}


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("source", SOURCES)
def test_a_table_does_not_change_with_its_source(source: str, kind: type[np.signedinteger[Any]]) -> None:
    size = SIZES[kind]
    buffer = (np.arange(max(ROWS, size)) % size).astype(kind)  # every level occurs: nothing has to be recoded
    data = SOURCES[source](dictionary(buffer, size), buffer)
    table = bitsep.Table(data)
    x, y = table.names
    before = table.codes(x).copy()
    result = bitsep.independence_test(bitsep.Table(table), x, y)
    buffer[:] = np.iinfo(kind).max
    assert not np.shares_memory(table.codes(x), buffer)
    assert (table.codes(x) == before).all()
    assert bitsep.independence_test(table, x, y) == result


def test_a_table_does_not_change_with_its_weights() -> None:
    weights = np.array([1, 2, 3, 4])
    table = bitsep.Table({"x": [0, 0, 1, 1], "y": [0, 1, 0, 1]}, weights=weights)
    weights[:] = -1
    assert table.weights is not None
    assert table.weights.tolist() == [1, 2, 3, 4]


def test_codes_and_weights_cannot_be_made_writable() -> None:
    table = bitsep.Table({"x": [0, 0, 1, 1], "y": [0, 1, 0, 1]}, weights=[1, 2, 3, 4])
    for array in (table.codes("x"), table.weights):
        assert array is not None
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)


def test_an_unpickled_table_does_not_share_the_buffers_it_came_in() -> None:
    table = bitsep.Table({"x": [0, 1, 1, 0], "y": [0, 1, 0, 1]}, weights=[1, 2, 3, 4])
    buffers: list[pickle.PickleBuffer] = []
    raw = pickle.dumps(table, protocol=5, buffer_callback=buffers.append)
    shared = [bytearray(buffer.raw()) for buffer in buffers]
    again = pickle.loads(raw, buffers=shared)
    for buffer in shared:
        buffer[:] = b"\x7f" * len(buffer)
    assert again.fingerprint() == table.fingerprint()


BAD_CODES = [
    (kind, bad)
    for kind in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64)
    for bad in (2, 100, -2, 256, 2**32)
    if np.iinfo(kind).min <= bad <= np.iinfo(kind).max
]


@pytest.mark.parametrize(("kind", "bad"), BAD_CODES)
@pytest.mark.parametrize("chunks", [1, 2])
def test_codes_without_a_value_are_refused(kind: Any, bad: int, chunks: int) -> None:
    column = dictionary(np.array([0, 1, bad, 0], kind), 2)
    other = dictionary(np.array([0, 1], kind), 3)
    table = pa.table({"x": pa.chunked_array([column, other][:chunks])})
    with pytest.raises(DataError, match="column 'x'"):
        bitsep.Table(table)
    with pytest.raises(DataError, match="column 'x'"):
        bitsep.scan(table).n_levels("x")


def test_categories_without_a_value_are_refused() -> None:
    column = pd.Categorical.from_codes(np.array([0, 1, 5], np.int8), ["a", "b"], validate=False)
    with pytest.raises(DataError, match="column 'x' has codes without a value"):
        bitsep.Table({"x": column})


def test_a_test_of_the_users_that_writes_to_its_counts_changes_nothing() -> None:
    class Careless:
        name = "careless"

        def judge(self, counts: bitsep.Counts) -> bitsep.Judgment:
            for array in (counts.x, counts.y, counts.stratum, counts.count):
                array[:] = 10**12
            return bitsep.Judgment()

    data = {"x": [0, 1, 1, 0], "y": [0, 1, 1, 0]}
    result = bitsep.independence_test(data, "x", "y", method=Careless())
    assert (result.n, result.cmi_bits, result.domain_sizes) == (4, 1.0, (2, 2, 1))
