"""Counts: one contract, several backends."""

from bitsep.counting.contract import Counter
from bitsep.counting.counts import Counts
from bitsep.counting.merged import JoinedCounter
from bitsep.counting.native import MemoryCounter
from bitsep.counting.passes import PassCounter

__all__ = ["Counter", "Counts", "JoinedCounter", "MemoryCounter", "PassCounter"]
