"""The timed cases. They use public names only, so that any two commits that have these names can be compared."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pandas as pd
from benchmarks.compare.data import CSV_ROWS, GIVEN, NETWORKS, ROWS, queries

import bitsep
from bitsep.independence import METHODS

SEARCH_METHODS = ("sci_f", "sci_fs", "sci_q", "g2_adjusted", "x2", "x2_calibrated")
BLANKETS = ("pcmb", "grow_shrink", "iamb", "inter_iamb", "fast_iamb", "mmmb", "hiton_mb")
OPTIONS = {"cmi": {"threshold": 0.001}}  # for methods whose options have no default
BATCH = 500  # tests in one call
TARGETS = 6  # blankets in one call

Run = Callable[[], object]


@dataclass(frozen=True)
class Case:
    """`prepare(data folder)` is not timed and returns the function that is; both are called for every repetition."""

    name: str
    prepare: Callable[[Path], Run]


def all_cases() -> list[Case]:
    return [*_single_tests(), *_batches(), *_searches(), *_blankets(), *_tables()]


def _single_tests() -> list[Case]:
    """Calls of `independence_test` on a table with bitmaps of its columns, but without counts."""
    wanted = [
        *(("small", given) for given in range(GIVEN + 1)),
        *(("medium", given) for given in (1, 2, 4)),
        *(("large", given) for given in (0, 1)),
        *(("weighted", 2), ("missing", 2)),
    ]
    return [
        Case(f"test {name} given {given} {method}", partial(_tests, name=name, given=given, method=method))
        for name, given in wanted
        for method in METHODS
    ]


def _tests(folder: Path, name: str, given: int, method: str) -> Run:
    asked = queries(given)
    groups = [[x, y, *z] for x, y, z in asked]
    weights = ["count"] if name == "weighted" else []
    frame = _frame(folder, name)[[*chain(*groups), *weights]]
    table = bitsep.Table(frame, weights=weights[0] if weights else None)
    # Pairs of columns of different queries: builds bitmaps, but no counts that a query needs.
    pairs = [(a, b, ()) for one, other in pairwise(groups) for a, b in zip(one, other, strict=True)]
    bitsep.evaluate(table, pairs, threads=1)
    options: dict[str, Any] = OPTIONS.get(method, {})
    return lambda: [bitsep.independence_test(table, x, y, given=z, method=method, **options) for x, y, z in asked]


def _batches() -> list[Case]:
    """Random tests given up to three variables: first counted, then from the cached counts."""

    def prepare(folder: Path, method: str, again: bool) -> Run:
        frame = _frame(folder, "alarm-10000")
        table, asked = bitsep.Table(frame), _random_queries(tuple(frame))
        options: dict[str, Any] = OPTIONS.get(method, {})

        def run() -> object:
            return bitsep.evaluate(table, asked, method=method, threads=1, **options)

        if again:
            run()
        return run

    return [
        Case(f"evaluate {BATCH} {'again ' if again else ''}{method}", partial(prepare, method=method, again=again))
        for method in METHODS
        for again in (False, True)
    ]


def _searches() -> list[Case]:
    """The skeleton by PC-stable, from a table without bitmaps and counts, and the whole graph with all evidence."""

    def skeleton(folder: Path, name: str, method: str) -> Run:
        table = bitsep.Table(_frame(folder, name))
        return lambda: bitsep.pc_stable(table, method=method, threads=1, orientation="standard").skeleton

    def graph(folder: Path, orientation: Any) -> Run:
        table = bitsep.Table(_frame(folder, "alarm-10000"))

        def run() -> object:
            found = bitsep.pc_stable(table, orientation=orientation, threads=1)
            return found.graph, list(found.edges), list(found.separations.values())

        return run

    def hidden(folder: Path, variant: Any) -> Run:
        table, fci = bitsep.Table(_frame(folder, "alarm-10000")), bitsep.fci
        return lambda: fci(table, variant=variant, threads=1).graph

    return [
        *(
            Case(f"skeleton {network} {rows} {method}", partial(skeleton, name=f"{network}-{rows}", method=method))
            for network in NETWORKS
            for rows in ROWS
            for method in SEARCH_METHODS
        ),
        *(
            Case(f"graph alarm {rule}", partial(graph, orientation=rule))
            for rule in ("standard", "conservative", "majority")
        ),
        *(Case(f"graph alarm {variant}", partial(hidden, variant=variant)) for variant in ("fci", "rfci")),
    ]


def _blankets() -> list[Case]:
    def prepare(folder: Path, algorithm: str) -> Run:
        frame = _frame(folder, "alarm-1000")
        table, targets = bitsep.Table(frame), list(frame)[:TARGETS]
        return lambda: bitsep.markov_blankets(table, algorithm, threads=1, targets=targets)

    return [Case(f"blankets alarm {algorithm}", partial(prepare, algorithm=algorithm)) for algorithm in BLANKETS]


def _tables() -> list[Case]:
    def of_frame(folder: Path, name: str, times: int) -> Run:
        frame = _frame(folder, name)
        return lambda: [bitsep.Table(frame) for _ in range(times)]

    def of_file(folder: Path) -> Run:
        return lambda: bitsep.Table(folder / "alarm.csv")

    return [
        *(
            Case(f"table from categories {network} {rows}", partial(of_frame, name=f"{network}-{rows}", times=times))
            for network in ("alarm", "hailfinder")
            for rows, times in ((1_000, 4), (100_000, 1))
        ),
        Case("table from text", partial(of_frame, name="alarm-text", times=1)),
        Case(f"table from csv {CSV_ROWS}", of_file),
    ]


@cache
def _frame(folder: Path, name: str) -> pd.DataFrame:
    frame: pd.DataFrame = pd.read_pickle(folder / f"{name}.pkl")
    return frame


@cache
def _random_queries(names: tuple[str, ...]) -> list[tuple[str, str, list[str]]]:
    rng = random.Random(1)
    drawn = [rng.sample(names, 2 + rng.randrange(4)) for _ in range(BATCH)]
    return [(x, y, z) for x, y, *z in drawn]
