"""bitsep."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.peers.libraries import Job, describe_dag, plain_edges
from benchmarks.peers.rules import RULES

import bitsep
from bitsep.discovery.arguments import engine_for
from bitsep.independence import Queries, Ragged, open_engine
from bitsep.independence.engines.skeleton import SkeletonQuery
from bitsep.networks import load_network

PACKAGE = "bitsep"


def graph(
    frame: pd.DataFrame, method: str = "g2_adjusted", alpha: float | None = None, threads: int = 1, **options: Any
) -> Job:
    """From the data frame to the graph, with the orientation rule of the other libraries.

    The table is encoded again, so its cache is empty.
    """

    def run() -> bitsep.Discovery:
        found = bitsep.pc_stable(frame, method=method, alpha=alpha, threads=threads, orientation="standard", **options)
        _ = found.graph  # computed lazily; the times of other libraries include it
        return found

    return Job(run, lambda found: {"edges": plain_edges(found.skeleton), "tests": found.tests_run})


def boss(frame: pd.DataFrame) -> Job:
    """From the data frame to the graph, with default settings."""
    return Job(lambda: bitsep.boss(frame, threads=1), lambda found: describe_dag(frame, found.to_dag()))


def hill_climb(frame: pd.DataFrame, score: str, tabu: int = 0) -> Job:
    """Hill climbing, greedy unless a tabu list is given."""
    return Job(
        lambda: bitsep.hill_climb(frame, score=score, structure=False, tabu=tabu, threads=1),
        lambda found: describe_dag(frame, found.to_dag()),
    )


def graph_under(frame: pd.DataFrame, rule: str, alpha: float) -> Job:
    """The same search with the rule of another library, to check that it finds the same edges."""
    return Job(
        lambda: bitsep.pc_stable(frame, method=RULES[rule](alpha), threads=1, orientation="standard"),
        lambda found: {"edges": plain_edges(found.skeleton), "tests": found.tests_run},
    )


def graph_with_progress(frame: pd.DataFrame, threads: int, method: str = "sci_f") -> Job:
    """A long search with a progress callback."""
    calls: list[str] = []
    return Job(
        lambda: bitsep.pc_stable(
            frame,
            method=method,
            threads=threads,
            orientation="standard",
            progress=lambda stage, done, total: calls.append(stage),
        ),
        lambda found: {"edges": plain_edges(found.skeleton), "tests": found.tests_run, "progress_calls": len(calls)},
    )


def skeleton_from_table(frame: pd.DataFrame, method: str, threads: int) -> Job:
    """The skeleton alone, from an encoded table without bitmaps and counts."""
    table = bitsep.Table(frame)
    return Job(
        lambda engine: engine.find_skeleton(SkeletonQuery()),
        lambda skeleton: {"tests": skeleton.tests},
        lambda: engine_for(table, method, None, threads, {}),
    )


def graph_from_table(frame: pd.DataFrame, method: str, threads: int) -> Job:
    """Graph and evidence from an encoded table."""
    table = bitsep.Table(frame)
    return Job(lambda: bitsep.pc_stable(table, method=method, threads=threads, orientation="standard").graph)


def blankets(frame: pd.DataFrame, method: str = "sci_f", targets: list[str] | None = None, **options: Any) -> Job:
    """All blankets in one call, which shares work between targets."""
    return Job(
        lambda: bitsep.markov_blankets(frame, "pcmb", method=method, threads=1, targets=targets, **options),
        lambda found: {str(name): sorted(blanket.members) for name, blanket in found.items()},
    )


def blankets_one_by_one(frame: pd.DataFrame, targets: list[str], method: str = "sci_f", **options: Any) -> Job:
    """Each blanket from the data frame in a separate call, so that nothing is shared."""
    return Job(
        lambda: {t: bitsep.markov_blanket(frame, t, "pcmb", method=method, threads=1, **options) for t in targets},
        lambda found: {str(name): sorted(blanket.members) for name, blanket in found.items()},
    )


def single_tests(frame: pd.DataFrame, queries: list[tuple[str, str, list[str]]], batch: bool) -> Job:
    """The queries with one call each, or all in one call, on an encoded table."""
    table = _ready(frame, queries)
    if batch:
        return Job(lambda: bitsep.evaluate(table, queries, method="g2_adjusted", threads=1), _p_values)
    return Job(
        lambda: [bitsep.independence_test(table, x, y, given=z, method="g2_adjusted") for x, y, z in queries],
        _p_values,
    )


def many_tests(frame: pd.DataFrame, method: str, tests: int, seed: int = 0) -> Job:
    """Random tests given zero to three variables, as records, in one native call."""
    engine = open_engine(bitsep.Table(frame), method, threads=1)
    rng = np.random.default_rng(seed)
    drawn = [rng.permutation(len(engine.variables))[: 2 + size] for size in rng.integers(0, 4, tests)]
    pairs = [sorted(one[:2].tolist()) for one in drawn]
    queries = Queries(
        np.array([x for x, _ in pairs], dtype=np.int32),
        np.array([y for _, y in pairs], dtype=np.int32),
        Ragged.of([sorted(one[2:].tolist()) for one in drawn]),
    )
    return Job(lambda: engine.evaluate(queries), lambda records: {"independent": int(records["independent"].sum())})


def one_test(frame: pd.DataFrame, x: str, y: str, given: list[str], method: str) -> Job:
    """One test on a new table."""
    table = bitsep.Table(frame)
    return Job(
        lambda: bitsep.independence_test(table, x, y, given=given, method=method),
        lambda result: {"strata_bits": result.threshold_bits, "score_bits": result.score_bits},
    )


def warm_up(frame: pd.DataFrame) -> Job:
    """Import the modules that are imported lazily."""
    return Job(lambda: [graph(frame, method).run() for method in ("g2_adjusted", "sci_f")])


def truth(network: str) -> list[tuple[str, str]]:
    """The edges of a bundled network."""
    return plain_edges(load_network(network).edges)


def _ready(frame: pd.DataFrame, queries: list[tuple[str, str, list[str]]]) -> bitsep.Table:
    """A table with bitmaps, as the other libraries have encoded columns, but without counts that the queries need.

    The tests made here pair columns of different queries, and no query has both.
    """
    table = bitsep.Table(frame)
    groups = [[x, y, *z] for x, y, z in queries]
    pairs = [(a, b, ()) for one, other in pairwise(groups) for a, b in zip(one, other, strict=True)]
    bitsep.evaluate(table, pairs, threads=1)
    return table


def _p_values(results: list[bitsep.IndependenceResult]) -> list[float]:
    return [float(result.p_value or 0.0) for result in results]
