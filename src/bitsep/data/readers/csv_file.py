"""CSV files: their header, the options to read them with pyarrow, and errors with line numbers.

Every field of a CSV file is read as dictionary-encoded text; missing values and types are then inferred from the
distinct texts of a column, by the same rules as for other sources, not by those of a CSV reader.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bitsep.data.readers.csv_text import CsvText
from bitsep.data.readers.dialect import CsvDialect, delimiter_name, find_delimiter
from bitsep.data.readers.standard_input import is_standard_input, shown_path, stored_input
from bitsep.errors import ArgumentError, BitsepError, DataError, FormatError, ReadError, cause
from bitsep.lazy import cached_property

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_COMPRESSED = (".gz", ".bz2", ".zst")
# Large enough that a column has few dictionaries (one per block), small enough that all threads have work.
_BLOCK_BYTES = 1 << 22
_SAMPLE_CHARACTERS = 1 << 16  # from which the delimiter is found
_SAMPLE_LINES = 1000
_MAX_LINE = 1 << 27  # characters


def csv_delimiter(path: str | os.PathLike[str]) -> str:
    """The usual delimiter of a CSV file by its extension (.csv, .tsv, also compressed); empty for other files."""
    if is_standard_input(path):
        return ","
    root, suffix = os.path.splitext(os.fspath(path).lower())
    if suffix in _COMPRESSED:
        suffix = os.path.splitext(root)[1]
    return _DELIMITERS.get(suffix, "")


def header_names(columns: int) -> list[str]:
    """The names of columns that have none.

    >>> header_names(2)
    ['column_1', 'column_2']
    """
    return [f"column_{place}" for place in range(1, columns + 1)]


class CsvFile:
    """A CSV file, and how it is written.

    Parameters
    ----------
    path : path
        The file; ``"-"`` is the standard input.
    dialect : CsvDialect
        The options of the caller.
    """

    def __init__(self, path: str | os.PathLike[str], dialect: CsvDialect) -> None:
        self.label = shown_path(path)
        self._path = stored_input() if is_standard_input(path) else Path(path)
        self._usual_delimiter = csv_delimiter(path)
        self._dialect = dialect
        with self._readable_errors():
            self._skipped, self.names, self._first = self._first_records()

    @cached_property
    def delimiter(self) -> str:
        """The delimiter: given, or found; a file that ends in .tsv has tabs."""
        given = self._dialect.delimiter
        if given is None and self._usual_delimiter == "\t":
            return "\t"
        with self._lines() as lines:
            sample = _sample(lines)
        found = find_delimiter(sample, self._usual_delimiter, self._dialect.numbers())
        if given is None:
            return found
        first = ""
        for line in sample:
            first += line
            if first.count('"') % 2 == 0:  # otherwise a name continues on the next line
                break
        if given not in first and found in first:
            raise ArgumentError(
                f"delimiter: must occur in the first line of {self.label!r}, which has {found!r}, got {given!r}.",
                hint=f"Leave it out: {delimiter_name(found)} is then recognized.",
            )
        return given

    def places(self) -> dict[str, str]:
        """The position of each column, as text, which `options` takes in place of its name.

        Names can contain anything, including line breaks.
        """
        return {name: str(place) for place, name in enumerate(self.names)}

    def options(self, places: list[str]) -> dict[str, Any]:
        """The options of pyarrow to read the columns at these positions as text."""
        import pyarrow as pa
        import pyarrow.csv as pc

        text = pa.dictionary(pa.int32(), pa.string())
        return {
            "read_options": pc.ReadOptions(
                block_size=max(_BLOCK_BYTES, 16 * sum(map(len, self.names + self._first))),  # at least one record
                column_names=[str(place) for place in range(len(self.names))],
                # The names are given above, so the header is skipped as well.
                skip_rows_after_names=self._skipped + self._dialect.header,
            ),
            "parse_options": pc.ParseOptions(delimiter=self.delimiter, newlines_in_values=True),
            "convert_options": pc.ConvertOptions(
                include_columns=places, column_types=dict.fromkeys(places, text), strings_can_be_null=False
            ),
        }

    @contextmanager
    def opened(self) -> Iterator[CsvText]:
        """The text of the file for pyarrow, whose errors become errors of bitsep."""
        import pyarrow as pa

        try:
            with self._readable_errors(), self._text(self.delimiter) as text:
                yield text
        except pa.ArrowInvalid as error:
            raise self._error(error) from error

    def _text(self, delimiter: str | None = None) -> CsvText:
        return CsvText(self._path, self.label, self._dialect.encoding, self._dialect.comment, delimiter)

    @contextmanager
    def _lines(self) -> Iterator[io.TextIOWrapper]:
        # utf-8-sig: a byte order mark is not part of the first name.
        with io.TextIOWrapper(self._text(), encoding="utf-8-sig", newline="") as lines:
            yield lines

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """The records of the file (empty for a blank line), each with the number of its last line."""
        delimiter = self.delimiter
        with self._lines() as lines:
            rows = csv.reader(self._bounded(lines), delimiter=delimiter, strict=True)
            for row in rows:
                yield rows.line_num, row

    def _bounded(self, lines: io.TextIOWrapper) -> Iterator[str]:
        """The lines; one that is longer than any line of a table is an error, before all of it is in memory."""
        while line := lines.readline(_MAX_LINE):
            if len(line) == _MAX_LINE:
                raise FormatError(f"data: {self.label!r} has a line of more than {_MAX_LINE:,} characters.")
            yield line

    def _first_records(self) -> tuple[int, list[str], list[str]]:
        """The number of blank lines before the first record, the names, and the first record after the header."""
        header: list[str] = []
        skipped = 0
        try:
            for _, record in self._records():
                if record and not self._dialect.header:
                    return skipped, header_names(len(record)), record
                if record and header:
                    self._check_names(header)
                    return skipped, header, record
                header = header or record
                skipped += not header
        except csv.Error as error:
            raise self._first_error(error) from error
        if not header:
            raise DataError(
                f"data: {self.label!r} is empty; a header line and rows are needed.",
                hint="Check that the program that wrote it has finished.",
            )
        raise DataError(
            f"data: {self.label!r} has a header line but no rows; at least one is needed.",
            hint="If it has values, not names, say so with header=False (--no-header in the shell).",
        )

    def _check_quotes(self) -> None:
        """Raise FormatError if a quoted field is not closed or has text after it; the whole file is read."""
        with self.opened() as text:
            while text.read(_BLOCK_BYTES):
                pass

    def _first_error(self, error: csv.Error) -> FormatError:
        """The error for a first record that cannot be read; another one is raised if a quote in it is the cause."""
        self._check_quotes()
        if "field limit" in str(error):
            return FormatError(
                f"data: {self.label!r}: a field in the first rows has more than {csv.field_size_limit():,} characters.",
                hint="Check that it is a CSV file and has line ends.",
            )
        return FormatError(f"data: {self.label!r} is not a valid CSV file: {cause(error)}.")

    def _check_names(self, names: list[str]) -> None:
        """Raise an error if two columns have the same name; here, because the first line may not be a header."""
        if len(set(names)) == len(names):
            return
        first: dict[str, int] = {}
        for place, name in enumerate(names):
            earlier = first.setdefault(name, place)
            if earlier != place:
                raise DataError(
                    f"data: columns {earlier + 1} and {place + 1} of {self.label!r} have the same name {name!r}.",
                    hint="Rename one of them; if the first line has values, not names, say so with header=False "
                    "(--no-header in the shell).",
                )

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        """Convert errors while the file is read to errors of bitsep with hints."""
        import pyarrow as pa

        encoding = self._dialect.encoding
        try:
            yield
        except UnicodeError as error:
            raise self._encoding_error() from error
        except LookupError as error:
            raise ArgumentError(
                f"encoding: unknown value {encoding!r}.",
                hint='Python knows for instance "utf-8", "latin-1" and "utf-16".',
            ) from error
        except pa.ArrowInvalid as error:
            if "utf8" in str(error).lower():
                raise self._encoding_error() from error
            raise
        except OSError as error:
            raise ReadError(f"data: {self.label!r} cannot be read: {cause(error)}.") from error

    def _encoding_error(self) -> FormatError:
        return FormatError(
            f"data: {self.label!r} is not {self._dialect.encoding} text.",
            hint='Name its encoding, for instance encoding="latin-1" (--encoding latin-1 in the shell).',
        )

    def _error(self, error: Exception) -> FormatError:
        """The error for a file that pyarrow cannot read; the file is read again to find the number of the line."""
        width = len(self.names)
        try:
            for line, row in self._records():
                if row and len(row) != width:
                    where = "header" if self._dialect.header else "first line"
                    return FormatError(
                        f"data: {self.label!r}, line {line}: expected {width} fields as in the {where}, got "
                        f"{len(row)}.",
                        hint=self._hint(),
                    )
        except csv.Error:
            self._check_quotes()
        except (UnicodeError, BitsepError):
            pass
        return FormatError(f"data: {self.label!r} is not a valid CSV file: {cause(error)}.")

    def _hint(self) -> str:
        if self._dialect.comment is None and self.names[0].startswith("#"):
            return 'If lines that begin with # are comments, say so with comment="#" (--comment "#" in the shell).'
        return (
            f"Correct the line, or put fields that contain the delimiter, {delimiter_name(self.delimiter)}, in quotes; "
            "if it is another one, name it with delimiter= (--delimiter in the shell)."
        )


def _sample(lines: io.TextIOWrapper) -> list[str]:
    """The first lines that are not blank; the last one can be a part of a line."""
    found: list[str] = []
    size = 0
    for _ in range(_SAMPLE_LINES):
        line = lines.readline(_SAMPLE_CHARACTERS + 1)
        if line and (found or line.strip()):
            found.append(line)
            size += len(line)
        if not line or size > _SAMPLE_CHARACTERS:
            break
    return found
