"""Tables larger than memory: read once, kept as codes (in memory while they fit, else on disk), counted by chunks."""

from bitsep.counting.stream.scans import Scan, scan, scan_parquet

__all__ = ["Scan", "scan", "scan_parquet"]
