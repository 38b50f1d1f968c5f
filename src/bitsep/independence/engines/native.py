"""The engine on a table in memory: counting, statistics and search in native code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep._native import SkeletonSearch
from bitsep.counting import MemoryCounter
from bitsep.data import Table
from bitsep.independence.engines.base import RECORD, Engine, Found, Identity, Progress, Queries, Ragged, Records, Tasks
from bitsep.independence.records import result_of
from bitsep.independence.result import IndependenceResult
from bitsep.independence.tests import NativeMethod
from bitsep.naming import Name
from bitsep.processors import thread_count


class AnswersNatively:
    """The entries of an engine whose answers come from native code."""

    def __init__(self, source: Any, test: Any, threads: int | None) -> None:
        self._source = source  # a table, with a test, or a DAG
        self._test = test
        self._threads = thread_count(threads)

    def evaluate(self, queries: Queries, progress: Progress | None = None) -> Records:
        raw = self._source.evaluate(self._test, queries.x, queries.y, _pair(queries.given), self._threads, progress)
        return raw.view(RECORD)  # type: ignore[no-any-return]

    def separate(self, tasks: Tasks, progress: Progress | None = None) -> Found:
        raw = self._source.separate(
            self._test,
            tasks.x,
            tasks.y,
            _pair(tasks.first),
            None if tasks.second is None else _pair(tasks.second),
            None if tasks.always is None else _pair(tasks.always),
            tasks.min_size,
            tasks.max_size,
            tasks.stop == "first",
            self._threads,
            progress,
        )
        return Found.of(*raw)

    @property
    def answers_as_made(self) -> bool:
        """Whether nobody put a `separate` of their own in the place of the native one."""
        return type(self).separate is AnswersNatively.separate and "separate" not in vars(self)

    def search(self, search: SkeletonSearch, stage: Callable[[int], Progress | None] | None) -> None:
        """Run the search for a skeleton without coming back to Python between its levels."""
        self._source.search(self._test, search, self._threads, stage)


def raw_of(found: Found) -> tuple[npt.NDArray[Any], ...]:
    """An answer as native code takes it: truth values and records as bytes."""
    return tuple(
        np.ascontiguousarray(array).view(np.uint8) if array.dtype in (np.bool_, RECORD) else array
        for array in found.arrays().values()
    )


class NativeEngine(AnswersNatively, Engine):
    """The engine on a table in memory."""

    def __init__(
        self, counter: MemoryCounter, method: NativeMethod, threads: int | None = None, table: Table | None = None
    ) -> None:
        self.table = table  # what the counter counts, for those who want to look at the data again
        self._counter = counter
        self._method = method
        super().__init__(counter.native, method.test, threads)

    @property
    def variables(self) -> tuple[Name, ...]:
        return self._counter.variables

    @property
    def places(self) -> Mapping[Name, int]:
        """Where each variable stands."""
        return self._counter.places

    @property
    def method(self) -> str:
        return self._method.method.name

    @property
    def alpha(self) -> float | None:
        return self._method.alpha

    @property
    def n_rows(self) -> int:
        return self._counter.n_rows

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        return result_of(self._counter, self._method, x, y, given, record)

    def identity(self) -> Identity:
        assert self.table is not None  # only engines on bootstrap samples and on joined columns have none
        return Identity(self._method.identity, self.table.fingerprints())

    def resampled(self, seed: int) -> NativeEngine:
        return NativeEngine(self._counter.resampled(seed), self._method, self._threads)


def _pair(rows: Ragged) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    return rows.offsets, rows.items
