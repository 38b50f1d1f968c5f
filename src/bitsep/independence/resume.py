"""An engine that writes down its answers, so that a search interrupted and started again asks nothing twice.

A search is a function of the answers it gets. Started again with the same data it asks the same questions in the same
order, finds those of its finished levels answered in the folder, and goes on from there: same result, no state to save.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bitsep.errors import ArgumentError, FormatError, WriteError
from bitsep.files import whole_file, write_file
from bitsep.independence.engine import Engine, Found, Progress, Queries, Ragged, Records, Tasks
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name

_OWNER = "data.txt"


class ResumingEngine:
    """Another engine, with a folder of answers; see `bitsep.independence.engine.Engine`.

    Parameters
    ----------
    engine : Engine
    folder : path
        Made if it is not there. It belongs to one kind of test on one table: of others it is refused.
    """

    def __init__(self, engine: Engine, folder: str | os.PathLike[str]) -> None:
        self._set(engine.variables, lambda: engine, Path(folder))
        owner = self._folder / _OWNER
        mine = _identity(engine)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            theirs = owner.read_text() if owner.exists() else None
            if theirs is None:
                write_file(owner, mine.encode(), "checkpoint")
        except OSError as error:
            raise WriteError(f"checkpoint: {os.fspath(folder)!r} cannot be used: {error}") from error
        if theirs is not None and theirs != mine:
            raise ArgumentError(
                f"checkpoint: the answers in {os.fspath(folder)!r} are about other data, or of another test. "
                "Name another folder, or delete this one to start afresh."
            )

    def _set(self, variables: tuple[Name, ...], make: Callable[[], Engine], folder: Path) -> None:
        self._variables = variables
        self._make = make
        self._folder = folder
        self._engine: Engine | None = None

    @property
    def _inner(self) -> Engine:
        # A bootstrap sample whose answers are all there need not be drawn.
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
    def n_rows(self) -> int:
        return self._inner.n_rows

    def evaluate(self, queries: Queries, progress: Progress | None = None) -> Records:
        path = self._path("evaluate", queries.x, queries.y, *_arrays(queries.given))
        known = _load(path)
        if known is None:
            known = {"record": self._inner.evaluate(queries, progress)}
            _save(path, known)
        return known["record"]

    def separate(self, tasks: Tasks, progress: Progress | None = None) -> Found:
        ragged = [rows for rows in (tasks.first, tasks.second, tasks.always) if rows is not None]
        shape = f"separate {tasks.min_size} {tasks.max_size} {tasks.stop} {tasks.second is None} {tasks.always is None}"
        path = self._path(shape, tasks.x, tasks.y, *(array for rows in ragged for array in _arrays(rows)))
        known = _load(path)
        if known is None:
            known = self._inner.separate(tasks, progress).arrays()
            _save(path, known)
        return Found.of(**known)

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        return self._inner.result(x, y, given, record)

    def resampled(self, seed: int) -> ResumingEngine:
        sample = object.__new__(ResumingEngine)
        sample._set(self._variables, lambda: self._inner.resampled(seed), self._folder / f"sample-{seed}")
        sample._folder.mkdir(exist_ok=True)
        return sample

    def __getattr__(self, name: str) -> Any:
        # What only some engines have (their table, the counts of levels) is for those to offer who ask for it.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inner, name)

    def _path(self, question: str, *arrays: np.ndarray[Any, Any]) -> Path:
        digest = hashlib.blake2b(question.encode(), digest_size=16)
        for array in arrays:
            digest.update(f"{array.dtype.str} {len(array)} ".encode())
            digest.update(np.ascontiguousarray(array).data)
        return self._folder / f"{question.split()[0]}-{digest.hexdigest()}.npz"


def _identity(engine: Engine) -> str:
    """What the answers depend on, in a few words: the names, and how neighbours in their order depend on each other."""
    last = len(engine.variables) - 1
    digest = hashlib.blake2b(repr(engine.variables).encode("utf-8", "surrogatepass"), digest_size=16)
    if last > 0:
        first = np.arange(last, dtype=np.int32)
        digest.update(engine.evaluate(Queries(first, first + np.int32(1), Ragged.empty(last))).tobytes())
    return f"bitsep checkpoint 1: {engine.method} alpha {engine.alpha} rows {engine.n_rows} {digest.hexdigest()}\n"


def _arrays(rows: Ragged) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return rows.offsets, rows.items


def _load(path: Path) -> dict[str, np.ndarray[Any, Any]] | None:
    if not path.exists():
        return None
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except Exception as error:  # NumPy, zipfile and the system each have their own
        raise FormatError(f"checkpoint: {str(path)!r} is damaged: {error}. Delete it; it is computed anew.") from error


def _save(path: Path, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
    with whole_file(path, "checkpoint") as draft, draft.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
