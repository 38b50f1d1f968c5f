"""Runs the searches of many variables in lock step, so that every round is one call of the engine.

The search for one variable is a generator, written as in a textbook: it yields questions (`Question`) and receives
the answers (`Answer`). The driver combines the questions of all running searches into one batch. Results of searches
are cached, so the neighbors of a variable are searched for only once.
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


class Answer(NamedTuple):
    """The lowest-scoring conditioning set of one search for a separator."""

    separated: bool
    score: float
    given: Given
    record: np.void

    def lower(self, other: Answer) -> Answer:
        """The answer with the lower score; ties go to the smaller set, then to the first by name."""
        own, others = (self.score, len(self.given), self.given), (other.score, len(other.given), other.given)
        return self if own <= others else other


@dataclass(frozen=True, slots=True)
class Question:
    """Which subset of a pool, united with `always`, separates x from each of `others`."""

    x: int
    others: Sequence[int]
    pools: Sequence[Given]
    always: Sequence[Given]
    min_size: int = 0
    max_size: int | None = None
    stop: Literal["first", "never"] = "never"

    @classmethod
    def given(cls, x: int, others: Sequence[int], given: Sequence[Given]) -> Question:
        """One test of x and each of `others`, given exactly these sets."""
        return cls(x, others, [()] * len(others), given, max_size=0)

    @classmethod
    def marginal(cls, x: int, others: Sequence[int]) -> Question:
        """One test of x and each of `others`, given nothing."""
        return cls.given(x, others, [()] * len(others))


Search = Generator[Sequence[Question], list[list[Answer]], T]


class SearchResult(NamedTuple):
    """The value that a search returned and the number of its tests."""

    value: Any
    tests: int


@dataclass(frozen=True, slots=True)
class Scope:
    """The arguments of a search: the engine, the largest size of conditioning sets, and what none of them contains."""

    engine: Engine
    max_given: int | None
    never_given: frozenset[int] = frozenset()

    def may_be_given(self, v: int) -> bool:
        """Whether conditioning sets may contain the variable."""
        return self.max_given != 0 and v not in self.never_given

    def others(self, x: int) -> list[int]:
        """All variables except x, in canonical order."""
        return [v for v in range(len(self.engine.variables)) if v != x]


class Lockstep:
    """Runs searches and caches their results."""

    def __init__(self, scope: Scope, reporter: Reporter) -> None:
        self.scope = scope
        self._reporter = reporter
        self._done: dict[tuple[Any, int], SearchResult] = {}

    def each(self, search: Callable[[int, Scope], Search[T]], variables: Iterable[int]) -> dict[int, T]:
        """The result of ``search(v, scope)`` for every variable v, in the order given."""
        wanted = list(variables)
        new = [v for v in dict.fromkeys(wanted) if (search, v) not in self._done]
        for v, result in zip(new, self.run([search(v, self.scope) for v in new]), strict=True):
            self._done[search, v] = result
        return {v: cast(T, self._done[search, v].value) for v in wanted}

    def tests(self, search: Callable[[int, Scope], Search[Any]], variables: Iterable[int]) -> int:
        """The number of tests of the searches for these variables (each counted once)."""
        return sum(self._done[search, v].tests for v in set(variables))

    def run(self, searches: Sequence[Search[Any]]) -> list[SearchResult]:
        """Run the searches in lock step until all have returned."""
        values: list[Any] = [None] * len(searches)
        tests = [0] * len(searches)
        waiting: list[tuple[int, Sequence[Question]]] = []

        def advance(number: int, answers: list[list[Answer]] | None) -> None:
            try:
                questions = next(searches[number]) if answers is None else searches[number].send(answers)
            except StopIteration as stop:
                values[number] = stop.value
            else:
                waiting.append((number, questions))

        for number in range(len(searches)):
            advance(number, None)
        while waiting:
            current, waiting = waiting, []
            answers, counts = self._answer([question for _, questions in current for question in questions])
            start = 0
            for number, questions in current:
                own = slice(start, start + len(questions))
                start = own.stop
                tests[number] += sum(counts[own])
                advance(number, answers[own])
            step = self._reporter.stage("Markov blankets")
            if step is not None:
                step(len(searches) - len(waiting), len(searches))
        return [SearchResult(value, count) for value, count in zip(values, tests, strict=True)]

    def _answer(self, questions: Sequence[Question]) -> tuple[list[list[Answer]], list[int]]:
        """The answers to all questions of a round; each combination of sizes and stopping rule is one engine call."""
        groups: dict[tuple[int, int | None, str], list[int]] = {}
        for number, question in enumerate(questions):
            groups.setdefault((question.min_size, question.max_size, question.stop), []).append(number)
        answers: list[list[Answer]] = [[] for _ in questions]
        tests = [0] * len(questions)
        for numbers in groups.values():
            found, counts = self._separate([questions[number] for number in numbers])
            start = 0
            for number in numbers:
                stop = start + len(questions[number].others)
                answers[number] = found[start:stop]
                tests[number] = int(counts[start:stop].sum())
                start = stop
        return answers, tests

    def _separate(self, questions: Sequence[Question]) -> tuple[list[Answer], Any]:
        """One call of the engine for questions with the same sizes and stopping rule.

        Variables that must not be given are taken out of all sets.
        """
        lengths = [len(question.others) for question in questions]
        never = self.scope.never_given
        pools = [without(pool, *never) for question in questions for pool in question.pools]
        if not pools:
            return [], np.zeros(0, np.int64)
        largest = max(map(len, pools), default=0)
        if questions[0].max_size is not None:
            largest = min(largest, questions[0].max_size)
        always = [without(given, *never) for question in questions for given in question.always]
        found = self.scope.engine.separate(
            Tasks(
                np.repeat(np.array([question.x for question in questions], np.int32), lengths),
                np.array([y for question in questions for y in question.others], np.int32),
                Ragged.of(pools),
                always=Ragged.of(always) if any(always) else None,
                min_size=questions[0].min_size,
                max_size=largest,
                stop=questions[0].stop,
            )
        )
        columns = (found.separated, found.record["score_bits"], found.tests)
        rows = zip(*(column.tolist() for column in columns), _rows(found.given), found.record, strict=True)
        # If no set was tested (a pool smaller than min_size), the infinite score makes any other answer lower.
        return [Answer(s, b if t else np.inf, tuple(sorted(g)), r) for s, b, t, g, r in rows], found.tests


def _rows(ragged: Ragged) -> Iterator[list[int]]:
    items, offsets = ragged.items.tolist(), ragged.offsets.tolist()
    return (items[a:b] for a, b in pairwise(offsets))


def without(members: Iterable[int], *dropped: int) -> Given:
    """The members except these, in the same order."""
    return tuple(v for v in members if v not in dropped)
