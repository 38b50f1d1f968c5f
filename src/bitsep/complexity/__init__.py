"""The regret of multinomials, and entropies of counts, in bits."""

from bitsep.complexity.entropy import entropy_bits
from bitsep.complexity.regret import log2_regret

__all__ = ["entropy_bits", "log2_regret"]
