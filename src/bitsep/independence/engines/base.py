"""What a search asks: tests, separators and skeletons, in batches.

An engine answers for a fixed set of variables, in canonical order of their names; batches give them by index, so that
order by index *is* order by name. `NativeEngine` answers from a table in memory, `OracleEngine` from a known graph,
`PassesEngine` from the counts of any backend and for a user's own test, `CheckpointEngine` from a folder. A search
cannot tell them apart.
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
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name
from bitsep.progress import Step

if TYPE_CHECKING:
    from bitsep.data.contract import EncodedData
    from bitsep.independence.engines.skeleton import Skeleton, SkeletonQuery

Indices = npt.NDArray[np.int32]

RECORD = np.dtype(
    [
        ("score_bits", "f8"),
        ("information_bits", "f8"),  # n * cmi_bits
        ("threshold_bits", "f8"),
        ("statistic", "f8"),  # NaN where the test has none
        ("df", "f8"),  # NaN where the test has none
        ("n", "i8"),
        ("strata", "i8"),  # observed joint values of Z
        ("independent", "?"),
    ],
    align=True,
)
"""One test as the engines record it. `Engine.result` turns a record into an `IndependenceResult`."""

Records = npt.NDArray[np.void]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of different lengths, flat: row i is ``items[offsets[i]:offsets[i + 1]]``."""

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


@dataclass(frozen=True, slots=True)
class Queries:
    """Tests to make: x[i] against y[i] given the variables in given[i]."""

    x: Indices
    y: Indices
    given: Ragged


@dataclass(frozen=True, slots=True)
class Tasks:
    """Searches for a separator: for each task the subsets of its pools, smallest first, lexicographic.

    For every size from `min_size` to `max_size`: the subsets of ``first[i]``, then those of ``second[i]`` that are
    not subsets of ``first[i]`` (no test is made twice). Each subset is joined with ``always[i]``, which counts
    for no size. Pools are ascending and contain neither x, y nor always.

    stop : "first" ends a task at its first separating subset; "never" tries all and keeps the lowest score.
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
    """What `separate` found, one entry per task.

    ``given[i]`` is the separator where ``separated[i]``, else the conditioning set whose score came lowest (ties: the
    first tried). The runner-up is the lowest-scoring other set that was tried; ``has_runner_up`` says whether there
    was one. Sets include the task's `always`. Where no test was made (``tests[i] == 0``) the record is all zero and
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
        """Flat, by name: what native code and files hold."""
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
    def of(
        cls,
        separated: npt.NDArray[Any],
        given_offsets: npt.NDArray[np.int64],
        given_items: Indices,
        record: npt.NDArray[Any],
        has_runner_up: npt.NDArray[Any],
        runner_up_offsets: npt.NDArray[np.int64],
        runner_up_items: Indices,
        runner_up_record: npt.NDArray[Any],
        tests: npt.NDArray[np.int64],
    ) -> Found:
        """The reverse of `arrays`, also from the bytes of truth values and records."""
        return cls(
            separated.view(np.bool_),
            Ragged(given_offsets, given_items),
            record.view(RECORD),
            has_runner_up.view(np.bool_),
            Ragged(runner_up_offsets, runner_up_items),
            runner_up_record.view(RECORD),
            tests,
        )


@dataclass(frozen=True, slots=True)
class Identity:
    """Everything an engine's answers depend on.

    test : the name of the test and all its options.
    data : fingerprints of the data; bootstrap samples also depend on the order of the rows.
    """

    test: str
    data: Fingerprint


class Engine(ABC):
    """Answers batches of questions about a fixed set of variables; a user's own engine derives from it.

    Searches take an engine in the place of data and recognize it by this class: columns of a table may have any name.
    """

    @property
    @abstractmethod
    def variables(self) -> tuple[Name, ...]:
        """The variables in canonical order; all indices refer to it."""

    @property
    @abstractmethod
    def method(self) -> str:
        """Name of the test."""

    @property
    @abstractmethod
    def alpha(self) -> float | None:
        """The significance level in force, if any."""

    @property
    @abstractmethod
    def n(self) -> int:
        """Sum of the weights of the data, or their number of rows; 0 for an oracle."""

    @property
    def places(self) -> Mapping[Name, int]:
        """The index of each variable."""
        return {name: place for place, name in enumerate(self.variables)}

    @property
    def data(self) -> EncodedData | None:
        """The data the answers are about; None for an oracle, a bootstrap sample and merged columns."""
        return None

    def level_counts(self, variable: int) -> npt.NDArray[Any] | None:
        """How often each level of a variable occurs; None where there are no data."""
        return None

    @abstractmethod
    def evaluate(self, queries: Queries, step: Step | None = None) -> Records:
        """Make every test; one record each, in order."""

    @abstractmethod
    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        """Search a separator for every task."""

    @abstractmethod
    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        """A record as the result a person reads."""

    def find_skeleton(self, query: SkeletonQuery, stages: Callable[[int], Step | None] | None = None) -> Skeleton:
        """The skeleton of PC-stable, by one call of `separate` per size of conditioning sets.

        `stages` gives, for a size, the callback that reports the progress of its batch.
        """
        from bitsep.independence.engines.skeleton import ask_by_size

        return ask_by_size(self, query, stages)

    def identity(self) -> Identity:
        """What the answers depend on. Raises ArgumentError where that is not known."""
        raise ArgumentError(
            f"checkpoint: {type(self).__name__} has no method `identity`, which says what its answers depend on.",
            hint="Define it; see bitsep.independence.engines.base.Engine.",
        )

    @abstractmethod
    def resampled(self, seed: int) -> Engine:
        """The same engine on a bootstrap sample of the rows, drawn with this seed."""
