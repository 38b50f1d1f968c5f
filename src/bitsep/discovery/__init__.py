"""Causal graphs and Markov blankets, found by searching for separators, with the evidence for every result."""

from bitsep.discovery.all_pairs import Pairwise, pairwise
from bitsep.discovery.blankets import (
    MarkovBlanket,
    MemberEvidence,
    MemberSupport,
    markov_blanket,
    markov_blankets,
    neighbors,
)
from bitsep.discovery.climbing import hill_climb
from bitsep.discovery.doubts import Doubt
from bitsep.discovery.evidence import AmbiguousTriple, Conflict, Decision, EdgeCost, EdgeEvidence, EdgeSaving, Support
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.hidden_variables import fci
from bitsep.discovery.knowledge import Knowledge
from bitsep.discovery.orders import boss
from bitsep.discovery.pc import pc_stable
from bitsep.discovery.recommended import discover
from bitsep.discovery.result import Discovery

__all__ = [
    "AmbiguousTriple",
    "Conflict",
    "Decision",
    "Discovery",
    "Doubt",
    "EdgeCost",
    "EdgeEvidence",
    "EdgeSaving",
    "Explanation",
    "Knowledge",
    "MarkovBlanket",
    "MemberEvidence",
    "MemberSupport",
    "Pairwise",
    "Support",
    "boss",
    "discover",
    "fci",
    "hill_climb",
    "markov_blanket",
    "markov_blankets",
    "neighbors",
    "pairwise",
    "pc_stable",
]
