"""The engine for a table in memory: counting, statistics and search in native code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bitsep import _native
from bitsep.counting import Counter
from bitsep.counting.resample import samples_at_once
from bitsep.data.contract import EncodedData
from bitsep.independence.engines.base import RECORD, CounterEngine, Engine, Found, Queries, Records, Tasks
from bitsep.independence.engines.skeleton import Skeleton, SkeletonQuery
from bitsep.independence.tests import NativeMethod
from bitsep.processors import thread_count
from bitsep.progress import Step


class NativeSearchEngine(Engine):
    """An engine whose answers are computed in native code, from a table and a test or from a DAG."""

    def __init__(self, source: _native.Table | _native.Dag, test: Any, threads: int | None) -> None:
        self._source: Any = source
        self._test = test
        self._threads = thread_count(threads)

    def evaluate(self, queries: Queries, step: Step | None = None) -> Records:
        raw = self._source.evaluate(self._test, queries.x, queries.y, queries.given.arrays, self._threads, step)
        return raw.view(RECORD)  # type: ignore[no-any-return]

    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        raw = self._source.separate(
            self._test,
            tasks.x,
            tasks.y,
            tasks.first.arrays,
            None if tasks.second is None else tasks.second.arrays,
            None if tasks.always is None else tasks.always.arrays,
            tasks.min_size,
            tasks.max_size,
            tasks.stop == "first",
            self._threads,
            step,
        )
        return Found.of(raw)

    def find_skeleton(self, query: SkeletonQuery, stages: Callable[[int], Step | None] | None = None) -> Skeleton:
        search = query.native(len(self.variables))
        self._source.search(self._test, search, self._threads, stages)
        return Skeleton(search, query)


class NativeEngine(CounterEngine, NativeSearchEngine):
    """The engine for a table in memory."""

    def __init__(
        self, counter: Counter, method: NativeMethod, threads: int | None = None, data: EncodedData | None = None
    ) -> None:
        assert counter.native is not None
        CounterEngine.__init__(self, counter, method, data)
        NativeSearchEngine.__init__(self, counter.native, method.test, threads)

    @property
    def samples_at_once(self) -> int:
        return samples_at_once(self._counter, self._threads)

    def resampled(self, seed: int) -> NativeEngine:
        threads = 1 if self.samples_at_once > 1 else self._threads
        return NativeEngine(self._counter.resampled(seed), self._method, threads)
