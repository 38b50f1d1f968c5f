"""The engine for any counter: batches are processed in rounds, and each round is one request for counts.

It is used for every backend that counts in passes (a round is then one pass that counts all open queries), and for
tests written in Python on any backend. Tasks run in parallel: every open task adds its next conditioning set to the
round. If a round is a pass, tasks add several sets at once, more in each round: sets after a separator are ignored, so
the result is the same as with one set at a time, with fewer passes.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from bitsep import _native
from bitsep.counting import Counter, Counts
from bitsep.counting.joint_counts import DenseCounts
from bitsep.data.contract import EncodedData
from bitsep.errors import ArgumentError
from bitsep.independence.criterion import IndependenceCriterion, Judgment, identity_of
from bitsep.independence.effects import LazyEffect
from bitsep.independence.engines.base import RECORD, CounterEngine, Found, Identity, Queries, Ragged, Records, Tasks
from bitsep.independence.permutations import Permutations, p_value_of, score_of
from bitsep.independence.records import rows_needed
from bitsep.independence.result import IndependenceResult
from bitsep.independence.tests import resolve_method
from bitsep.progress import Step

_TESTS_PER_ROUND = 4096  # of `evaluate`, if the data are in memory
_TESTS_PER_PASS = 1 << 18  # if the data are read in passes

_Query = tuple[int, int, tuple[int, ...]]


class PassesEngine(CounterEngine):
    """See `bitsep.independence.engines.base.Engine`."""

    @property
    def _min_tests(self) -> int:
        return self._counter.min_tests_per_pass

    def evaluate(self, queries: Queries, step: Step | None = None) -> Records:
        total = len(queries.x)
        records = np.zeros(total, dtype=RECORD)
        size = _TESTS_PER_PASS if self._min_tests else _TESTS_PER_ROUND
        for begin in range(0, total, size):
            batch = range(begin, min(begin + size, total))
            tests = [(int(queries.x[i]), int(queries.y[i]), queries.given[i]) for i in batch]
            for i, query, counts in zip(batch, tests, self._counter.counts_many(tests), strict=True):
                records[i] = self._record(query, counts)
            if step is not None:
                step(batch.stop, total)
        return records

    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        searches = [_Search(tasks, i) for i in range(len(tasks.x))]
        open_searches = [search for search in searches if search.is_open]
        rounds = 0
        while open_searches:
            count = self._sets_per_search(len(open_searches), rounds, tasks.stop == "never")
            next_sets = [search.next_sets(count) for search in open_searches]
            tests = [
                (search.x, search.y, given)
                for search, sets in zip(open_searches, next_sets, strict=True)
                for given in sets
            ]
            counted = iter(self._counter.counts_many(tests))
            for search, sets in zip(open_searches, next_sets, strict=True):
                for given, counts in zip(sets, counted, strict=False):
                    if search.is_open:
                        search.take(self._record((search.x, search.y, given), counts))
            open_searches = [search for search in open_searches if search.is_open]
            rounds += 1
            if step is not None:
                step(len(searches) - len(open_searches), len(searches))
        return _gather(searches)

    def _sets_per_search(self, open_searches: int, rounds: int, all_needed: bool) -> int:
        """The number of sets that each open search adds to this round."""
        if not self._min_tests:
            return 1
        if all_needed:
            return max(1, _TESTS_PER_PASS // open_searches)
        # At least so many that a pass pays off; doubled in each round, so that the number of passes is logarithmic in
        # the number of sets, and fewer sets are counted unnecessarily than were needed.
        return int(max(1, self._min_tests // open_searches, 1 << min(rounds, 20)))

    def resampled(self, seed: int) -> PassesEngine:
        return PassesEngine(self._counter.resampled(seed), self._method)

    def _record(self, query: _Query, counts: Counts | DenseCounts) -> np.void:
        """The record of one test, by the same native formulas as for tables in memory."""
        test = self._method.test
        if not (counts.kx and counts.ky and counts.kz_product):  # a column has only missing values: there are no rows
            empty: np.void = test.on(_EMPTY_TABLE, 0, 1, np.zeros(0, np.int32)).view(RECORD)[0]
            return empty
        sizes = (counts.kx, counts.ky, counts.kz_product)
        if isinstance(counts, DenseCounts):
            raw = test.of_dense_counts(*sizes, counts.cells)
        else:
            raw = test.of_counts(*sizes, counts.stratum, counts.x, counts.y, counts.count)
        record: np.void = raw.view(RECORD)[0]
        return record


_EMPTY_TABLE = _native.Table([np.zeros(0, np.int8)] * 2, [0, 0], 0, None)


class CriterionEngine(PassesEngine):
    """The engine for a test written in Python; the native test computes n · CMI."""

    def __init__(
        self,
        counter: Counter,
        criterion: IndependenceCriterion,
        data: EncodedData | None = None,
        min_effect: float = 0.0,
        permutations: Permutations | None = None,
        alpha: float | None = None,
    ) -> None:
        super().__init__(counter, resolve_method("cmi", None, {}), data)
        self._criterion = criterion
        self._min_effect = min_effect
        self._permutations = permutations
        self._alpha = 0.05 if alpha is None else alpha  # of permutation tests
        # Judgments, cached if repeating them would need a pass.
        self._judged: dict[_Query, tuple[Judgment, tuple[int, int, int]]] = {}

    @property
    def method(self) -> str:
        return self._criterion.name

    @property
    def alpha(self) -> float | None:
        return self._alpha if self._permutations else None

    def identity(self) -> Identity:
        demanded = f" min_effect={self._min_effect!r}" if self._min_effect else ""
        return Identity(identity_of(self._criterion) + demanded, super().identity().data)

    def resampled(self, seed: int) -> CriterionEngine:
        return CriterionEngine(self._counter.resampled(seed), self._criterion, min_effect=self._min_effect)

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        query = (x, y, tuple(given))
        if query in self._judged:
            judgment, sizes = self._judged[query]
        else:
            counts = self._counter.counts(x, y, given)
            sizes = counts.kx, counts.ky, counts.kz
            judgment = self._judge(counts)
        names, n, draws = self._counter.variables, int(record["n"]), int(record["draws"])
        score, threshold = float(record["score_bits"]), float(record["threshold_bits"])
        return IndependenceResult(
            independent=bool(record["independent"]),
            score_bits=score,
            cmi_bits=float(record["information_bits"]) / n if n else 0.0,
            threshold_bits=threshold,
            n=n,
            method=self.method,
            x=names[x],
            y=names[y],
            given=tuple(names[z] for z in given),
            alpha=self.alpha,
            statistic=judgment.statistic,
            df=None if judgment.df is None else int(judgment.df),
            p_value=p_value_of(score, threshold, draws) if draws else judgment.p_value,
            permutations=draws or None,
            small_sample=n < rows_needed(*sizes),
            domain_sizes=sizes,
            _effect=LazyEffect(self._counter, x, y, given, self._data),
        )

    def _record(self, query: _Query, counts: Counts | DenseCounts) -> np.void:
        counts = counts.sparse() if isinstance(counts, DenseCounts) else counts
        # The rest is computed first, since a test written in Python may change the counts.
        record, sizes = super()._record(query, counts), (counts.kx, counts.ky, counts.kz)
        copied = counts.copy() if self._permutations is not None else counts
        judgment = self._judge(counts)
        if self._min_tests:
            self._judged[query] = judgment, sizes
        n = int(record["n"])
        demanded = self._min_effect * n
        record["threshold_bits"] = judgment.threshold_bits + demanded
        score = _native.rounded_score(self._score(judgment, float(record["information_bits"])) - demanded, n)
        if self._permutations is not None:
            p_value, record["draws"] = self._permutations.p_value(copied, self._score_of_counts, self._alpha)
            record["threshold_bits"] = -math.log2(self._alpha)
            score = score_of(p_value, self._alpha, n)
        record["score_bits"] = score
        record["independent"] = score <= _native.zero_bits(n)
        record["statistic"] = math.nan if judgment.statistic is None else judgment.statistic
        record["df"] = math.nan if judgment.df is None else judgment.df
        return record

    def _score(self, judgment: Judgment, information: float) -> float:
        score = information - judgment.threshold_bits if judgment.score_bits is None else judgment.score_bits
        if math.isnan(score):
            raise ArgumentError(f"method: the score of a judgment of {self.method!r} must be a number, got nan.")
        return score

    def _score_of_counts(self, counts: Counts) -> float:
        record = super()._record((0, 0, ()), counts)
        n = int(record["n"])
        return _native.rounded_score(self._score(self._judge(counts.copy()), float(record["information_bits"])), n)

    def _judge(self, counts: Counts) -> Judgment:
        judgment = self._criterion.judge(counts)
        if not isinstance(judgment, Judgment):
            raise ArgumentError(
                f"method: judge(counts) of {self.method!r} must return a bitsep.Judgment, got "
                f"{type(judgment).__name__}."
            )
        return judgment


class _Search:
    """One task: the sets to test next, and the best two so far (by the rules of `Found`)."""

    def __init__(self, tasks: Tasks, task: int) -> None:
        self.x, self.y = int(tasks.x[task]), int(tasks.y[task])
        self._stop_at_first = tasks.stop == "first"
        self._sets = _conditioning_sets(tasks, task)
        self._next = deque(islice(self._sets, 1))
        self.tests = 0
        self.separated = False
        self.best: tuple[tuple[int, ...], np.void] | None = None
        self.runner_up: tuple[tuple[int, ...], np.void] | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is another set to test."""
        return bool(self._next)

    def next_sets(self, count: int) -> list[tuple[int, ...]]:
        """The next sets to test, at most `count`."""
        self._next.extend(islice(self._sets, max(0, count - len(self._next))))
        return list(islice(self._next, count))

    def take(self, record: np.void) -> None:
        """Process the record of the next set."""
        tested = (self._next.popleft(), record)
        self.tests += 1
        ends = self._stop_at_first and bool(record["independent"])
        if self.best is None or ends or record["score_bits"] < self.best[1]["score_bits"]:
            self.best, self.runner_up = tested, self.best
            self.separated = bool(record["independent"])
        elif self.runner_up is None or record["score_bits"] < self.runner_up[1]["score_bits"]:
            self.runner_up = tested
        if ends:
            self._next.clear()
        elif not self._next:
            self._next.extend(islice(self._sets, 1))


