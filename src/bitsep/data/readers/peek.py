"""The names of a file's columns, without reading the file."""

from __future__ import annotations

from pathlib import Path

from bitsep.data.readers.files import read_file
from bitsep.data.readers.selection import Selection
from bitsep.naming import Name


class _Seen(Exception):  # noqa: N818 -- not an error: the way out of the reader once the names are known
    """Carries the names."""


class _Peek(Selection):
    """A selection that stops the reader as soon as it asks which of the names it wants."""

    def pick(self, names: object) -> tuple[Name, ...]:
        raise _Seen(Selection.pick(self, names))  # type: ignore[arg-type]


def column_names(path: str | Path, encoding: str = "utf-8") -> tuple[Name, ...]:
    """The names of the columns of a CSV or Parquet file, in its order."""
    try:
        read_file(Path(path), _Peek(), encoding)
    except _Seen as seen:
        names: tuple[Name, ...] = seen.args[0]
        return names
    raise AssertionError("a reader that never asked for names")
