"""The bytes of a CSV file for its readers."""

from __future__ import annotations

import codecs
import io
import re
from pathlib import Path
from typing import Any

from bitsep.data.readers.csv_quotes import QuoteCheck, line_ends
from bitsep.errors import FormatError

_OPENING_QUOTE = re.compile(r'(?:^|[^\w "])"')  # at the start of a field; elsewhere a quote is a character
_MAX_EXPANSION = 100  # bytes of text per byte of a compressed file, if they are more than the next number
_MAX_EXPANDED = 1 << 30
_QUOTED = re.compile(r'(?:[^"]|"")*+"')  # the rest of a quoted field


class CsvText(io.BufferedIOBase):
    """A CSV file decompressed and in UTF-8, with comments as blank lines.

    Errors are a NUL byte in it, and a compressed file that is more than a hundred times as large when decompressed, if
    that is more than a gigabyte: such a file is made to exhaust the memory.

    The CSV reader of pyarrow fails at NUL bytes without an error: it skips rows, or reads the quotes after them as
    text. They are searched for in the bytes, because a column that is not read can also contain them.

    Parameters
    ----------
    path : Path
        The file.
    label : str
        Its name in messages.
    encoding : str
        Its encoding.
    comment : str, optional
        The first character of comment lines.
    delimiter : str, optional
        The delimiter, to check the quotes.
    """

    def __init__(
        self, path: Path, label: str, encoding: str, comment: str | None = None, delimiter: str | None = None
    ) -> None:
        import pyarrow as pa

        self._label = label
        self._encoding = encoding
        self._quotes = None if delimiter is None else QuoteCheck(label, delimiter)
        self._lines = 1
        self._size = 0
        self._raw: Any = pa.input_stream(str(path), compression="detect")
        is_compressed = isinstance(self._raw, pa.CompressedInputStream)
        self._limit = max(_MAX_EXPANDED, _MAX_EXPANSION * path.stat().st_size) if is_compressed else None
        if codecs.lookup(encoding).name != "utf-8":
            self._raw = pa.transcoding_input_stream(self._raw, encoding, "utf-8")
        if comment is not None:
            self._raw = _Uncommented(self._raw, comment)

    @property
    def name(self) -> str:
        return self._label

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        block: bytes = self._raw.read(None if size is None or size < 0 else size)
        self._size += len(block)
        if self._limit is not None and self._size > self._limit:
            raise FormatError(
                f"data: {self.name!r} is more than {_MAX_EXPANSION} times as large when decompressed, with more than "
                f"{self._limit:,} bytes.",
                hint="Decompress it first if you trust it.",
            )
        end = block.find(b"\0")
        if end >= 0:
            raise self._nul_error(self._lines + line_ends(block[:end]))
        if self._quotes is not None:
            self._quotes.read(block.removeprefix(codecs.BOM_UTF8) if self._lines == 1 else block, self._lines)
        self._lines += line_ends(block)
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
            hint='Name its encoding, for instance encoding="utf-16" (--encoding utf-16 in the shell), or check that it '
            "is a CSV file and not of another format.",
        )


class _Uncommented:
    """UTF-8 text in which comment lines are blank, so that the other lines keep their numbers."""

    def __init__(self, raw: Any, comment: str) -> None:
        self._raw = raw
        # Bytes that are not UTF-8 are kept, so that the reader reports them.
        self._lines = io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", newline="")
        self._comment = comment
        self._in_quotes = False
        self._rest = b""

    def read(self, size: int | None) -> bytes:
        parts, length = [self._rest], len(self._rest)
        while size is None or length < size:
            line = self._lines.readline()
            if not line:
                break
            parts.append(self._without_comment(line).encode("utf-8", "surrogateescape"))
            length += len(parts[-1])
        block = b"".join(parts)
        size = len(block) if size is None else size
        self._rest = block[size:]
        return block[:size]

    def close(self) -> None:
        self._lines.close()

    def _without_comment(self, line: str) -> str:
        if not self._in_quotes and line.removeprefix("\ufeff").startswith(self._comment):
            return line[len(line.rstrip("\r\n")) :]
        if '"' in line:
            self._in_quotes = _ends_in_quotes(line, self._in_quotes)
        return line


def _ends_in_quotes(line: str, in_quotes: bool) -> bool:
    r"""Whether a quoted field continues in the next line.

    >>> _ends_in_quotes('5" pipe,"a "" b\n', False), _ends_in_quotes('c",1\n', True), _ends_in_quotes('5"\n', False)
    (True, False, False)
    """
    place = 0
    while True:
        if not in_quotes:
            opening = _OPENING_QUOTE.search(line, place)
            if opening is None:
                return False
            place = opening.end()
        closing = _QUOTED.match(line, place)
        if closing is None:
            return True
        in_quotes, place = False, closing.end()
