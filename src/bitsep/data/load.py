"""Data of any kind as encoded data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bitsep.data.contract import EncodedData
from bitsep.data.table import Table
from bitsep.naming import Name


def encoded(data: Any, columns: Iterable[Name] | None = None) -> EncodedData:
    """The data as they are if they are encoded, a scan of a Spark data frame, otherwise a `Table`.

    Parameters
    ----------
    data
        Anything `bitsep.independence_test` takes, except an oracle.
    columns : iterable of names, optional
        Columns that are enough: a table that is made here has only these.
    """
    if isinstance(data, EncodedData):
        return data
    if is_spark_frame(data):
        from bitsep.data.spark import scan_spark

        return scan_spark(data)
    return Table(data, columns=columns)


def is_spark_frame(data: object) -> bool:
    """Whether this is a Spark data frame, found without importing pyspark."""
    return any(
        base.__module__ == "pyspark.sql.dataframe" and base.__name__ == "DataFrame" for base in type(data).__mro__
    )
