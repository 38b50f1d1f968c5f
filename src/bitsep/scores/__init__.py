"""Scores of graphs: the code length of every variable given its parents."""

from bitsep.scores.api import score
from bitsep.scores.registry import SCORES
from bitsep.scores.result import GraphScore

__all__ = ["SCORES", "GraphScore", "score"]
