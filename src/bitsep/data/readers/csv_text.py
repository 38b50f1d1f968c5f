"""The bytes of a CSV file for its readers."""

from __future__ import annotations

import codecs
import io
from pathlib import Path
from typing import Any

from bitsep.errors import FormatError


class CsvText(io.BufferedIOBase):
    """A CSV file decompressed and in UTF-8; a NUL byte in it is an error.

    The CSV reader of pyarrow fails at NUL bytes without an error: it skips rows, or reads the quotes after them as
    text. They are searched for in the bytes, because a column that is not read can also contain them.
    """

    def __init__(self, path: Path, encoding: str) -> None:
        import pyarrow as pa

        self._path = path
        self._encoding = encoding
        self._lines = 1
        self._raw: Any = pa.input_stream(str(path), compression="detect")
        if codecs.lookup(encoding).name != "utf-8":
            self._raw = pa.transcoding_input_stream(self._raw, encoding, "utf-8")

    @property
    def name(self) -> str:
        return str(self._path)

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        block: bytes = self._raw.read(None if size is None or size < 0 else size)
        end = block.find(b"\0")
        if end >= 0:
            raise self._nul_error(self._lines + _line_ends(block[:end]))
        self._lines += _line_ends(block)
        return block

    read1 = read

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()

    def _nul_error(self, line: int) -> FormatError:
        return FormatError(
            f"data: {self.name!r}, line {line}: a NUL byte, which a CSV file cannot have; the file is damaged, or has "
            f"another encoding than {self._encoding}.",
            hint='Name its encoding, for instance encoding="utf-16" (--encoding utf-16 in the shell).',
        )


def _line_ends(block: bytes) -> int:
    return block.count(b"\n") or block.count(b"\r")
