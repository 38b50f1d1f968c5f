"""The engine on any counter: batches are processed in rounds, each round one request for counts.

It serves every backend that is counted in passes (a round is one pass that counts all open queries at once), and a
user's own test on any backend. Tasks run side by side: every open task adds its next conditioning set to the round.
Where a round is a pass, tasks add several of their next sets at once, more from round to round: sets that follow a
separator are ignored, so the result is that of one set at a time, in a fraction of the passes.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.counting import Counter, Counts
from bitsep.counting.joint_counts import DenseCounts
from bitsep.data.contract import EncodedData
from bitsep.errors import ArgumentError
from bitsep.independence.criterion import IndependenceCriterion, Judgment, identity_of
from bitsep.independence.engines.base import RECORD, Engine, Found, Identity, Queries, Ragged, Records, Tasks
from bitsep.independence.records import result_of, rows_needed
from bitsep.independence.result import IndependenceResult
from bitsep.independence.tests import NativeMethod
from bitsep.naming import Name
from bitsep.progress import Step

_ROUND = 4096  # queries asked for at once by `evaluate`, of a counter that does not mind how many
_PASS = 1 << 18  # and of one that passes over its data

_Asked = tuple[int, int, tuple[int, ...]]


class PassesEngine(Engine):
    """See `bitsep.independence.engines.base.Engine`. `data` is what the counter counts."""

    def __init__(
        self, counter: Counter, method: NativeMethod | IndependenceCriterion, data: EncodedData | None = None
    ) -> None:
        self._counter = counter
        self._data = data
        self._method = method
        self._min_tests = counter.min_tests_per_pass
        # Judgments of a user's test, where repeating it would cost a pass.
        self._judged: dict[_Asked, tuple[Judgment, tuple[int, int, int]]] = {}

    @property
    def variables(self) -> tuple[Name, ...]:
        return self._counter.variables

    @property
    def method(self) -> str:
        return self._method.method.name if isinstance(self._method, NativeMethod) else self._method.name

    @property
    def alpha(self) -> float | None:
        return self._method.alpha if isinstance(self._method, NativeMethod) else None

    @property
    def places(self) -> Mapping[Name, int]:
        return self._counter.places

    @property
    def n(self) -> int:
        return self._counter.n

    @property
    def data(self) -> EncodedData | None:
        return self._data

    def evaluate(self, queries: Queries, step: Step | None = None) -> Records:
        total = len(queries.x)
        records = np.zeros(total, dtype=RECORD)
        size = _PASS if self._min_tests else _ROUND
        for begin in range(0, total, size):
            batch = range(begin, min(begin + size, total))
            asked = [(int(queries.x[i]), int(queries.y[i]), queries.given[i]) for i in batch]
            for i, query, counts in zip(batch, asked, self._counter.counts_many(asked), strict=True):
                records[i] = self._record(query, counts)
            if step is not None:
                step(batch.stop, total)
        return records

    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        searches = [_Search(tasks, i) for i in range(len(tasks.x))]
        open_searches = [search for search in searches if search.is_open]
        rounds = 0
        while open_searches:
            ahead = self._ahead(len(open_searches), rounds, tasks.stop == "never")
            wanted = [search.ahead(ahead) for search in open_searches]
            asked = [
                (search.x, search.y, given)
                for search, sets in zip(open_searches, wanted, strict=True)
                for given in sets
            ]
            counted = iter(self._counter.counts_many(asked))
            for search, sets in zip(open_searches, wanted, strict=True):
                for given, counts in zip(sets, counted, strict=False):
                    if search.is_open:
                        search.take(self._record((search.x, search.y, given), counts))
            open_searches = [search for search in open_searches if search.is_open]
            rounds += 1
            if step is not None:
                step(len(searches) - len(open_searches), len(searches))
        return _gather(searches)

    def _ahead(self, open_searches: int, rounds: int, all_needed: bool) -> int:
        """How many sets each open search asks for in this round."""
        if not self._min_tests:
            return 1
        if all_needed:
            return max(1, _PASS // open_searches)
        # At least as many as make a pass worth it; doubled from round to round, so that the passes grow with the
        # logarithm of the sets, and the sets asked for in vain stay fewer than those that were needed.
        return int(max(1, self._min_tests // open_searches, 1 << min(rounds, 20)))

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        if isinstance(self._method, NativeMethod):
            return result_of(self._counter, self._method, x, y, given, record)
        asked = (x, y, tuple(given))
        if asked in self._judged:
            judgment, sizes = self._judged[asked]
        else:
            counts = self._counter.counts(x, y, given)
            sizes = counts.kx, counts.ky, counts.kz
            judgment = self._judge(counts)
        names, n = self._counter.variables, int(record["n"])
        return IndependenceResult(
            independent=bool(record["independent"]),
            score_bits=float(record["score_bits"]),
            cmi_bits=float(record["information_bits"]) / n if n else 0.0,
            threshold_bits=float(record["threshold_bits"]),
            n=n,
            method=self._method.name,
            x=names[x],
            y=names[y],
            given=tuple(names[z] for z in given),
            statistic=judgment.statistic,
            df=None if judgment.df is None else int(judgment.df),
            p_value=judgment.p_value,
            small_sample=n < rows_needed(*sizes),
            domain_sizes=sizes,
        )

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        return self._counter.level_counts(variable)

    def identity(self) -> Identity:
        test = self._method.identity if isinstance(self._method, NativeMethod) else identity_of(self._method)
        if self._data is None:
            raise ArgumentError("checkpoint: this engine was made without its data, so it cannot identify them.")
        return Identity(test, self._data.fingerprints())

    def resampled(self, seed: int) -> PassesEngine:
        return PassesEngine(self._counter.resampled(seed), self._method)

    def _record(self, asked: _Asked, counts: Counts | DenseCounts) -> np.void:
        if isinstance(self._method, NativeMethod):
            return _native_record(self._method.test, counts)
        counts = counts.sparse() if isinstance(counts, DenseCounts) else counts
        # All else comes first: a user's own test may write to the counts.
        record, sizes = _native_record(_PLAIN_CMI, counts), (counts.kx, counts.ky, counts.kz)
        judgment = self._judge(counts)
        if self._min_tests:
            self._judged[asked] = judgment, sizes
        n, information = int(record["n"]), float(record["information_bits"])
        record["threshold_bits"] = judgment.threshold_bits
        score = information - judgment.threshold_bits if judgment.score_bits is None else judgment.score_bits
        if math.isnan(score):
            raise ArgumentError(f"method: the score of a judgment of {self._method.name!r} must be a number, got nan.")
        score = _native.rounded_score(score, n)
        record["score_bits"] = score
        record["independent"] = score <= _native.zero_bits(n)
        record["statistic"] = math.nan if judgment.statistic is None else judgment.statistic
        record["df"] = math.nan if judgment.df is None else judgment.df
        return record

    def _judge(self, counts: Counts) -> Judgment:
        assert not isinstance(self._method, NativeMethod)
        judgment = self._method.judge(counts)
        if not isinstance(judgment, Judgment):
            raise ArgumentError(
                f"method: judge(counts) of {self._method.name!r} must return a bitsep.Judgment, got "
                f"{type(judgment).__name__}."
            )
        return judgment


_PLAIN_CMI = _native.Test("cmi")
_NOTHING = _native.Table([np.zeros(0, np.int8)] * 2, [0, 0], 0, None)


def _native_record(test: _native.Test, counts: Counts | DenseCounts) -> np.void:
    """The statistic of counts, by the same native formulas that serve tables in memory."""
    if not (counts.kx and counts.ky and counts.kz_product):  # a column without a single value: no row is left
        nothing: np.void = test.on(_NOTHING, 0, 1, np.zeros(0, np.int32)).view(RECORD)[0]
        return nothing
    sizes = (counts.kx, counts.ky, counts.kz_product)
    if isinstance(counts, DenseCounts):
        raw = test.of_dense_counts(*sizes, counts.cells)
    else:
        raw = test.of_counts(*sizes, counts.stratum, counts.x, counts.y, counts.count)
    record: np.void = raw.view(RECORD)[0]
    return record


class _Search:
    """One task: which set to try next, and the best two so far (the rules of `Found`)."""

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
        """Whether there is a set to try."""
        return bool(self._next)

    def ahead(self, count: int) -> list[tuple[int, ...]]:
        """The next sets to try, at most so many."""
        self._next.extend(islice(self._sets, max(0, count - len(self._next))))
        return list(islice(self._next, count))

    def take(self, record: np.void) -> None:
        """The outcome of the next set."""
        tried = (self._next.popleft(), record)
        self.tests += 1
        ends = self._stop_at_first and bool(record["independent"])
        if self.best is None or ends or record["score_bits"] < self.best[1]["score_bits"]:
            self.best, self.runner_up = tried, self.best
            self.separated = bool(record["independent"])
        elif self.runner_up is None or record["score_bits"] < self.runner_up[1]["score_bits"]:
            self.runner_up = tried
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
