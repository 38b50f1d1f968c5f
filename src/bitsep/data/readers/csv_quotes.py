"""The quotes of a CSV file: a quoted field must be closed, and end at its closing quote.

Without this check a quote that is not closed swallows the rows after it: the CSV reader of pyarrow reads them as the
text of one field, up to the next quote or the end of the file.
"""

from __future__ import annotations

import re

from bitsep.errors import FormatError

_MAX_FIELD = 1 << 24  # bytes of a quoted field; no field that is longer than a block of the reader can be read
_QUOTED = rb'"[^"]*+(?:""[^"]*+)*+'  # a quoted field without its closing quote


class QuoteCheck:
    """Checks a CSV file in UTF-8, block by block; a quote inside a field without quotes is a character like any other.

    Parameters
    ----------
    label : str
        The name of the file in messages.
    delimiter : str
        Its delimiter.
    """

    def __init__(self, label: str, delimiter: str) -> None:
        self._label = label
        ends = rb"[%b\r\n]" % re.escape(delimiter.encode())
        # A quoted field with what follows up to the next quote, a text without quotes, or a quote inside a field. For
        # speed, quoted fields without quotes inside that follow a quoted field are read along with it.
        plain = rb'(?:"[^"]*+"%b)*+' % ends
        self._valid = re.compile(rb'(?:(?<=%b)%b"%b%b[^"]*+|[^"]++|(?<!%b)")*+' % (ends, _QUOTED, ends, plain, ends))
        self._quoted = re.compile(_QUOTED)
        self._before = b"\n"  # the last byte that was checked
        self._rest = b""  # a field that is not closed yet, or whose closing quote is the last byte
        self._line = 0  # where it begins

    def read(self, block: bytes, line: int) -> None:
        """Check the next block, which begins in this line; at the end of the file it is empty."""
        if b'"' not in block and not self._rest:
            self._before = block[-1:] or self._before
            return
        text = self._before + self._rest + (block or b"\n")
        valid = self._valid.match(text, 1)
        place = len(text) if valid is None else valid.end()
        if place == len(text):
            self._before, self._rest = text[-1:], b""
            return
        if not self._rest or place > 1:
            self._line = line + line_ends(text[1 + len(self._rest) : place])
        self._before, self._rest = text[place - 1 : place], text[place:]
        closing = self._quoted.match(text, place)
        end = len(text) if closing is None else closing.end()
        if end < len(text) - 1:
            raise self._error("a quoted field that begins here has text after its closing quote")
        if not block or len(self._rest) > _MAX_FIELD:
            raise self._error("the quote that begins a field here is not closed")

    def _error(self, fault: str) -> FormatError:
        return FormatError(
            f"data: {self._label!r}, line {self._line}: {fault}.",
            hint='Put the closing quote at the end of the field; write a quote inside of it twice, as in "a ""b"" c".',
        )


def line_ends(block: bytes) -> int:
    """The number of line ends in a block."""
    return block.count(b"\n") or block.count(b"\r")
