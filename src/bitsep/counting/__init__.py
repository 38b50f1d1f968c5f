"""Counting: one contract and several backends."""

from bitsep.counting.contract import Counter
from bitsep.counting.counts import Counts

__all__ = ["Counter", "Counts"]
