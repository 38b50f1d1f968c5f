"""Converts data of any kind to encoded data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bitsep.data.contract import EncodedData
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS
from bitsep.data.table import Table
from bitsep.naming import Name


def encoded(
    data: Any,
    columns: Iterable[Name] | None = None,
    max_float_levels: int | None = DEFAULT_MAX_FLOAT_LEVELS,
) -> EncodedData:
    """Encoded data unchanged, a scan of a Spark data frame, or a `Table` of other data.

    Parameters
    ----------
    data
        Any data that `bitsep.independence_test` accepts, except an oracle.
    columns : iterable of names, optional
        The columns that are needed: a new table has only these.
    max_float_levels : int, optional
        As for `bitsep.Table`, where the data are not encoded yet.
    """
    if isinstance(data, EncodedData):
        return data
    if is_spark_frame(data):
        from bitsep.data.spark import scan_spark

        return scan_spark(data, max_float_levels=max_float_levels)
    return Table(data, columns=columns, max_float_levels=max_float_levels)


def is_spark_frame(data: object) -> bool:
    """Whether this is a Spark data frame, without importing pyspark."""
    return any(
        base.__module__ == "pyspark.sql.dataframe" and base.__name__ == "DataFrame" for base in type(data).__mro__
    )
