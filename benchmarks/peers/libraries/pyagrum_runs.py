"""pyAgrum: C++ with Python bindings."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyagrum as gum
from benchmarks.peers.libraries import Job, describe_dag, plain_edges

import bitsep

PACKAGE = "pyAgrum"


def graph(frame: pd.DataFrame, alpha: float) -> Job:
    """PC-stable with the G² test, on one thread."""

    def run() -> tuple[Any, list[str]]:
        learner = _learner(frame)
        learner.usePC()
        learner.useG2Test()
        learner.setPCAlpha(alpha)
        learner.setPCStable(True)
        return learner.learnPDAG(), list(learner.names())

    def describe(outcome: tuple[Any, list[str]]) -> dict[str, Any]:
        found, names = outcome
        return {"edges": plain_edges((names[a], names[b]) for a, b in [*found.arcs(), *found.edges()])}

    return Job(run, describe)


def hill_climb(frame: pd.DataFrame, score: str) -> Job:
    """Greedy hill climbing, on one thread."""

    def run() -> tuple[Any, list[str]]:
        learner = _learner(frame)
        {"bdeu": learner.useScoreBDeu, "bic": learner.useScoreBIC}[score]()
        learner.useGreedyHillClimbing()
        return learner.learnDAG(), list(learner.names())

    def describe(outcome: tuple[Any, list[str]]) -> dict[str, Any]:
        found, names = outcome
        return describe_dag(frame, bitsep.DAG(names, ((names[a], names[b]) for a, b in found.arcs())))

    return Job(run, describe)


def single_tests(frame: pd.DataFrame, queries: list[tuple[str, str, list[str]]]) -> Job:
    """G² tests one by one; the learner is created beforehand."""
    learner = _learner(frame)
    return Job(lambda: [learner.G2(x, y, z)[1] for x, y, z in queries], list)


def warm_up(frame: pd.DataFrame) -> Job:
    return graph(frame, 0.05)


def _learner(frame: pd.DataFrame) -> gum.BNLearner:
    learner = gum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    return learner
