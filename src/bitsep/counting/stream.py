"""Counting the chunks of a scan: a pass counts several tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.counting.joint_counts import Joint, VariableSet
from bitsep.counting.partial import Partial, PassPlan, kept_recode, weighted_level_counts
from bitsep.counting.resample import sample_rows
from bitsep.data.budget import Budget, readable
from bitsep.data.encode import Codes, recode_codes
from bitsep.data.fingerprint import RowHasher, Sums
from bitsep.data.scan_encoding import Encoded
from bitsep.data.store import Chunk
from bitsep.errors import ArgumentError
from bitsep.naming import name_key
from bitsep.progress import ProgressCallback

Integers = npt.NDArray[np.int64]

_MIN_TESTS_PER_PASS = 400  # building the bitmaps of all columns takes about the time of this many tests


class StreamPasses:
    """The chunks of a scan as `bitsep.counting.passes.Passes`.

    Parameters
    ----------
    encoded : Encoded
        The chunks and their levels.
    budget : Budget
        The memory limits.
    threads : int
        The number of threads.
    step : callable
        Called after every chunk.
    seed : int, optional
        The seed of the bootstrap sample to count; default: the data themselves.
    """

    min_tests_per_pass = _MIN_TESTS_PER_PASS

    def __init__(
        self, encoded: Encoded, budget: Budget, threads: int, step: ProgressCallback, seed: int | None = None
    ) -> None:
        self._encoded = encoded
        self._budget = budget
        self.cache_bytes = budget.cache
        self._threads = threads
        self._step = step
        self._seed = seed
        order = sorted(range(len(encoded.names)), key=lambda i: name_key(encoded.names[i]))
        self._places = [encoded.places[i] for i in order]
        self.variables = tuple(encoded.names[i] for i in order)
        self._sizes = [len(encoded.levels[i]) for i in order]
        self._recode = [encoded.recode[i] for i in order]
        self.n = encoded.store.weight
        self.passes_made = 0
        if seed is not None:
            self._resample()

    def n_levels(self, variable: int) -> int:
        return self._sizes[variable]

    def resampled(self, seed: int) -> StreamPasses:
        return StreamPasses(self._encoded, self._budget, self._threads, self._step, seed)

    def joint_counts(self, sets: Sequence[VariableSet]) -> list[Joint]:
        longest = max((chunk.rows for chunk in self._encoded.store.chunks), default=0)
        plan = PassPlan.fitting(sets, self._sizes, longest, self._budget.counts)
        partial = Partial(plan, self._budget.counts, self._threads)
        for chunk, codes, rows, weights in self._pass(plan.columns):
            partial.add(codes, rows, weights)
            if len(plan.sets) == 1 and partial.overflowed:
                raise self._too_many_cells(plan.sets[0], chunk.first_row + chunk.rows, partial)
        return partial.joint_counts()

    def _pass(
        self, variables: Sequence[int] | None = None, stage: str | None = None
    ) -> Iterator[tuple[Chunk, list[Codes], int, Integers | None]]:
        """Each chunk with the codes of these variables (default: all), its number of rows and its weights."""
        chunks = self._encoded.store.chunks
        if not chunks:
            raise ArgumentError("data: this scan was closed.", hint="Make a new one.")
        self._encoded.watch.check()
        self.passes_made += 1
        wanted = range(len(self.variables)) if variables is None else variables
        for number, chunk in enumerate(chunks):
            yield chunk, *self._load(chunk, wanted)
            self._step(stage or f"pass {self.passes_made}", number + 1, len(chunks))

    def _load(self, chunk: Chunk, variables: Sequence[int]) -> tuple[list[Codes], int, Integers | None]:
        """The final codes of these variables in a chunk, its rows and weights; resampled if there is a seed."""
        store = self._encoded.store
        codes = store.columns(chunk, [self._places[v] for v in variables])
        weights = store.weights(chunk)
        take, rows = None, chunk.rows
        if self._seed is not None:
            take, weights = sample_rows(self._seed, chunk.first_row, chunk.rows, weights)
            rows = len(take)
        for i, variable in enumerate(variables):
            column = codes[i] if take is None else codes[i][take]
            recode = self._recode[variable]
            codes[i] = column if recode is None else recode_codes(column, recode)
        return codes, rows, weights

    def level_counts(self) -> list[npt.NDArray[Any]]:
        return self._level_counts_and_weight("levels")[0]

    def row_hashes(self, hasher: RowHasher) -> Sums:
        sums = np.zeros(4, np.uint64)
        for chunk, codes, _, weights in self._pass(stage="fingerprint"):
            sums += hasher.sums(codes, weights, chunk.first_row)
        return sums

    def every(self, step: int) -> tuple[list[Codes], Integers | None]:
        parts: list[list[Codes]] = []
        weight_parts: list[Integers] = []
        rows_before = 0
        for _, codes, rows, weights in self._pass(stage="sampling"):
            take = slice(-rows_before % step, None, step)
            parts.append([column[take] for column in codes])
            if weights is not None:
                weight_parts.append(weights[take])
            rows_before += rows
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        return columns, np.concatenate(weight_parts) if weight_parts else None

    def _level_counts_and_weight(self, stage: str) -> tuple[list[npt.NDArray[Any]], int]:
        """The count of each level of each variable, and the sum of the weights."""
        found: list[npt.NDArray[Any]] = [np.zeros(size, np.int64) for size in self._sizes]
        total = 0
        for _, codes, rows, weights in self._pass(stage=stage):
            total += rows if weights is None else int(weights.sum())
            for variable, column in enumerate(codes):
                found[variable] = found[variable] + weighted_level_counts(column, self._sizes[variable], weights)
        return found, total

    def _resample(self) -> None:
        """Find the levels that occur in the bootstrap sample: it does not have the others."""
        found, self.n = self._level_counts_and_weight("resampling")
        for variable, counts in enumerate(found):
            occupied = counts > 0
            self._recode[variable] = kept_recode(self._recode[variable], occupied)
            self._sizes[variable] = int(occupied.sum())

    def _too_many_cells(self, variables: VariableSet, rows: int, partial: Partial) -> ArgumentError:
        used = sum(tally.nbytes for tally in partial.tallies)
        # The number of cells grows at most as fast as the number of rows.
        needed = int(used * self._encoded.store.rows / rows / 0.2) + 1
        names = ", ".join(repr(self.variables[v]) for v in variables)
        return ArgumentError(
            f"memory: too small to count {names} together; up to {readable(needed)} are needed, got "
            f"{readable(self._budget.total)}.",
            hint=f'Give memory="{readable(needed)}", or leave out a column with columns=.',
        )
