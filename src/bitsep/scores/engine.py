"""The engine of searches by score: scores of families in batches, and native searches that ask for them.

With data in memory a search runs in native code from beginning to end. With other backends, and with a checkpoint, it
asks for one batch of scores after the other, each computed in as few passes over the data as possible. The checkpoint
of a bootstrap sample in memory keeps only the DAG that was found, since there are many samples and each takes little
time. The result does not depend on the kind of engine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.checkpoint import AnswerFolder, Arrays
from bitsep.counting import Counter
from bitsep.counting.resample import samples_at_once
from bitsep.data.contract import EncodedData
from bitsep.lazy import cached_property
from bitsep.naming import Name
from bitsep.processors import thread_count
from bitsep.progress import Step
from bitsep.scores.families import Family, Lengths, flat_families, observed_rows, score_families
from bitsep.scores.registry import NativeScore

DEFAULT_STARTS = 64


@dataclass(frozen=True, slots=True)
class GraphRules:
    """What a search may do.

    structure_bits : the bits of the structure code for 0, 1, … parents, up to the largest number allowed.
    forbidden : entry (a, b) is true if a must not be a parent of b; None if everything is allowed.
    required : the parents that each variable must have, ascending.
    min_effect : the bits that every parent costs for each row in which its child has a value.
    not_parents : the variables that are parents only where that is required; `forbidden` says the same.
    """

    structure_bits: npt.NDArray[np.float64]
    forbidden: npt.NDArray[np.bool_] | None
    required: Sequence[Sequence[int]]
    min_effect: float = 0.0
    not_parents: frozenset[int] = frozenset()

    @property
    def arguments(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8] | None, list[list[int]], float]:
        """The rules as arguments of native functions."""
        forbidden = None if self.forbidden is None else np.ascontiguousarray(self.forbidden, dtype=np.uint8).ravel()
        return self.structure_bits, forbidden, [list(parents) for parents in self.required], self.min_effect


@dataclass(frozen=True, slots=True)
class FoundDag:
    """The parents of each variable, ascending, and the number of scores computed."""

    parents: list[list[int]]
    scores: int

    @classmethod
    def of(cls, arrays: Arrays) -> FoundDag:
        """The DAG in arrays that `arrays` returned."""
        ends = np.cumsum(arrays["sizes"])[:-1]
        return cls([one.tolist() for one in np.split(arrays["parents"], ends)], int(arrays["scores"][0]))

    def arrays(self) -> Arrays:
        """The DAG as arrays, for a file."""
        sizes = [len(parents) for parents in self.parents]
        flat = [parent for parents in self.parents for parent in parents]
        return {"sizes": np.array(sizes), "parents": np.array(flat, np.int32), "scores": np.array([self.scores])}


class ScoreEngine:
    """Scores families of the variables of a counter, in canonical order of their names.

    `data` are the data of the counter, if they have an identity; `folder` stores the scores, `dags` the DAGs found.
    """

    def __init__(
        self,
        counter: Counter,
        score: NativeScore,
        threads: int | None,
        data: EncodedData | None = None,
        folder: AnswerFolder | None = None,
        dags: AnswerFolder | None = None,
    ) -> None:
        self._counter = counter
        self._score = score
        self._threads = threads
        self._data = data
        self._folder = folder
        self._dags = dags

    @classmethod
    def of(
        cls, data: EncodedData, score: NativeScore, threads: int | None, checkpoint: str | os.PathLike[str] | None
    ) -> ScoreEngine:
        """The engine for these data, with a folder for its scores if `checkpoint` is given."""
        folder = None
        if checkpoint is not None:
            folder = AnswerFolder(checkpoint)
            folder.claim(data.fingerprints(), score=score.identity)
        return cls(data.counter(threads), score, threads, data, folder)

    @property
    def variables(self) -> tuple[Name, ...]:
        return self._counter.variables

    @property
    def n(self) -> int:
        return self._counter.n

    @property
    def data(self) -> EncodedData | None:
        return self._data

    @cached_property
    def observed(self) -> npt.NDArray[np.int64]:
        """The number of rows in which each variable has a value."""
        return observed_rows(self._counter)

    def n_levels(self, variable: int) -> int:
        """The domain size of a variable."""
        return self._counter.n_levels(variable)

    def level_counts(self, variable: int) -> npt.NDArray[Any]:
        """The count of each level of a variable."""
        return self._counter.level_counts(variable)

    def score(self, families: Sequence[Family], step: Step | None = None) -> Lengths:
        """The code lengths of families."""
        if self._folder is None:
            return score_families(self._counter, self._score.score, families, self._threads, step)
        known = self._folder.answer("score", flat_families(families), lambda: self._answer(families, step))
        return Lengths(known["bits"], known["rows"])

    def search_orders(self, rules: GraphRules, starts: int | None, seed: int, step: Step | None = None) -> FoundDag:
        """The DAG that the search over orders finds.

        Parameters
        ----------
        rules : GraphRules
            What it may do.
        starts : int, optional
            The largest number of local searches; default: 64, or fewer where large tables take long to count.
        seed : int
            The seed for random orders.
        step : callable, optional
            Called with the finished and all starts.
        """
        native, domain_sizes, most = self._native_table, None, starts
        if most is None:
            most = DEFAULT_STARTS
            domain_sizes = np.array([float(self.n_levels(v)) for v in range(len(self.variables))])

        def search() -> FoundDag:
            if native is not None:
                parents, _, scores = native.search_orders(
                    self._score.score, *rules.arguments, most, seed, domain_sizes, thread_count(self._threads), step
                )
            else:
                parents, _, scores = _native.search_orders(
                    len(self.variables), self.n, self._lengths, *rules.arguments, most, seed, domain_sizes, step
                )
            return FoundDag(parents, scores)

        return self._stored(f"orders {starts} {seed}", rules, search)

    def climb(self, rules: GraphRules, start: Sequence[Sequence[int]], tabu: int, step: Step | None = None) -> FoundDag:
        """The DAG that hill climbing finds from a DAG that obeys the rules, given as ascending parents."""
        begin, native = [list(parents) for parents in start], self._native_table

        def search() -> FoundDag:
            if native is not None:
                parents, _, scores = native.climb(
                    self._score.score, *rules.arguments, begin, tabu, thread_count(self._threads), step
                )
            else:
                parents, _, scores = _native.climb(
                    len(self.variables), self.n, self._lengths, *rules.arguments, begin, tabu, step
                )
            return FoundDag(parents, scores)

        return self._stored(f"climb {tabu} {begin}", rules, search)

    @property
    def samples_at_once(self) -> int:
        """How many bootstrap samples are searched at the same time, each with one thread; 1: with all threads."""
        return 1 if self._counter.native is None else samples_at_once(self._counter, thread_count(self._threads))

    def resampled(self, seed: int) -> ScoreEngine:
        """The same engine for the bootstrap sample of the rows with this seed."""
        folder = None
        if self._folder is not None:
            assert self._data is not None  # only the engine of a sample has none, and samples are not resampled
            folder = self._folder.of_sample(seed, self._data.fingerprints())
        threads = 1 if self.samples_at_once > 1 else self._threads
        folders = (folder, None) if self._counter.native is None else (None, folder)
        return ScoreEngine(self._counter.resampled(seed), self._score, threads, None, *folders)

    @property
    def _native_table(self) -> _native.Table | None:
        """The data in memory, if the whole search can run there."""
        return self._counter.native if self._folder is None else None

    def _stored(self, question: str, rules: GraphRules, search: Callable[[], FoundDag]) -> FoundDag:
        """The DAG that a search finds, from the folder if it is there."""
        if self._dags is None:
            return search()
        structure_bits, forbidden, required, min_effect = rules.arguments
        arrays = (structure_bits,) if forbidden is None else (structure_bits, forbidden)
        question = f"{question} {required} {min_effect}"
        return FoundDag.of(self._dags.answer(question, arrays, lambda: search().arrays()))

    def _answer(self, families: Sequence[Family], step: Step | None) -> Arrays:
        lengths = score_families(self._counter, self._score.score, families, self._threads, step)
        return {"bits": lengths.bits, "rows": lengths.rows}

    def _lengths(
        self, variables: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64], parents: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """The callback of native searches: scores of families in flat arrays."""
        items, ends = parents.tolist(), offsets.tolist()
        families = [(v, tuple(items[ends[i] : ends[i + 1]])) for i, v in enumerate(variables.tolist())]
        lengths = self.score(families)
        return lengths.bits, lengths.rows
