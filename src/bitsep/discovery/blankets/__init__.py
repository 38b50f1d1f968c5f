"""Markov blankets and neighbors of single variables, with one file per algorithm."""

from bitsep.discovery.blankets.api import ALGORITHMS, markov_blanket, markov_blankets, neighbors
from bitsep.discovery.blankets.result import MarkovBlanket, MemberEvidence, MemberSupport

__all__ = [
    "ALGORITHMS",
    "MarkovBlanket",
    "MemberEvidence",
    "MemberSupport",
    "markov_blanket",
    "markov_blankets",
    "neighbors",
]
