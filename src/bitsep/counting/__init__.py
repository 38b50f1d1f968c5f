"""Counts: one contract, several backends."""

from bitsep.counting.contract import Counter
from bitsep.counting.counts import Counts
from bitsep.counting.memory import MemoryCounter

__all__ = ["Counter", "Counts", "MemoryCounter"]
