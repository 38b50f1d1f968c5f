"""Tests of conditional independence: from counts to verdicts."""

from bitsep.independence.api import Separation, evaluate, independence_test, open_engine, separate
from bitsep.independence.complexities import stochastic_complexity
from bitsep.independence.contract import IndependenceCriterion, Judgment
from bitsep.independence.engine import Engine, Found, Queries, Ragged, Tasks
from bitsep.independence.methods import METHODS
from bitsep.independence.oracle import Oracle
from bitsep.independence.records import sample_size_bound
from bitsep.independence.result import IndependenceResult

__all__ = [
    "METHODS",
    "Engine",
    "Found",
    "IndependenceCriterion",
    "IndependenceResult",
    "Judgment",
    "Oracle",
    "Queries",
    "Ragged",
    "Separation",
    "Tasks",
    "evaluate",
    "independence_test",
    "open_engine",
    "sample_size_bound",
    "separate",
    "stochastic_complexity",
]
