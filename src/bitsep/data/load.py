"""Which data are counted in passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitsep.data import Table
from bitsep.data.scan import Scan

if TYPE_CHECKING:
    from bitsep.data.spark import SparkScan


def is_spark_frame(data: object) -> bool:
    """Whether this is a data frame of Spark, told without importing pyspark."""
    return any(
        base.__module__ == "pyspark.sql.dataframe" and base.__name__ == "DataFrame" for base in type(data).__mro__
    )


def counted_in_passes(data: Any) -> Scan | SparkScan | None:
    """The data as a scan if they are one or lie in a Spark data frame; None: they go into memory."""
    if isinstance(data, Table):
        return None
    if isinstance(data, Scan):
        return data
    if type(data).__module__.startswith("bitsep.data.spark"):
        from bitsep.data.spark import SparkScan

        return data if isinstance(data, SparkScan) else None
    if is_spark_frame(data):
        from bitsep.data.spark import scan_spark

        return scan_spark(data)
    return None
