"""How a CSV file is written: its delimiter, numbers, header and comments; the delimiter is found if it is not given."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from bitsep.checks import shown
from bitsep.data.text import PLAIN_NUMBERS, NumberFormat
from bitsep.errors import ArgumentError

DELIMITERS = (",", ";", "\t", "|")
"""The delimiters that are recognized; the first of them are preferred if several are possible."""

_MAX_RECORDS = 100  # from which a delimiter is found
_DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """The options of `bitsep.Table` and `bitsep.scan` about CSV files, checked.

    Attributes
    ----------
    encoding : str
    delimiter : str or None
        None: found from the first records.
    decimal : str
    thousands : str or None
    header : bool
    comment : str or None
    """

    encoding: str = "utf-8"
    delimiter: str | None = None
    decimal: str = "."
    thousands: str | None = None
    header: bool = True
    comment: str | None = None

    def __post_init__(self) -> None:
        for argument, value in (("delimiter", self.delimiter), ("comment", self.comment)):
            if value is not None and not _is_separator(value):
                raise ArgumentError(
                    f"{argument}: must be one ASCII character other than a quote, a line end or NUL, got "
                    f"{shown(value)}."
                )
        if self.delimiter is not None and self.delimiter == self.comment:
            raise ArgumentError(f"comment: must not be the delimiter, got {self.comment!r} for both.")
        if not isinstance(self.header, bool):
            raise ArgumentError(
                f"header: must be True or False, got {shown(self.header)}.",
                hint="False: the first line has values; columns are named column_1, column_2, and so on.",
            )
        self.numbers()

    def numbers(self) -> NumberFormat:
        """How numbers are written."""
        return NumberFormat(self.decimal, self.thousands)

    def refuse_for(self, what: str) -> None:
        """Raise an error if an option other than the encoding is given for data that are not a CSV file."""
        default = CsvDialect()
        for argument in ("delimiter", "decimal", "thousands", "header", "comment"):
            if getattr(self, argument) != getattr(default, argument):
                raise ArgumentError(f"{argument}: applies to CSV files only, got {what}.", hint="Leave it out.")


def delimiter_name(delimiter: str) -> str:
    """A delimiter for a message.

    >>> delimiter_name(";"), delimiter_name("~")
    ('a semicolon', "'~'")
    """
    return f"a {_DELIMITER_NAMES[delimiter]}" if delimiter in _DELIMITER_NAMES else repr(delimiter)


def find_delimiter(lines: Sequence[str], preferred: str = ",", numbers: NumberFormat = PLAIN_NUMBERS) -> str:
    """The delimiter of a CSV file, found from its first lines, which keep their line ends.

    It is the one with which most records have as many fields as the first record, and at least two; then any other than
    the comma, which numbers and names contain, too; then the one with the most fields; then the preferred one. A
    character that numbers contain cannot be the delimiter.

    >>> find_delimiter(["a;b\\n", "1,5;2,5\\n"]), find_delimiter(["a\\n", "1\\n"])
    (';', ',')
    """
    best, found = (0.0, False, 1), preferred
    possible = [one for one in DELIMITERS if one not in (numbers.decimal, numbers.thousands)]
    for delimiter in sorted(possible, key=lambda one: one != preferred):
        widths = _widths(lines, delimiter)
        if not widths or widths[0] < 2:
            continue
        others = widths[1:] or widths
        fit = sum(width == widths[0] for width in others) / len(others), delimiter != ",", widths[0]
        if fit > best:
            best, found = fit, delimiter
    return found


def _widths(lines: Sequence[str], delimiter: str) -> list[int]:
    """The number of fields of the first records."""
    widths: list[int] = []
    try:
        for record in csv.reader(lines, delimiter=delimiter):
            if record:
                widths.append(len(record))
            if len(widths) == _MAX_RECORDS:
                break
    except csv.Error:  # a field is too long, for instance; the records before it are enough
        pass
    return widths


def _is_separator(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1 and value.isascii() and value not in '"\r\n\0'
