"""Markov blankets and neighbors of single variables: one file per algorithm, one entry for all."""

from bitsep.discovery.blankets.entry import ALGORITHMS, markov_blanket, markov_blankets, neighbors
from bitsep.discovery.blankets.result import MarkovBlanket, MemberEvidence

__all__ = ["ALGORITHMS", "MarkovBlanket", "MemberEvidence", "markov_blanket", "markov_blankets", "neighbors"]
