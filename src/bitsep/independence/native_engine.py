"""The engine on a table in memory: counting, statistics and search in native code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.counting import MemoryCounter
from bitsep.errors import ArgumentError
from bitsep.independence.engine import RECORD, Found, Progress, Queries, Ragged, Records, Tasks
from bitsep.independence.methods import NativeMethod
from bitsep.independence.records import result_of
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name
from bitsep.tables import Table


def thread_count(threads: int | None) -> int:
    """All cores by default."""
    if threads is None:
        return os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise ArgumentError(f"threads must be a whole number of at least 1, not {threads!r}")
    return int(threads)


def native_evaluate(
    source: Any, test: Any, queries: Queries, threads: int, progress: Progress | None
) -> npt.NDArray[np.void]:
    """`evaluate` of a native source: a table with a test, or a DAG."""
    raw = source.evaluate(test, queries.x, queries.y, _pair(queries.given), threads, progress)
    return _records(raw)


def native_separate(source: Any, test: Any, tasks: Tasks, threads: int, progress: Progress | None) -> Found:
    """`separate` of a native source: a table with a test, or a DAG."""
    separated, offsets, given, record, has_runner_up, up_offsets, runner_up, up_record, tests = source.separate(
        test,
        tasks.x,
        tasks.y,
        _pair(tasks.first),
        None if tasks.second is None else _pair(tasks.second),
        None if tasks.always is None else _pair(tasks.always),
        tasks.min_size,
        tasks.max_size,
        tasks.stop == "first",
        threads,
        progress,
    )
    return Found(
        separated.view(np.bool_),
        Ragged(offsets, given),
        _records(record),
        has_runner_up.view(np.bool_),
        Ragged(up_offsets, runner_up),
        _records(up_record),
        tests,
    )


class NativeEngine:
    """See `bitsep.independence.engine.Engine`."""

    def __init__(
        self, counter: MemoryCounter, method: NativeMethod, threads: int | None = None, table: Table | None = None
    ) -> None:
        self.table = table  # what the counter counts, for those who want to look at the data again
        self._counter = counter
        self._method = method
        self._threads = thread_count(threads)

    @property
    def variables(self) -> tuple[Name, ...]:
        return self._counter.variables

    @property
    def method(self) -> str:
        return self._method.method.name

    @property
    def alpha(self) -> float | None:
        return self._method.alpha

    @property
    def n_rows(self) -> int:
        return self._counter.n_rows

    def evaluate(self, queries: Queries, progress: Progress | None = None) -> Records:
        return native_evaluate(self._counter.native, self._method.test, queries, self._threads, progress)

    def separate(self, tasks: Tasks, progress: Progress | None = None) -> Found:
        return native_separate(self._counter.native, self._method.test, tasks, self._threads, progress)

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        return result_of(self._counter, self._method, x, y, given, record)

    def resampled(self, seed: int) -> NativeEngine:
        return NativeEngine(self._counter.resampled(seed), self._method, self._threads)


def _pair(rows: Ragged) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    return rows.offsets, rows.items


def _records(raw: npt.NDArray[np.uint8]) -> npt.NDArray[np.void]:
    return raw.view(RECORD)
