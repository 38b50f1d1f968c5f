"""Tests of conditional independence: they turn counts into verdicts."""

from bitsep.independence.api import Separation, evaluate, independence_test, separate
from bitsep.independence.complexity import stochastic_complexity
from bitsep.independence.criterion import IndependenceCriterion, Judgment
from bitsep.independence.effects import OddsRatio, StratumEffect
from bitsep.independence.engines.base import Engine, Found, Queries, Ragged, Tasks
from bitsep.independence.engines.oracle import Oracle
from bitsep.independence.opening import open_engine
from bitsep.independence.power_analysis import Power, power
from bitsep.independence.records import sample_size_bound
from bitsep.independence.result import IndependenceResult
from bitsep.independence.tests import METHODS

__all__ = [
    "METHODS",
    "Engine",
    "Found",
    "IndependenceCriterion",
    "IndependenceResult",
    "Judgment",
    "OddsRatio",
    "Oracle",
    "Power",
    "Queries",
    "Ragged",
    "Separation",
    "StratumEffect",
    "Tasks",
    "evaluate",
    "independence_test",
    "open_engine",
    "power",
    "sample_size_bound",
    "separate",
    "stochastic_complexity",
]
