"""Bits: the regret of multinomials, entropies, and stochastic complexity from counts (no data, no tables)."""

from bitsep.complexity.entropy import entropy_bits
from bitsep.complexity.regret import log2_regret
from bitsep.complexity.stochastic import fnml_bits, nml_bits, qnml_bits

__all__ = ["entropy_bits", "fnml_bits", "log2_regret", "nml_bits", "qnml_bits"]
