"""Tables on a Spark cluster: encoded and counted where they lie; only counts come to the driver."""

from bitsep.counting.spark.scans import SparkScan, scan_spark
from bitsep.counting.spark.session import open_session, scan_files

__all__ = ["SparkScan", "open_session", "scan_files", "scan_spark"]
