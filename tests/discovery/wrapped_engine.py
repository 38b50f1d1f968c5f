"""An engine around another one, for tests that watch or interrupt what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bitsep.data.contract import EncodedData
from bitsep.independence.engines.base import Engine, Found, Identity, Queries, Records, Tasks
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name
from bitsep.progress import Step


class WrappedEngine(Engine):
    """Passes everything on to `engine`; `watch` is called with the tasks before each search for separators."""

    def __init__(self, engine: Engine, watch: Callable[[Tasks], None] = lambda tasks: None) -> None:
        self.engine = engine
        self.watch = watch

    @property
    def variables(self) -> tuple[Name, ...]:
        return self.engine.variables

    @property
    def method(self) -> str:
        return self.engine.method

    @property
    def alpha(self) -> float | None:
        return self.engine.alpha

    @property
    def n(self) -> int:
        return self.engine.n

    @property
    def data(self) -> EncodedData | None:
        return self.engine.data

    def level_counts(self, variable: int) -> Any:
        return self.engine.level_counts(variable)

    def evaluate(self, queries: Queries, step: Step | None = None) -> Records:
        return self.engine.evaluate(queries, step)

    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        self.watch(tasks)
        return self.engine.separate(tasks, step)

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        return self.engine.result(x, y, given, record)

    def identity(self) -> Identity:
        return self.engine.identity()

    def resampled(self, seed: int) -> WrappedEngine:
        return WrappedEngine(self.engine.resampled(seed), self.watch)
