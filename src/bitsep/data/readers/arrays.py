"""Columns from NumPy arrays and Python sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitsep.data.encode import Coded, Codes, code_type, complex_error, nested_error
from bitsep.data.levels import has_mixed_numbers
from bitsep.data.readers.selection import Selection
from bitsep.errors import UnsupportedTypeError
from bitsep.naming import Name

_MAX_EXACT = 2.0**53  # floats represent all smaller whole numbers exactly


def read_array(data: NDArray[Any], selection: Selection) -> dict[Name, Coded]:
    """The chosen columns of a 2-D array, named 0, 1, …, or of a structured array, named by its fields."""
    if data.dtype.names is not None:
        if data.ndim != 1:
            raise UnsupportedTypeError(f"data: a structured array must have 1 dimension, got {data.ndim}.")
        return {name: code_array(name, data[str(name)]) for name in selection.pick(data.dtype.names)}
    if data.ndim != 2:
        raise UnsupportedTypeError(
            f"data: a NumPy array must have 2 dimensions (rows × columns), got {data.ndim}.",
            hint='For a single variable use data.reshape(-1, 1), or a dict such as {"x": data}.',
        )
    chosen = selection.pick(range(data.shape[1]))
    if len(chosen) == data.shape[1] and data.flags.c_contiguous and not isinstance(data, np.ma.MaskedArray):
        data = _by_column(data)
    return {name: code_array(name, data[:, int(str(name))]) for name in chosen}


def _by_column(data: NDArray[Any]) -> NDArray[Any]:
    """The array with contiguous columns, copied in blocks of rows that fit into the cache."""
    columns = np.empty(data.shape[::-1], dtype=data.dtype)
    for start in range(0, len(data), 512):
        columns[:, start : start + 512] = data[start : start + 512].T
    return columns.T


def code_array(name: Name, values: NDArray[Any]) -> Coded:
    """Number the distinct values of a 1-D array of any dtype."""
    if values.ndim != 1:
        raise UnsupportedTypeError(f"data: column {name!r} must have 1 dimension, got {values.ndim}.")
    if isinstance(values, np.ma.MaskedArray):
        coded = code_array(name, values.data)
        codes: Codes = np.where(np.ma.getmaskarray(values), -1, coded.codes)
        return Coded(codes, coded.values)
    kind = values.dtype.kind
    if kind == "b":
        return Coded(values.astype(np.int8), [False, True])
    if kind in "iu":
        return code_integers(values)
    if kind == "f":
        return code_floats(values.astype(np.float64, copy=False))
    if kind == "c":
        raise complex_error(name)
    if kind == "V":
        raise nested_error(name, "structured")
    if kind in "mM":
        return _code_times(values)
    # Objects, and NumPy's texts and bytes of fixed (U, S) or variable width (T).
    return code_objects(name, values.tolist())


def code_integers(values: NDArray[Any], absent: NDArray[np.bool_] | None = None) -> Coded:
    """Number integers: by their difference from the smallest if the range is small, otherwise by hashing.

    >>> code_integers(np.array([7, 5, 7])).codes.tolist()
    [2, 0, 2]
    """
    if len(values) == 0:
        return Coded(np.empty(0, np.int8), [])
    low, high = int(values.min()), int(values.max())
    span = high - low + 1
    if span <= max(1024, min(len(values), 1 << 20)):
        # Subtract in a type that can represent every difference, then convert to a smaller type.
        wide = values if span <= np.iinfo(values.dtype).max else values.astype(np.int64)
        codes: Codes = (wide - wide.dtype.type(low)).astype(code_type(span))
        levels: Sequence[Any] = range(low, high + 1)
    else:
        codes, levels = _hashed(values)
    if absent is not None:
        codes = np.where(absent, codes.dtype.type(-1), codes)
    return Coded(codes, levels)


def code_floats(values: NDArray[np.float64], absent: NDArray[np.bool_] | None = None) -> Coded:
    """Number floats; NaN and rows in `absent` are missing. Whole numbers are numbered as integers."""
    nan = np.isnan(values)
    absent = nan if absent is None else nan | absent
    present = filled(values, absent)
    if len(present) and np.abs(present).max() < _MAX_EXACT:
        whole = present.astype(np.int64)
        if np.array_equal(whole, present):
            return code_integers(whole, absent)
    codes, levels = _hashed(present)
    return Coded(np.where(absent, codes.dtype.type(-1), codes), levels)


def _code_times(values: NDArray[Any]) -> Coded:
    absent = np.isnat(values)
    # Numbered by their stored integers; only the distinct values are converted to objects.
    coded = code_integers(filled(values, absent).astype(np.int64), absent)
    stamps = np.asarray(coded.values, dtype=np.int64).astype(values.dtype)
    return Coded(coded.codes, list(stamps))


def filled(values: NDArray[Any], absent: NDArray[np.bool_]) -> NDArray[Any]:
    """The values with absent ones replaced by a present value; a constant such as 0 could extend the range."""
    if not absent.any():
        return values
    if absent.all():
        return np.zeros_like(values)
    return np.where(absent, values[np.argmin(absent)], values)


def _hashed(values: NDArray[Any]) -> tuple[Codes, list[Any]]:
    """Number values by hashing in pyarrow, which is several times faster than sorting in NumPy."""
    import pyarrow as pa

    # Arrow does not support byte-swapped and half-precision numbers.
    kind = {"f": np.float64, "i": np.int64, "u": np.uint64}[values.dtype.kind]
    encoded = pa.array(np.ascontiguousarray(values, dtype=kind)).dictionary_encode()
    return encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist()


def code_objects(name: Name, values: Sequence[Any]) -> Coded:
    """Number arbitrary Python values by equality.

    >>> coded = code_objects("x", ["no", "yes", "no"])
    >>> coded.codes.tolist(), coded.values
    ([0, 1, 0], ['no', 'yes'])
    """
    kinds = set(map(type, values))
    keys: Sequence[Any] = values
    if has_mixed_numbers(kinds):
        # True, 1 and 1.0 are equal; they get different codes here, so that the level does not depend on the first row.
        keys = list(zip(map(type, values), values, strict=True))
    try:
        code_of = {key: code for code, key in enumerate(dict.fromkeys(keys))}
    except TypeError:
        raise _unhashable_error(name, values) from None
    codes: Codes = np.fromiter(map(code_of.__getitem__, keys), dtype=np.int32, count=len(values))
    return Coded(codes, list(code_of) if keys is values else [value for _, value in code_of])


def _unhashable_error(name: Name, values: Sequence[Any]) -> UnsupportedTypeError:
    for value in values:
        try:
            hash(value)
        except TypeError:
            return nested_error(name, type(value).__name__)
    return nested_error(name, "unhashable")
