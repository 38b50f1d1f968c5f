"""The standard input as a CSV file: it is stored in a temporary file, since it can be read only once."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from bitsep.errors import ReadError

_PATHS = ("-", "/dev/stdin")


def is_standard_input(path: str | os.PathLike[str]) -> bool:
    """Whether a path stands for the standard input."""
    return os.fspath(path) in _PATHS


def shown_path(path: str | os.PathLike[str]) -> str:
    """A path for messages and titles.

    >>> shown_path("-"), shown_path("a.csv")
    ('standard input', 'a.csv')
    """
    return "standard input" if is_standard_input(path) else os.fspath(path)


def stored_input() -> Path:
    """The path of a temporary file with the standard input; it is deleted when the process ends."""
    if sys.stdin is None:
        raise ReadError("data: the standard input is closed.", hint="Name a file, or redirect one: < data.csv.")
    return _stored(sys.stdin)


@lru_cache(maxsize=1)  # a second reader of the same stream would find nothing
def _stored(stream: Any) -> Path:
    with tempfile.NamedTemporaryFile(prefix="bitsep-", suffix=".csv", delete=False) as file:
        path = Path(file.name)
        atexit.register(_delete, path)
        shutil.copyfileobj(stream.buffer, file)
    return path


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
