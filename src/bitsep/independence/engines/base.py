"""The engine contract: batches of tests, searches for separators, and skeletons.

An engine has a fixed set of variables, in canonical order of their names; batches refer to them by index, so that the
order by index is the order by name. `NativeEngine` answers from a table in memory, `OracleEngine` from a known graph,
`PassesEngine` from the counts of any backend and for tests written in Python, `CheckpointEngine` from a folder. A
search does not depend on the kind of engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from bitsep.data.fingerprint import Fingerprint
from bitsep.errors import ArgumentError
from bitsep.independence.records import result_of
from bitsep.independence.result import IndependenceResult
from bitsep.independence.tests import NativeMethod
from bitsep.naming import Name
from bitsep.progress import Step

if TYPE_CHECKING:
    from bitsep.counting import Counter
    from bitsep.data.contract import EncodedData
    from bitsep.independence.engines.skeleton import Skeleton, SkeletonQuery

Indices = npt.NDArray[np.int32]

RECORD = np.dtype(
    [
        ("score_bits", "f8"),
        ("information_bits", "f8"),  # n * cmi_bits
        ("threshold_bits", "f8"),
        ("statistic", "f8"),  # NaN if the test has none
        ("df", "f8"),  # NaN if the test has none
        ("n", "i8"),
        ("strata", "i8"),  # observed joint values of Z
        ("independent", "?"),
        ("draws", "u4"),  # tables drawn by a permutation test, else 0
    ],
    align=True,
)
"""The record of one test. `Engine.result` turns a record into an `IndependenceResult`."""

Records = npt.NDArray[np.void]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of different lengths in one array: row i is ``items[offsets[i]:offsets[i + 1]]``."""

    offsets: npt.NDArray[np.int64]
    items: Indices

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]]) -> Ragged:
        rows = list(rows)
        offsets = np.array(list(accumulate(map(len, rows), initial=0)), dtype=np.int64)
        return cls(offsets, np.array(list(chain.from_iterable(rows)), dtype=np.int32))

    @classmethod
    def empty(cls, rows: int) -> Ragged:
        return cls(np.zeros(rows + 1, dtype=np.int64), np.zeros(0, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> tuple[int, ...]:
        return tuple(self.items[self.offsets[row] : self.offsets[row + 1]].tolist())

    @property
    def arrays(self) -> tuple[npt.NDArray[np.int64], Indices]:
        """The offsets and the items, as in native code."""
        return self.offsets, self.items


@dataclass(frozen=True, slots=True)
class Queries:
    """Tests to make: x[i] and y[i] given the variables in given[i]."""

    x: Indices
    y: Indices
    given: Ragged


@dataclass(frozen=True, slots=True)
class Tasks:
    """Searches for separators: each task tests the subsets of its pools, ordered by size, then lexicographically.

    For every size from `min_size` to `max_size` these are the subsets of ``first[i]``, then those of ``second[i]``
    that are not subsets of ``first[i]`` (no test is made twice). Each subset is united with ``always[i]``, which does
    not count towards the size. Pools are ascending and do not contain x, y or variables of `always`.

    stop : "first" ends a task at its first separator; "never" tests all subsets and returns the lowest score.
    """

    x: Indices
    y: Indices
    first: Ragged
    second: Ragged | None = None
    always: Ragged | None = None
    min_size: int = 0
    max_size: int = 0
    stop: Literal["first", "never"] = "first"


@dataclass(frozen=True, slots=True)
class Found:
    """The results of `separate`, with one entry per task.

    ``given[i]`` is the separator if ``separated[i]``, otherwise the conditioning set with the lowest score (ties: the
    first one tested). The runner-up is the other set with the lowest score; ``has_runner_up`` is false if there is
    none. Sets include `always` of the task. If no test was made (``tests[i] == 0``), the record is zero and
    ``separated[i]`` is false.
    """

    separated: npt.NDArray[np.bool_]
    given: Ragged
    record: Records
    has_runner_up: npt.NDArray[np.bool_]
    runner_up: Ragged
    runner_up_record: Records
    tests: npt.NDArray[np.int64]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The flat arrays by name, as in native code and in files."""
        return {
            "separated": self.separated,
            "given_offsets": self.given.offsets,
            "given_items": self.given.items,
            "record": self.record,
            "has_runner_up": self.has_runner_up,
            "runner_up_offsets": self.runner_up.offsets,
            "runner_up_items": self.runner_up.items,
            "runner_up_record": self.runner_up_record,
            "tests": self.tests,
        }

    @classmethod
    def of(cls, arrays: Iterable[npt.NDArray[Any]]) -> Found:
        """The inverse of `arrays`, in the same order; truth values and records can also be bytes."""
        separated, offsets, items, record, has_runner_up, other_offsets, other_items, other_record, tests = arrays
        return cls(
            separated.view(np.bool_),
            Ragged(offsets, items),
            record.view(RECORD),
            has_runner_up.view(np.bool_),
            Ragged(other_offsets, other_items),
            other_record.view(RECORD),
            tests,
        )


@dataclass(frozen=True, slots=True)
class Identity:
    """Everything that the answers of an engine depend on.

    test : the name of the test and all its options.
    data : fingerprints of the data; bootstrap samples also depend on the order of the rows.
    """

    test: str
    data: Fingerprint


class Engine(ABC):
    """Answers batches of questions about a fixed set of variables; engines written by users derive from it.

    Searches accept an engine in place of data and recognize it by this class.
    """

    @property
    @abstractmethod
    def variables(self) -> tuple[Name, ...]:
        """The variables in canonical order; all indices refer to it."""

    @property
    @abstractmethod
    def method(self) -> str:
        """The name of the test."""

    @property
    @abstractmethod
    def alpha(self) -> float | None:
        """The significance level used, if any."""

    @property
    @abstractmethod
    def n(self) -> int:
        """The sum of the weights, or without weights the number of rows; 0 for an oracle."""

    @property
    def places(self) -> Mapping[Name, int]:
        """The index of each variable."""
        return {name: index for index, name in enumerate(self.variables)}

    @property
    def data(self) -> EncodedData | None:
        """The data behind the answers; None for an oracle, a bootstrap sample and merged columns."""
        return None

    def level_counts(self, variable: int) -> npt.NDArray[Any] | None:
        """The count of each level of a variable; None if there are no data."""
        return None

    @abstractmethod
    def evaluate(self, queries: Queries, step: Step | None = None) -> Records:
        """Make all tests; returns one record per test, in order."""

    @abstractmethod
    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        """Search for a separator for every task."""

    @abstractmethod
    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        """The result of a test from its record."""

    def find_skeleton(self, query: SkeletonQuery, stages: Callable[[int], Step | None] | None = None) -> Skeleton:
        """The skeleton of PC-stable, by one call of `separate` per size of conditioning sets.

        `stages` returns, for a size, the callback that reports the progress of its batch.
        """
        from bitsep.independence.engines.skeleton import search_by_size

        return search_by_size(self, query, stages)

    def identity(self) -> Identity:
        """What the answers depend on; raises ArgumentError if that is unknown."""
        raise ArgumentError(
            f"checkpoint: {type(self).__name__} has no method `identity`, which says what its answers depend on.",
            hint="Define it; see bitsep.independence.engines.base.Engine.",
        )

    @property
    def samples_at_once(self) -> int:
        """How many bootstrap samples are searched at the same time, each with one thread; 1: with all threads."""
        return 1

    @abstractmethod
    def resampled(self, seed: int) -> Engine:
        """The same engine for the bootstrap sample of the rows with this seed."""


class CounterEngine(Engine):
    """What engines on a counter have in common. `data` are the data of the counter, if they have an identity."""

    def __init__(self, counter: Counter, method: NativeMethod, data: EncodedData | None = None) -> None:
        self._counter = counter
        self._method = method
        self._data = data

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
    def places(self) -> Mapping[Name, int]:
        return self._counter.places

    @property
    def n(self) -> int:
        return self._counter.n

    @property
    def data(self) -> EncodedData | None:
        return self._data

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        return self._counter.level_counts(variable)

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        return result_of(self._counter, self._method, x, y, given, record, self._data)

    def identity(self) -> Identity:
        if self._data is None:  # bootstrap samples and merged columns
            raise ArgumentError("checkpoint: this engine was made without its data, so it cannot identify them.")
        return Identity(self._method.identity, self._data.fingerprints())
