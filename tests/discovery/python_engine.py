"""Slow textbook engines: every subset in its own loop, every answer on its own. The twins of the fast engines."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from bitsep.independence.engines.base import RECORD, Engine, Found, Queries, Ragged, Records, Tasks
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name, sorted_names
from bitsep.progress import Step


class PythonEngine(Engine):
    """Keeps the contract of `Engine` with plain loops; subclasses give the score."""

    variables: tuple[Name, ...] = ()
    method = "python"
    alpha: float | None = None
    n = 0
    threshold_bits = 0.0

    def __init__(self, names: Iterable[Name]) -> None:
        self.variables = sorted_names(names)
        self.index = {name: i for i, name in enumerate(self.variables)}
        self.calls = 0

    @abstractmethod
    def score(self, x: int, y: int, given: frozenset[int]) -> float:
        """Above zero: dependent."""

    def _record(self, x: int, y: int, given: Iterable[int]) -> np.void:
        record: Any = np.zeros((), RECORD)
        score = self.score(min(x, y), max(x, y), frozenset(given))
        record["score_bits"] = score
        record["threshold_bits"] = self.threshold_bits
        record["information_bits"] = self.threshold_bits + score
        record["statistic"] = record["df"] = np.nan
        record["n"], record["strata"] = self.n, 1
        record["independent"] = score <= 0
        return record[()]

    def evaluate(self, queries: Queries, step: Step | None = None) -> Records:
        self.calls += 1
        rows = zip(queries.x.tolist(), queries.y.tolist(), range(len(queries.x)), strict=True)
        records = [self._record(x, y, queries.given[i]) for x, y, i in rows]
        return np.array(records, dtype=RECORD)

    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        self.calls += 1
        count = len(tasks.x)
        separated, has_runner_up = np.zeros(count, bool), np.zeros(count, bool)
        record, runner_up_record = np.zeros(count, RECORD), np.zeros(count, RECORD)
        tests = np.zeros(count, np.int64)
        given: list[tuple[int, ...]] = []
        runner_up: list[tuple[int, ...]] = []
        for i in range(count):
            tried = []
            x, y = int(tasks.x[i]), int(tasks.y[i])
            for subset in _subsets(tasks, i):
                tried.append((subset, self._record(x, y, subset)))
                if tasks.stop == "first" and tried[-1][1]["independent"]:
                    separated[i] = True
                    break
            tests[i] = len(tried)
            order = sorted(range(len(tried)), key=lambda k: (tried[k][1]["score_bits"], k))
            if separated[i]:
                order = [len(tried) - 1, *(k for k in order if k != len(tried) - 1)]
            elif order:
                separated[i] = tried[order[0]][1]["independent"]
            given.append(tried[order[0]][0] if order else ())
            runner_up.append(tried[order[1]][0] if len(order) > 1 else ())
            if order:
                record[i] = tried[order[0]][1]
            if len(order) > 1:
                has_runner_up[i], runner_up_record[i] = True, tried[order[1]][1]
            if step is not None:
                step(i + 1, count)
        return Found(separated, Ragged.of(given), record, has_runner_up, Ragged.of(runner_up), runner_up_record, tests)

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        return IndependenceResult(
            independent=bool(record["independent"]),
            score_bits=float(record["score_bits"]),
            cmi_bits=float(record["information_bits"]) / max(int(record["n"]), 1),
            threshold_bits=float(record["threshold_bits"]),
            n=int(record["n"]),
            method=self.method,
            x=self.variables[x],
            y=self.variables[y],
            given=tuple(self.variables[i] for i in given),
            alpha=self.alpha,
        )

    def resampled(self, seed: int) -> PythonEngine:
        return self


def _subsets(tasks: Tasks, i: int) -> Iterable[tuple[int, ...]]:
    always = tasks.always[i] if tasks.always is not None else ()
    first = tasks.first[i]
    second = tasks.second[i] if tasks.second is not None else ()
    for size in range(tasks.min_size, tasks.max_size + 1):
        for subset in combinations(first, size):
            yield tuple(sorted((*always, *subset)))
        for subset in combinations(second, size):
            if not set(subset) <= set(first):
                yield tuple(sorted((*always, *subset)))


class DSeparation(PythonEngine):
    """Answers from a known DAG: +1 bit where d-connected, -1 where d-separated."""

    method = "d_separation"

    def __init__(self, names: Iterable[Name], edges: Iterable[tuple[Name, Name]]) -> None:
        super().__init__(names)
        self.parents: list[set[int]] = [set() for _ in self.variables]
        self.children: list[set[int]] = [set() for _ in self.variables]
        for a, b in edges:
            self.parents[self.index[b]].add(self.index[a])
            self.children[self.index[a]].add(self.index[b])
        self.reached: dict[tuple[int, frozenset[int]], frozenset[int]] = {}

    def score(self, x: int, y: int, given: frozenset[int]) -> float:
        key = (x, given)
        if key not in self.reached:
            self.reached[key] = self._reach(x, given)
        return 1.0 if y in self.reached[key] else -1.0

    @cached_property
    def ancestors(self) -> list[frozenset[int]]:
        """Of each variable, with itself."""
        found = []
        for v in range(len(self.variables)):
            seen, todo = {v}, [v]
            while todo:
                new = self.parents[todo.pop()] - seen
                seen |= new
                todo += new
            found.append(frozenset(seen))
        return found

    def _reach(self, x: int, given: frozenset[int]) -> frozenset[int]:
        """Everything an active trail from x leads to (Koller & Friedman, algorithm 3.1)."""
        opens = frozenset().union(*(self.ancestors[z] for z in given))  # a collider here lets the trail pass
        seen, todo, reached = set(), [(x, "up")], set()
        while todo:
            v, direction = todo.pop()
            if (v, direction) in seen:
                continue
            seen.add((v, direction))
            if v not in given:
                reached.add(v)
            if direction == "up" and v not in given:
                todo += [(p, "up") for p in self.parents[v]] + [(c, "down") for c in self.children[v]]
            elif direction == "down":
                if v not in given:
                    todo += [(c, "down") for c in self.children[v]]
                if v in opens:
                    todo += [(p, "up") for p in self.parents[v]]
        return frozenset(reached)


class Scripted(PythonEngine):
    """Scores as a test of the search dictates them: ``score(a, b, given) -> bits``, all by name."""

    method = "scripted"
    n = 100
    threshold_bits = 10.0

    def __init__(self, names: Iterable[Name], score: Callable[[Name, Name, frozenset[Name]], float]) -> None:
        super().__init__(names)
        self.rule = score

    def score(self, x: int, y: int, given: frozenset[int]) -> float:
        return self.rule(self.variables[x], self.variables[y], frozenset(self.variables[i] for i in given))
