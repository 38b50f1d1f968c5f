"""An engine that stores its answers, so that a search that is started again after an interruption can reuse them.

The names of the files depend on the questions (pairs, pools, sizes), so searches with other knowledge, another
max_given or another orientation rule can share a folder; see `bitsep.checkpoint`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bitsep.checkpoint import AnswerFolder
from bitsep.data.contract import EncodedData
from bitsep.independence.engines.base import Engine, Found, Identity, Queries, Records, Tasks
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name
from bitsep.progress import Step


class CheckpointEngine(Engine):
    """Stores the answers of another engine in a folder; see `bitsep.independence.engines.base.Engine`.

    Parameters
    ----------
    engine : Engine
        The engine that computes the answers.
    folder : path
        The folder, created if it does not exist. It belongs to one test on one table.

    Raises
    ------
    ArgumentError
        If the folder belongs to other data, another test or another version, or the engine has no identity.
    """

    def __init__(self, engine: Engine, folder: str | os.PathLike[str]) -> None:
        identity = engine.identity()
        self._set(engine.variables, lambda: engine, AnswerFolder(folder), identity)
        self._folder.claim(identity.data, test=identity.test)

    def _set(
        self, variables: tuple[Name, ...], make: Callable[[], Engine], folder: AnswerFolder, identity: Identity
    ) -> None:
        self._variables = variables
        self._make = make
        self._folder = folder
        self._identity = identity
        self._engine: Engine | None = None

    @property
    def _inner(self) -> Engine:
        # Lazily: a bootstrap sample is not needed if all its answers are stored.
        if self._engine is None:
            self._engine = self._make()
        return self._engine

    @property
    def variables(self) -> tuple[Name, ...]:
        return self._variables

    @property
    def method(self) -> str:
        return self._inner.method

    @property
    def alpha(self) -> float | None:
        return self._inner.alpha

    @property
    def n(self) -> int:
        return self._inner.n

    @property
    def data(self) -> EncodedData | None:
        return self._inner.data

    def level_counts(self, variable: int) -> np.ndarray[Any, Any] | None:
        return self._inner.level_counts(variable)

    def evaluate(self, queries: Queries, step: Step | None = None) -> Records:
        arrays = (queries.x, queries.y, *queries.given.arrays)
        known = self._folder.answer("evaluate", arrays, lambda: {"record": self._inner.evaluate(queries, step)})
        return known["record"]

    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        ragged = [rows for rows in (tasks.first, tasks.second, tasks.always) if rows is not None]
        shape = f"separate {tasks.min_size} {tasks.max_size} {tasks.stop} {tasks.second is None} {tasks.always is None}"
        arrays = (tasks.x, tasks.y, *(array for rows in ragged for array in rows.arrays))
        known = self._folder.answer(shape, arrays, lambda: self._inner.separate(tasks, step).arrays())
        return Found.of(known.values())

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        return self._inner.result(x, y, given, record)

    def identity(self) -> Identity:
        return self._identity

    def resampled(self, seed: int) -> CheckpointEngine:
        sample = object.__new__(CheckpointEngine)
        folder = self._folder.of_sample(seed, self._identity.data)
        sample._set(self._variables, lambda: self._inner.resampled(seed), folder, self._identity)
        return sample
