"""Counts: one contract, several backends."""

from bitsep.counting.backends import counted_in_passes
from bitsep.counting.contract import Counter
from bitsep.counting.counts import Counts
from bitsep.counting.joined import JoinedCounter
from bitsep.counting.memory import MemoryCounter
from bitsep.counting.passes import PassCounter

__all__ = ["Counter", "Counts", "JoinedCounter", "MemoryCounter", "PassCounter", "counted_in_passes"]
