"""Columns from data frames: pandas directly, all others through narwhals and Arrow.

pandas is read directly because categorical columns already have codes and levels, which are used without a conversion
to Arrow.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from bitsep.data.encode import Coded
from bitsep.data.readers.arrays import code_array, code_objects
from bitsep.data.readers.arrow import code_arrow, read_arrow
from bitsep.data.readers.selection import Selection
from bitsep.errors import UnsupportedTypeError
from bitsep.naming import Name

if TYPE_CHECKING:
    import pandas as pd


def is_pandas_frame(data: object) -> bool:
    """Whether this is a pandas DataFrame, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def is_pandas_column(values: object) -> bool:
    """Whether this is a pandas Series, Index or extension array, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(
        values, pandas.Series | pandas.Index | pandas.api.extensions.ExtensionArray
    )


def read_pandas(frame: pd.DataFrame, selection: Selection) -> dict[Name, Coded]:
    """The chosen columns of a pandas DataFrame; its index is ignored."""
    names = frame.columns.tolist()
    chosen = selection.pick(names)
    if len(chosen) < len(names):
        return {name: code_pandas(name, frame[name].array) for name in chosen}
    # Making a Series of each column takes longer than encoding a short column; the internal iterator avoids it.
    arrays = getattr(frame, "_iter_column_arrays", None)
    columns = arrays() if arrays is not None else (series.array for _, series in frame.items())
    return {name: code_pandas(name, column) for name, column in zip(names, columns, strict=True)}


def code_pandas(name: Name, column: Any) -> Coded:
    """Number the distinct values of one pandas column: a Series, an Index or an array."""
    import pandas as pd

    if isinstance(column, (pd.Series, pd.Index)):
        column = column.array
    if isinstance(column, pd.Categorical):
        return Coded(column.codes, _categories(column.categories), ordered=bool(column.ordered))
    if isinstance(column, np.ndarray):
        return code_array(name, column)
    dtype = column.dtype
    if isinstance(dtype, np.dtype | pd.SparseDtype):
        return code_array(name, np.asarray(column))
    if isinstance(dtype, pd.ArrowDtype | pd.StringDtype) or type(column) in (
        pd.arrays.IntegerArray,
        pd.arrays.FloatingArray,
        pd.arrays.BooleanArray,
    ):
        import pyarrow as pa

        return code_arrow(name, pa.array(column, from_pandas=False))
    if isinstance(dtype, pd.DatetimeTZDtype):
        codes, stamps = pd.factorize(column)
        return Coded(codes.astype(np.int32), list(stamps))
    # Periods, intervals and types of other libraries are read as objects.
    return code_objects(name, list(column))


def _categories(index: pd.Index[Any]) -> list[Any]:
    # pandas stores text in Arrow; reading it from there is faster, which matters for many short columns.
    values = index.array
    to_arrow = getattr(values, "__arrow_array__", None) if type(values).__name__ == "ArrowStringArray" else None
    return index.tolist() if to_arrow is None else to_arrow().to_pylist()


def read_frame(data: Any, selection: Selection) -> dict[Name, Coded] | None:
    """The chosen columns of any other data frame that narwhals supports (lazy ones are collected); otherwise None."""
    import narwhals as nw

    try:
        frame = nw.from_native(data)
    except TypeError:
        return None
    chosen = [str(name) for name in selection.pick(frame.collect_schema().names())]
    frame = frame.select(*chosen)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    # Python objects and integers of 128 bits of polars cannot be converted to Arrow; all others are, in one call.
    foreign = (nw.Object, nw.Int128, nw.UInt128)
    objects = [name for name, kind in frame.collect_schema().items() if kind in foreign]
    coded: dict[Name, Coded] = {name: code_objects(name, frame[name].to_list()) for name in objects}
    rest = [name for name in chosen if name not in coded]
    if rest:
        coded.update(read_arrow(frame.select(*rest).to_arrow(), Selection()))
    return {name: coded[name] for name in chosen}


def unknown_data_error(data: object) -> UnsupportedTypeError:
    """The error for data of a kind that no reader supports."""
    return UnsupportedTypeError(
        f"data: cannot read a {type(data).__name__}; a pandas, polars or Arrow table, a dict of columns, a 2-D NumPy "
        "array, a path to a CSV, Parquet, Feather, JSON-lines or Excel file, or a bitsep.Table is needed."
    )
