"""An engine that stores its answers, so that a search that is started again after an interruption can reuse them.

A search is a function of the answers of its engine. If it is started again with the same data, it asks the same
questions in the same order, finds the answers of finished sizes in the folder, and continues from there: the result is
the same, and no state of the search is saved.

An answer depends on the data, the test with its options, the version of bitsep, and the question. The first three are
the identity of the folder, which is refused if its identity differs. The question (pairs, pools, sizes) is part of the
name of each file, so searches with other knowledge, another max_given or another orientation rule can share the folder.
Answers about a bootstrap sample also depend on its seed and on the order of the rows, which are in the name of their
folder.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bitsep import __version__
from bitsep.data.contract import EncodedData
from bitsep.errors import ArgumentError, FormatError, ReadError, WriteError, cause
from bitsep.files import whole_file, write_file
from bitsep.independence.engines.base import Engine, Found, Identity, Queries, Records, Tasks
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name
from bitsep.progress import Step

_IDENTITY = "identity.json"
_FORMAT = 3  # increase it whenever the format of files changes, or answers change between two releases


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
        self._set(engine.variables, lambda: engine, Path(folder), engine.identity())
        _make_folder(self._folder)
        _claim(self._folder, _described(self._identity))

    def _set(self, variables: tuple[Name, ...], make: Callable[[], Engine], folder: Path, identity: Identity) -> None:
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
        path = self._path("evaluate", queries.x, queries.y, *queries.given.arrays)
        known = _load(path)
        if known is None:
            known = {"record": self._inner.evaluate(queries, step)}
            _save(path, known)
        return known["record"]

    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        ragged = [rows for rows in (tasks.first, tasks.second, tasks.always) if rows is not None]
        shape = f"separate {tasks.min_size} {tasks.max_size} {tasks.stop} {tasks.second is None} {tasks.always is None}"
        path = self._path(shape, tasks.x, tasks.y, *(array for rows in ragged for array in rows.arrays))
        known = _load(path)
        if known is None:
            known = self._inner.separate(tasks, step).arrays()
            _save(path, known)
        return Found.of(known.values())

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        return self._inner.result(x, y, given, record)

    def identity(self) -> Identity:
        return self._identity

    def resampled(self, seed: int) -> CheckpointEngine:
        sample = object.__new__(CheckpointEngine)
        folder = self._folder / f"sample-{seed}-{self._identity.data.order}"
        sample._set(self._variables, lambda: self._inner.resampled(seed), folder, self._identity)
        _make_folder(folder)
        return sample

    def _path(self, question: str, *arrays: np.ndarray[Any, Any]) -> Path:
        digest = hashlib.blake2b(question.encode(), digest_size=16)
        for array in arrays:
            digest.update(f"{array.dtype.str} {len(array)} ".encode())
            digest.update(np.ascontiguousarray(array).data)
        return self._folder / f"{question.split()[0]}-{digest.hexdigest()}.npz"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"checkpoint: the folder {str(folder)!r} cannot be used: {cause(error)}.") from error


def _described(identity: Identity) -> dict[str, Any]:
    return {"data": identity.data.content, "test": identity.test, "bitsep": __version__, "format": _FORMAT}


_DIFFERENCE = {
    "data": "of other data",
    "test": "of another test or other options",
    "bitsep": "of another version of bitsep",
    "format": "of another version of bitsep",
}


def _claim(folder: Path, mine: dict[str, Any]) -> None:
    """Write this identity into the folder, or raise an error if it has another one."""
    path = folder / _IDENTITY
    try:
        text = path.read_bytes() if path.exists() else None
    except OSError as error:
        raise ReadError(f"checkpoint: {str(path)!r} cannot be read: {cause(error)}.") from error
    if text is None:
        if any(folder.glob("*.npz")):
            raise _refused(folder, "of an unknown origin")
        write_file(path, json.dumps(mine, indent=1).encode(), "checkpoint")
        return
    try:
        theirs = json.loads(text)
    except ValueError:
        theirs = None
    if not isinstance(theirs, dict):
        raise FormatError(f"checkpoint: {str(path)!r} is damaged.", hint="Delete the folder to start again.")
    if theirs != mine:
        differences = dict.fromkeys(words for key, words in _DIFFERENCE.items() if theirs.get(key) != mine[key])
        raise _refused(folder, ", ".join(differences) or "of an unknown origin")


def _refused(folder: Path, whose: str) -> ArgumentError:
    return ArgumentError(
        f"checkpoint: the answers in {str(folder)!r} are {whose}.",
        hint="Name another folder, or delete this one to start again.",
    )


def _load(path: Path) -> dict[str, np.ndarray[Any, Any]] | None:
    if not path.exists():
        return None
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except Exception as error:  # NumPy, zipfile and the operating system raise different exceptions
        raise FormatError(
            f"checkpoint: {str(path)!r} is damaged: {cause(error)}.", hint="Delete it; it will be computed again."
        ) from error


def _save(path: Path, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
    with whole_file(path, "checkpoint") as draft, draft.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
