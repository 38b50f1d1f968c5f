"""Which data are counted in passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitsep.counting.stream import Scan

if TYPE_CHECKING:
    from bitsep.counting.spark import SparkScan


def counted_in_passes(data: Any) -> Scan | SparkScan | None:
    """The data as a scan if they are one or lie in a Spark data frame; None: they go into memory."""
    if isinstance(data, Scan):
        return data
    if type(data).__module__.startswith("pyspark.sql") or type(data).__module__.startswith("bitsep.counting.spark"):
        from bitsep.counting.spark import SparkScan, scan_spark

        return data if isinstance(data, SparkScan) else scan_spark(data)
    return None
