"""Columns from Arrow: tables, batches, streams, datasets, and single arrays."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

import numpy as np

from bitsep.data.encode import Coded, nested_error
from bitsep.data.readers.arrays import code_floats, code_integers
from bitsep.data.readers.selection import Selection
from bitsep.errors import DataError, ReadError, cause
from bitsep.naming import Name

_used_readers: WeakSet[Any] = WeakSet()  # record-batch readers that have been read, at least in part
_VIEWS = ("string_view", "binary_view")  # types that some releases of Arrow cannot hash


def read_arrow(table: Any, selection: Selection) -> dict[Name, Coded]:
    """The chosen columns of a pyarrow Table."""
    names = table.column_names
    selection_names = selection.pick(names)
    return {name: code_arrow(name, table.column(names.index(name))) for name in selection_names}


def as_arrow_table(data: Any, selection: Selection) -> Any:
    """A pyarrow Table from any pyarrow container, or from any object with an Arrow stream."""
    import pyarrow as pa

    if isinstance(data, pa.Table):
        return data
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.RecordBatchReader):
        begin_reading(data)
        return data.read_all()
    if is_dataset(data):
        return data.to_table(columns=[str(name) for name in selection.pick(data.schema.names)])
    return pa.table(data)


def begin_reading(reader: Any) -> None:
    """Mark a record-batch reader as used; raise an error if it was used before, because rows may be missing."""
    if reader in _used_readers:
        raise ReadError(
            "data: this stream was read before, perhaps in part; a stream can be read only once.",
            hint="Make a new one from its source.",
        )
    _used_readers.add(reader)


def is_dataset(data: Any) -> bool:
    """Whether this is a pyarrow Dataset, without importing its module."""
    return any(base.__module__ == "pyarrow._dataset" and base.__name__ == "Dataset" for base in type(data).__mro__)


def has_arrow_stream(data: Any) -> bool:
    """Whether the type of this object has an Arrow stream; attributes of the object can be columns of any name."""
    return hasattr(type(data), "__arrow_c_stream__")


def has_arrow_array(data: Any) -> bool:
    """Whether the type of this object has an Arrow array."""
    return hasattr(type(data), "__arrow_c_array__")


def code_arrow(name: Name, column: Any, *, text: bool = False) -> Coded:
    """Number the distinct values of a pyarrow Array or ChunkedArray."""
    import pyarrow as pa
    import pyarrow.types as pt

    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        column = pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type)
        kind = column.type
    value_kind = kind.value_type if pt.is_dictionary(kind) else kind
    if pt.is_nested(value_kind):
        raise nested_error(name, str(value_kind))
    if pt.is_null(kind):
        return Coded(np.full(len(column), -1, np.int8), [])
    if column.null_count == len(column):
        return Coded(np.full(len(column), -1, np.int8), [])
    if pt.is_boolean(kind):
        values, absent = _dense(column.cast(pa.int8()))
        return Coded(values if absent is None else np.where(absent, np.int8(-1), values), [False, True])
    if pt.is_integer(kind):
        return code_integers(*_dense(column))
    if pt.is_floating(kind):
        values, absent = _dense(column)
        return code_floats(values.astype(np.float64, copy=False), absent)
    ordered = pt.is_dictionary(kind) and kind.ordered
    if not pt.is_dictionary(kind):
        if str(kind) in _VIEWS:
            column = column.cast(pa.large_string() if str(kind) == "string_view" else pa.large_binary())
        column = column.dictionary_encode()
    try:
        return _code_dictionary(column, text, ordered)
    except pa.ArrowInvalid as error:
        raise DataError(
            f"data: column {name!r} is not a valid Arrow dictionary array: {cause(error)}.", hint="Encode it again."
        ) from error


def _dense(column: Any) -> tuple[Any, Any]:
    """A numeric column with at least one value as a NumPy array, and a mask of nulls (None: no nulls)."""
    if column.null_count == 0:
        return column.to_numpy(), None
    absent = column.is_null().to_numpy()
    return column.fill_null(column.drop_null()[0]).to_numpy(), absent


def _code_dictionary(column: Any, text: bool, ordered: bool) -> Coded:
    import pyarrow as pa

    if column.num_chunks > 1:
        column.validate(full=True)  # the next step does not check that indices are valid
        column = column.unify_dictionaries()
    chunk = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if isinstance(chunk, pa.ChunkedArray):  # older releases of pyarrow return a chunked array
        chunk = chunk.chunk(0)
    indices = chunk.indices
    if indices.type not in (pa.int8(), pa.int16(), pa.int32()):
        indices = indices.cast(pa.int32())
    if indices.null_count:
        indices = indices.fill_null(-1)
    return Coded(indices.to_numpy(), chunk.dictionary.to_pylist(), text=text, ordered=ordered)
