"""Bits: the regret of multinomials, and entropies from counts (no data, no tables)."""

from bitsep.complexity.entropy import entropy_bits
from bitsep.complexity.regret import log2_regret

__all__ = ["entropy_bits", "log2_regret"]