def _conditioning_sets(tasks: Tasks, task: int) -> Iterator[tuple[int, ...]]:
    first = tasks.first[task]
    second = tasks.second[task] if tasks.second is not None else ()
    always = tasks.always[task] if tasks.always is not None else ()
    for size in range(tasks.min_size, tasks.max_size + 1):
        for subset in combinations(first, size):
            yield tuple(sorted(always + subset))
        if size == 0:
            continue
        for subset in combinations(second, size):
            if not set(subset) <= set(first):
                yield tuple(sorted(always + subset))


def _gather(searches: list[_Search]) -> Found:
    total = len(searches)
    record, runner_up_record = np.zeros(total, dtype=RECORD), np.zeros(total, dtype=RECORD)
    for i, search in enumerate(searches):
        if search.best is not None:
            record[i] = search.best[1]
        if search.runner_up is not None:
            runner_up_record[i] = search.runner_up[1]
    return Found(
        separated=np.array([search.separated for search in searches], dtype=np.bool_),
        given=Ragged.of([search.best[0] if search.best else () for search in searches]),
        record=record,
        has_runner_up=np.array([search.runner_up is not None for search in searches], dtype=np.bool_),
        runner_up=Ragged.of([search.runner_up[0] if search.runner_up else () for search in searches]),
        runner_up_record=runner_up_record,
        tests=np.array([search.tests for search in searches], dtype=np.int64),
    )
