"""Counting on a Spark cluster: every pass is one job."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.counting.joint_counts import Joint, VariableSet
from bitsep.counting.partial import Partial, PassPlan, kept_recode
from bitsep.counting.spark_workers import (
    CountPartition,
    HashPartition,
    LevelsOfPartition,
    Sample,
    ThinPartition,
    count_schema,
)
from bitsep.data.budget import Budget, readable
from bitsep.data.encode import Codes, code_type, recode_missing
from bitsep.data.fingerprint import RowHasher, Sums
from bitsep.data.spark.encoding import CHUNK_ROWS
from bitsep.data.spark.jobs import as_function, small_batches
from bitsep.errors import ArgumentError
from bitsep.naming import Name
from bitsep.progress import ProgressCallback

_MIN_TESTS_PER_PASS = 2000  # the latency of a job is about the time of this many tests


class SparkPasses:
    """Encoded chunks on a cluster as `bitsep.counting.passes.Passes`.

    Parameters
    ----------
    chunks : Spark data frame
        The chunks, see `bitsep.data.spark.encoding`.
    variables : tuple of names
        The variables in canonical order: chunk column c0 is the first.
    sizes : sequence of int
        The domain size of each variable.
    weighted : bool
        Whether rows have weights.
    rows_before : dict
        For each partition, the number of rows in the partitions before it.
    n : int
        The sum of the weights.
    budget : Budget
        The memory limits.
    step : callable
        Called after every pass.
    """

    min_tests_per_pass = _MIN_TESTS_PER_PASS

    def __init__(
        self,
        chunks: Any,
        variables: tuple[Name, ...],
        sizes: Sequence[int],
        weighted: bool,
        rows_before: dict[int, int],
        n: int,
        budget: Budget,
        step: ProgressCallback,
    ) -> None:
        self._chunks = chunks
        self.variables = variables
        self._sizes = tuple(sizes)
        self._weighted = weighted
        self._rows_before = rows_before
        self.n = n
        self._budget = budget
        self.cache_bytes = budget.cache
        self._step = step
        self._types = tuple(np.dtype(code_type(size)).str for size in sizes)
        self._recode: tuple[Codes | None, ...] = (None,) * len(variables)
        self._sample: Sample | None = None
        self.passes_made = 0

    def n_levels(self, variable: int) -> int:
        return self._sizes[variable]

    def select(self, variables: tuple[Name, ...]) -> SparkPasses:
        """The same rows with these variables only, in canonical order."""
        kept = [self.variables.index(name) for name in variables]
        selected = copy.copy(self)
        selected.variables = variables
        selected._sizes = tuple(self._sizes[v] for v in kept)
        selected._types = tuple(self._types[v] for v in kept)
        selected._recode = tuple(self._recode[v] for v in kept)
        selected._chunks = self._columns(kept).toDF(*self._head, *(f"c{place}" for place in range(len(kept))))
        selected.passes_made = 0
        return selected

    def with_missing_level(self, names: Sequence[Name]) -> SparkPasses:
        """The same rows with missing values as the last level of these variables."""
        found = copy.copy(self)
        sizes, recode = list(self._sizes), list(self._recode)
        for v in map(self.variables.index, names):
            recode[v] = recode_missing(recode[v], sizes[v])
            sizes[v] += 1
        found._sizes, found._recode = tuple(sizes), tuple(recode)
        found.passes_made = 0
        return found

    def recoded(self, changes: Mapping[Name, tuple[Codes, int]]) -> SparkPasses:
        """The same rows, with a new code for each code of some variables, and their new domain sizes."""
        recoded = copy.copy(self)
        recoded._recode = tuple(
            _composed(old, changes[name][0]) if name in changes else old
            for name, old in zip(self.variables, self._recode, strict=True)
        )
        recoded._sizes = tuple(
            changes[name][1] if name in changes else old for name, old in zip(self.variables, self._sizes, strict=True)
        )
        recoded.passes_made = 0
        return recoded

    def joint_counts(self, sets: Sequence[VariableSet]) -> list[Joint]:
        plan = PassPlan.fitting(sets, self._sizes, CHUNK_ROWS, self._budget.counts)
        while True:
            counted = self._count(plan)
            if counted is not None:
                return counted
            if len(plan.sparse) == 1:
                raise self._too_many_cells(plan.sparse[0])
            keep = max(1, len(plan.sets) // 2)
            plan = replace(plan, sets=plan.sets[:keep], is_dense=plan.is_dense[:keep])

    def _count(self, plan: PassPlan) -> list[Joint] | None:
        """Run one job; None if there are too many counts for the driver."""
        driver = Partial(plan, self._budget.total, drop_tallies=False)
        words = max([1, *(tally.words for tally in driver.tallies)])
        worker = CountPartition(plan, self._budget.counts, self._types, self._recode, self._sample)
        limit = self._budget.counts // (8 * (words + 2)) if plan.sparse else None
        numbers, keys, count = self._job(plan.columns, worker, words, limit)
        if limit is not None and len(count) > limit:
            return None
        dense = numbers < 0
        driver.cells[keys[0][dense]] = count[dense]
        for number, tally in enumerate(driver.tallies):
            rows = numbers == number
            tally.add_cells(np.stack([key[rows] for key in keys[: tally.words]]), count[rows])
        return driver.joint_counts()

    def _job(
        self, variables: Sequence[int], worker: Any, words: int, limit: int | None
    ) -> tuple[npt.NDArray[np.int32], list[npt.NDArray[np.int64]], npt.NDArray[np.int64]]:
        """Run the worker on every partition and let Spark add up its counts; at most `limit` + 1 rows are returned."""
        from pyspark.sql import functions as fn

        names = [f"k{i}" for i in range(words)]
        counts = (
            self._columns(variables)
            .mapInArrow(as_function(worker), count_schema(words))
            .groupBy("set", *names)
            .agg(fn.sum("n").alias("n"))
        )
        if limit is not None:
            counts = counts.limit(limit + 1)
        table = self._collected(counts)
        return table["set"].to_numpy(), [table[name].to_numpy() for name in names], table["n"].to_numpy()

    def _columns(self, variables: Iterable[int]) -> Any:
        """The chunks with the codes of these variables only."""
        return self._chunks.select(*self._head, *(f"c{v}" for v in variables))

    @property
    def _head(self) -> tuple[str, ...]:
        """The columns of the chunks that are not variables."""
        return ("part", "first_row", "rows", *(("w",) if self._weighted else ()))

    def _collected(self, rows: Any) -> Any:
        """Run the job that computes these rows, and collect them on the driver."""
        self.passes_made += 1
        with small_batches(self._chunks.sparkSession):
            table = rows.toArrow()
        self._step(f"pass {self.passes_made}", 1, 1)
        return table

    def row_hashes(self, hasher: RowHasher) -> Sums:
        worker = HashPartition(hasher, self._types, self._recode, self._rows_before)
        hashed = self._columns(range(len(self.variables))).mapInArrow(as_function(worker), HashPartition.SCHEMA)
        table = self._collected(hashed)
        # The sums are added here because Spark raises an error if they overflow.
        sums = [np.sum(table[name].to_numpy().view(np.uint64)) for name in table.column_names]
        return np.array(sums, np.uint64)

    def level_counts(self) -> list[npt.NDArray[Any]]:
        return self._level_counts_and_weight()[0]

    def _level_counts_and_weight(self) -> tuple[list[npt.NDArray[Any]], int]:
        """The count of each level of each variable, and the sum of the weights."""
        worker = LevelsOfPartition(self._sizes, self._types, self._recode, self._sample)
        numbers, [keys], count = self._job(list(range(len(self.variables))), worker, 1, None)
        found: list[npt.NDArray[Any]] = []
        for variable, size in enumerate(self._sizes):
            counts = np.zeros(size, np.int64)
            rows = numbers == variable
            counts[keys[rows]] = count[rows]
            found.append(counts)
        return found, int(count[numbers < 0].sum())

    def resampled(self, seed: int) -> SparkPasses:
        sample = object.__new__(SparkPasses)
        sample.__dict__.update(self.__dict__)
        sample._sample = Sample(seed, self._rows_before)
        found, sample.n = sample._level_counts_and_weight()
        occupied = [counts > 0 for counts in found]
        sample._sizes = tuple(int(one.sum()) for one in occupied)
        sample._recode = tuple(map(kept_recode, self._recode, occupied))
        return sample

    def every(self, step: int) -> tuple[list[Codes], npt.NDArray[np.int64] | None]:
        variables = range(len(self.variables))
        worker = ThinPartition(step, self._types, self._recode, self._sample, self._rows_before)
        rows = self._columns(variables).mapInArrow(as_function(worker), worker.schema(weighted=self._weighted))
        table = self._collected(rows)
        columns = [_joined(table[f"c{v}"], np.int32) for v in variables]
        return columns, _joined(table["w"], np.int64) if self._weighted else None

    def _too_many_cells(self, variables: VariableSet) -> ArgumentError:
        names = ", ".join(repr(self.variables[v]) for v in variables)
        return ArgumentError(
            f"memory: too small for the occupied cells of {names} on the driver; at most "
            f"{readable(40 * 5 * self.n)} are needed, got {readable(self._budget.total)}.",
            hint="Give more with memory=, or leave out a column with columns=.",
        )


def _composed(first: Codes | None, then: Codes) -> Codes:
    """The code after both steps for each code; the last entry is for missing values, −1."""
    return then if first is None else then.take(first)


def _joined(parts: Any, kind: Any) -> npt.NDArray[Any]:
    """One array from the bytes of its parts."""
    return np.frombuffer(b"".join(parts.to_pylist()), kind)
