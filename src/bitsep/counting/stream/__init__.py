"""Tables larger than memory: read once, kept as codes on disk, counted chunk by chunk."""

from bitsep.counting.stream.scans import Scan, scan, scan_parquet

__all__ = ["Scan", "scan", "scan_parquet"]
