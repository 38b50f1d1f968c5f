"""Runs the searches of many variables in lock step, so that every round is one call of the engine.

A search about one variable is a generator, written as the textbook has it: it yields what it wants to know (`Ask`)
and receives the answers (`Trial`). The driver collects the asks of all searches that are still running into one
batch. Searches are remembered: who needs the neighbors of a variable twice pays once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeVar, cast

import numpy as np

from bitsep.independence.engines.base import Engine, Ragged, Tasks
from bitsep.progress import Reporter

T = TypeVar("T")

Given = tuple[int, ...]


class Trial(NamedTuple):
    """The lowest-scoring conditioning set of one search for a separator."""

    separated: bool
    score: float
    given: Given
    record: np.void

    def lower(self, other: Trial) -> Trial:
        """The lower-scoring of two; of equals the one with the smaller set, then the first by name."""
        mine, theirs = (self.score, len(self.given), self.given), (other.score, len(other.given), other.given)
        return self if mine <= theirs else other


@dataclass(frozen=True, slots=True)
class Ask:
    """Searches for a separator of x and each of `others`: subsets of its pool, each joined with its `always`."""

    x: int
    others: Sequence[int]
    pools: Sequence[Given]
    always: Sequence[Given]
    min_size: int = 0
    max_size: int | None = None
    stop: Literal["first", "never"] = "never"

    @classmethod
    def given(cls, x: int, others: Sequence[int], given: Sequence[Given]) -> Ask:
        """One test of x and each of `others`, given exactly this."""
        return cls(x, others, [()] * len(others), given, max_size=0)

    @classmethod
    def marginal(cls, x: int, others: Sequence[int]) -> Ask:
        """One test of x and each of `others`, given nothing."""
        return cls.given(x, others, [()] * len(others))


Search = Generator[Sequence[Ask], list[list[Trial]], T]


class Outcome(NamedTuple):
    """What a search returned and the tests it took."""

    value: Any
    tests: int


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search may know: the engine, how many variables there are, how large conditioning sets may get."""

    engine: Engine
    max_given: int | None

    def others(self, x: int) -> list[int]:
        """Every variable but x, in canonical order."""
        return [v for v in range(len(self.engine.variables)) if v != x]


class Lockstep:
    """Runs searches and remembers their outcomes."""

    def __init__(self, engine: Engine, max_given: int | None, reporter: Reporter) -> None:
        self.scope = Scope(engine, max_given)
        self._reporter = reporter
        self._done: dict[tuple[Any, int], Outcome] = {}

    def each(self, search: Callable[[int, Scope], Search[T]], variables: Iterable[int]) -> dict[int, T]:
        """The outcome of ``search(v, scope)`` for every variable v, in the order given."""
        wanted = list(variables)
        new = [v for v in dict.fromkeys(wanted) if (search, v) not in self._done]
        for v, outcome in zip(new, self.run([search(v, self.scope) for v in new]), strict=True):
            self._done[search, v] = outcome
        return {v: cast(T, self._done[search, v].value) for v in wanted}

    def tests(self, search: Callable[[int, Scope], Search[Any]], variables: Iterable[int]) -> int:
        """Tests that the searches of these variables took (each counted once)."""
        return sum(self._done[search, v].tests for v in set(variables))

    def run(self, searches: Sequence[Search[Any]]) -> list[Outcome]:
        """Run the searches side by side until each has returned."""
        values: list[Any] = [None] * len(searches)
        tests = [0] * len(searches)
        waiting: list[tuple[int, Sequence[Ask]]] = []

        def advance(number: int, answers: list[list[Trial]] | None) -> None:
            try:
                asks = next(searches[number]) if answers is None else searches[number].send(answers)
            except StopIteration as stop:
                values[number] = stop.value
            else:
                waiting.append((number, asks))

        for number in range(len(searches)):
            advance(number, None)
        while waiting:
            current, waiting = waiting, []
            answers, counts = self._answer([ask for _, asks in current for ask in asks])
            place = 0
            for number, asks in current:
                mine = slice(place, place + len(asks))
                place = mine.stop
                tests[number] += sum(counts[mine])
                advance(number, answers[mine])
            step = self._reporter.stage("Markov blankets")
            if step is not None:
                step(len(searches) - len(waiting), len(searches))
        return [Outcome(value, count) for value, count in zip(values, tests, strict=True)]

    def _answer(self, asks: Sequence[Ask]) -> tuple[list[list[Trial]], list[int]]:
        """All answers of a round; asks that differ in sizes or stopping go to the engine in separate calls."""
        groups: dict[tuple[int, int | None, str], list[int]] = {}
        for number, ask in enumerate(asks):
            groups.setdefault((ask.min_size, ask.max_size, ask.stop), []).append(number)
        answers: list[list[Trial]] = [[] for _ in asks]
        tests = [0] * len(asks)
        for numbers in groups.values():
            trials, counts = self._separate([asks[number] for number in numbers])
            start = 0
            for number in numbers:
                stop = start + len(asks[number].others)
                answers[number] = trials[start:stop]
                tests[number] = int(counts[start:stop].sum())
                start = stop
        return answers, tests

    def _separate(self, asks: Sequence[Ask]) -> tuple[list[Trial], Any]:
        """One call of the engine for asks that agree in sizes and stopping."""
        lengths = [len(ask.others) for ask in asks]
        pools = [pool for ask in asks for pool in ask.pools]
        if not pools:
            return [], np.zeros(0, np.int64)
        largest = max(map(len, pools), default=0)
        if asks[0].max_size is not None:
            largest = min(largest, asks[0].max_size)
        always = [given for ask in asks for given in ask.always]
        found = self.scope.engine.separate(
            Tasks(
                np.repeat(np.array([ask.x for ask in asks], np.int32), lengths),
                np.array([y for ask in asks for y in ask.others], np.int32),
                Ragged.of(pools),
                always=Ragged.of(always) if any(always) else None,
                min_size=asks[0].min_size,
                max_size=largest,
                stop=asks[0].stop,
            )
        )
        columns = (found.separated, found.record["score_bits"], found.tests)
        rows = zip(*(column.tolist() for column in columns), _rows(found.given), found.record, strict=True)
        # Where no set was tried (a pool too small for min_size) nothing was learned: such a trial loses to any other.
        return [Trial(s, b if t else np.inf, tuple(sorted(g)), r) for s, b, t, g, r in rows], found.tests


def _rows(ragged: Ragged) -> Iterator[list[int]]:
    items, offsets = ragged.items.tolist(), ragged.offsets.tolist()
    return (items[a:b] for a, b in pairwise(offsets))


def without(members: Iterable[int], *dropped: int) -> Given:
    """The members except these, in the order they had."""
    return tuple(v for v in members if v not in dropped)
