"""Reads data of any kind as numbered columns, with the reader for its type."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bitsep.data.encode import Coded
from bitsep.data.readers.arrays import code_array, code_objects, read_array
from bitsep.data.readers.arrow import (
    as_arrow_table,
    code_arrow,
    has_arrow_array,
    has_arrow_stream,
    is_dataset,
    read_arrow,
)
from bitsep.data.readers.dialect import CsvDialect
from bitsep.data.readers.files import read_file
from bitsep.data.readers.frames import (
    code_pandas,
    is_pandas_column,
    is_pandas_frame,
    read_frame,
    read_pandas,
    unknown_data_error,
)
from bitsep.data.readers.selection import Selection
from bitsep.errors import DataError, UnsupportedTypeError
from bitsep.naming import Name


def read_source(data: Any, selection: Selection, dialect: CsvDialect) -> dict[Name, Coded]:
    """The chosen columns of data of any kind, numbered but not yet encoded."""
    columns = _read(data, selection, dialect)
    lengths = {name: len(coded.codes) for name, coded in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name!r} has {length:,}" for name, length in list(lengths.items())[:5])
        raise DataError(f"data: all columns must have the same number of rows, but {shown}.")
    if not any(lengths.values()):
        raise DataError("data: no rows; at least one is needed.")
    return columns


def _read(data: Any, selection: Selection, dialect: CsvDialect) -> dict[Name, Coded]:
    if isinstance(data, str | os.PathLike):
        return read_file(data, selection, dialect)
    dialect.refuse_for(f"a {type(data).__name__}")
    if is_pandas_frame(data):
        return read_pandas(data, selection)
    if isinstance(data, np.ndarray):
        return read_array(data, selection)
    if isinstance(data, Mapping):
        return {name: code_column(name, data[name]) for name in selection.pick(data)}
    # Before narwhals, which does not support batches, readers and datasets; polars is read by narwhals for its objects.
    if type(data).__module__.startswith("pyarrow") and (is_dataset(data) or has_arrow_stream(data)):
        return _read_arrow(data, selection)
    if not isinstance(data, list | tuple | set):
        columns = read_frame(data, selection)
        if columns is not None:
            return columns
    if has_arrow_stream(data) or has_arrow_array(data):
        return _read_arrow(data, selection)
    raise unknown_data_error(data)


def _read_arrow(data: Any, selection: Selection) -> dict[Name, Coded]:
    import pyarrow as pa

    try:
        table = as_arrow_table(data, selection)
    except pa.ArrowInvalid as error:  # an array, a series: Arrow, but not a table
        raise unknown_data_error(data) from error
    return read_arrow(table, selection)


def code_column(name: Name, values: Any) -> Coded:
    """Number the distinct values of a single column: a sequence, array or series of any library."""
    if is_pandas_column(values):
        return code_pandas(name, values)
    if isinstance(values, np.ndarray):
        return code_array(name, values)
    if has_arrow_stream(values) or has_arrow_array(values):
        import pyarrow as pa

        if not isinstance(values, pa.Array | pa.ChunkedArray):
            # A polars series of Python objects cannot be converted to Arrow.
            if str(getattr(values, "dtype", "")) == "Object":
                return code_objects(name, list(values))
            values = pa.chunked_array(values)
        return code_arrow(name, values)
    if isinstance(values, Sequence) and not isinstance(values, str | bytes | bytearray | memoryview):
        return code_objects(name, values)
    raise UnsupportedTypeError(
        f"data: column {name!r} must be a list, a 1-D NumPy array or a series, got {type(values).__name__}."
    )
