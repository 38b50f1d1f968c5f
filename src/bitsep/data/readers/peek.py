"""The names of the columns of a file, without reading its rows."""

from __future__ import annotations

from pathlib import Path

from bitsep.data.readers.files import read_file
from bitsep.data.readers.selection import Selection
from bitsep.naming import Name


class _Found(Exception):  # noqa: N818 -- not an error: it ends the reader when the names are known
    """Contains the names."""


class _Peek(Selection):
    """A selection that ends the reader when it selects columns."""

    def pick(self, names: object) -> tuple[Name, ...]:
        raise _Found(Selection.pick(self, names))  # type: ignore[arg-type]


def column_names(path: str | Path, encoding: str = "utf-8") -> tuple[Name, ...]:
    """The names of the columns of a CSV or Parquet file, in the order of the file."""
    try:
        read_file(Path(path), _Peek(), encoding)
    except _Found as found:
        names: tuple[Name, ...] = found.args[0]
        return names
    raise AssertionError("a reader that never asked for names")
