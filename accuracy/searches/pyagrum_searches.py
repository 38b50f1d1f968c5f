"""pyAgrum: hill climbing, tabu search and MIIC, on one thread."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyagrum as gum

from accuracy.searches.graphs import partly_directed
from bitsep import DAG, PDAG

_SCORES = {"bdeu": "useScoreBDeu", "bic": "useScoreBIC"}


def hill_climb(frame: pd.DataFrame, score: str = "bdeu") -> DAG:
    """Greedy hill climbing: add, delete and reverse edges."""
    learner = _learner(frame)
    getattr(learner, _SCORES[score])()
    learner.useGreedyHillClimbing()
    return _dag(learner)


def tabu(frame: pd.DataFrame, score: str = "bdeu") -> DAG:
    """A local search with a tabu list, with its default sizes."""
    learner = _learner(frame)
    getattr(learner, _SCORES[score])()
    learner.useLocalSearchWithTabuList()
    return _dag(learner)


def miic(frame: pd.DataFrame) -> PDAG:
    """MIIC with the NML correction."""
    learner = _learner(frame)
    learner.useMIIC()
    learner.useNMLCorrection()
    found, names = learner.learnPDAG(), list(learner.names())
    return partly_directed(
        names,
        ((names[a], names[b]) for a, b in found.arcs()),
        ((names[a], names[b]) for a, b in found.edges()),
    )


def _learner(frame: pd.DataFrame) -> Any:
    learner = gum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    return learner


def _dag(learner: Any) -> DAG:
    found, names = learner.learnDAG(), list(learner.names())
    return DAG(names, ((names[a], names[b]) for a, b in found.arcs()))
