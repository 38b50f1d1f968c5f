"""Data on a Spark cluster: encoded and counted on the executors; only counts are sent to the driver."""

from bitsep.data.spark.scan import SparkScan, scan_spark
from bitsep.data.spark.session import open_session, scan_files

__all__ = ["SparkScan", "open_session", "scan_files", "scan_spark"]
