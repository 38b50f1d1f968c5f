"""The files of a scan: finding them, and detecting changes."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from pathlib import Path

from bitsep.errors import ReadError

_MAGIC = "*?["
_ADDRESS = re.compile(r"(?:https?|ftp|s3|gs)://", re.IGNORECASE)


def found_files(path: str | os.PathLike[str]) -> list[str]:
    """The files of a path or a pattern, sorted; a folder means all data files in it and in its subfolders."""
    text = os.fspath(path)
    if os.path.isdir(text):
        names = [
            os.path.join(folder, name)
            for folder, _, members in os.walk(text)
            for name in members
            # Hidden files, and files of other programs such as _SUCCESS, are not data.
            if not any(part.startswith((".", "_")) for part in Path(folder, name).relative_to(text).parts)
        ]
        if not names:
            raise ReadError(f"data: the folder {text!r} has no files.")
        return sorted(names)
    if os.path.exists(text):
        return [text]
    if any(character in text for character in _MAGIC):
        names = sorted(name for name in glob.glob(text, recursive=True) if os.path.isfile(name))
        if names:
            return names
        raise ReadError(f"data: no file matches {text!r}.", hint="Check the pattern and the working directory.")
    raise no_file(text)


def refuse_address(path: str | os.PathLike[str]) -> None:
    """Raise an error if a path is an address of the web or of a store of objects."""
    address = os.fspath(path)
    if _ADDRESS.match(address):
        raise ReadError(
            f"data: a file on this machine is needed, got the address {address!r}.",
            hint="Download it, or read it with pandas, polars or bitsep.scan (s3://, gs://) in Python.",
        )


def no_file(path: str) -> ReadError:
    """The error for a path that does not exist."""
    return ReadError(f"data: no file {path!r}.", hint="Check the path and the working directory.")


class FileWatch:
    """Stores the size and time of files, to detect changes."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._seen = {path: _stamp(path) for path in paths if os.path.isfile(path)}

    def check(self) -> None:
        """Raise an error if a file has changed."""
        for path, stamp in self._seen.items():
            now = _stamp(path)
            if now != stamp:
                what = "is gone" if now is None else "changed"
                raise ReadError(
                    f"data: {path!r} {what} since the scan read it; counts of old and new rows cannot be combined.",
                    hint="Scan it again when all writing to it is finished.",
                )


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
