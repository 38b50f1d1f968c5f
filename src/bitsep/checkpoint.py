"""Folders with answers of finished steps, so that a search that is started again after an interruption can reuse them.

A search is a function of the answers to its questions. If it is started again with the same data, it asks the same
questions in the same order, finds the answers of finished steps in the folder, and continues from there: the result is
the same, and no state of the search is saved.

An answer depends on the data, the test or score with its options, the version of bitsep, and the question. The first
three are the identity of the folder, which is refused if its identity differs. The question is part of the name of each
file, so searches with other settings can share the folder. Answers about a bootstrap sample also depend on its seed and
on the order of the rows, which are in the name of their folder. Each file repeats a digest of all this, so that a file
that was moved from another folder is noticed. A damaged file counts as missing, so no write waits for the disk.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from bitsep import __version__
from bitsep.data.fingerprint import Fingerprint
from bitsep.errors import ArgumentError, FormatError, ReadError, WriteError, cause
from bitsep.files import path_text, whole_file, write_file

Arrays = dict[str, np.ndarray[Any, Any]]

_IDENTITY = "identity.json"
_FORMAT = 4  # increase it whenever the format of files changes, or answers change between two releases

_KEY = "key"  # the name of the digest in a file

_DIFFERENCE = {
    "data": "of other data",
    "test": "of another test or other options",
    "score": "of another score or other options",
    "bitsep": "of another version of bitsep",
    "format": "of another version of bitsep",
}


class AnswerFolder:
    """Stores answers, arrays by name, in a folder, which is created if it does not exist."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path_text(path, "checkpoint"))
        self._identity = ""
        try:
            self._path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(f"checkpoint: the folder {str(path)!r} cannot be used: {cause(error)}.") from error

    def claim(self, data: Fingerprint, **formula: str) -> None:
        """Write the identity of the answers into the folder, or raise ArgumentError if it has another one.

        `formula` is the test or the score with all its options.
        """
        mine = {"data": data.content, **formula, "bitsep": __version__, "format": _FORMAT}
        self._identity = json.dumps(mine, sort_keys=True)
        path = self._path / _IDENTITY
        try:
            text = path.read_bytes() if path.exists() else None
        except OSError as error:
            raise ReadError(f"checkpoint: {str(path)!r} cannot be read: {cause(error)}.") from error
        if text is None:
            if any(self._path.glob("*.npz")):
                raise self._refused("of an unknown origin")
            write_file(path, json.dumps(mine, indent=1).encode(), "checkpoint")
            return
        try:
            theirs = json.loads(text)
        except (ValueError, RecursionError):
            theirs = None
        if not isinstance(theirs, dict):
            raise FormatError(f"checkpoint: {str(path)!r} is damaged.", hint="Delete the folder to start again.")
        if theirs != mine:
            differences = dict.fromkeys(words for key, words in _DIFFERENCE.items() if theirs.get(key) != mine.get(key))
            raise self._refused(", ".join(differences) or "of an unknown origin")

    def of_sample(self, seed: int, data: Fingerprint) -> AnswerFolder:
        """The folder for the answers about a bootstrap sample."""
        sample = AnswerFolder(self._path / f"sample-{seed}-{data.order}")
        sample._identity = f"{self._identity} {sample._path.name}"
        return sample

    def answer(self, question: str, arrays: Iterable[np.ndarray[Any, Any]], compute: Callable[[], Arrays]) -> Arrays:
        """The stored answer to a question about these arrays; if there is none, it is computed and stored.

        The name of its file begins with the first word of the question. In a folder that was deleted meanwhile nothing
        is stored: the evidence of a finished search, which is computed when it is first used, does not need it.
        """
        digest = hashlib.blake2b(question.encode(), digest_size=16)
        for array in arrays:
            digest.update(f"{array.dtype.str} {len(array)} ".encode())
            digest.update(np.ascontiguousarray(array).data)
        path = self._path / f"{question.split()[0]}-{digest.hexdigest()}.npz"
        key = hashlib.blake2b(f"{self._identity} {path.name}".encode(), digest_size=16).hexdigest()
        known = _load(path, key) if path.exists() else None
        if known is not None:
            return known
        answer = compute()
        if not self._path.is_dir():
            return answer
        with whole_file(path, "checkpoint", sync=False) as draft, draft.open("wb") as file:
            np.savez_compressed(file, **answer, **{_KEY: np.array(key)})  # type: ignore[arg-type]
        return answer

    def _refused(self, whose: str) -> ArgumentError:
        return ArgumentError(
            f"checkpoint: the answers in {str(self._path)!r} are {whose}.",
            hint="Name another folder, or delete this one to start again.",
        )


def _load(path: Path, key: str) -> Arrays | None:
    """The answer in a file; None if the file is damaged, for example by a power failure."""
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            answer = {name: file[name] for name in file.files}
    except Exception:  # NumPy, zipfile and the operating system raise different exceptions
        return None
    if str(answer.pop(_KEY, "")) != key:
        raise FormatError(
            f"checkpoint: {str(path)!r} was written for other data or another question.",
            hint="Delete it; it will be computed again.",
        )
    return answer
