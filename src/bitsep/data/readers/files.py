"""Columns from files: CSV and Parquet, read by pyarrow with several threads.

Every field of a CSV file is read as dictionary-encoded text; missing values and types are then inferred from the
distinct texts of a column, by the same rules as for other sources, not by those of a CSV reader.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bitsep.data.encode import Coded
from bitsep.data.readers.arrow import code_arrow
from bitsep.data.readers.csv_text import CsvText
from bitsep.data.readers.paths import no_file
from bitsep.data.readers.selection import Selection
from bitsep.errors import ArgumentError, DataError, FormatError, ReadError, cause
from bitsep.naming import Name

_CSV_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_COMPRESSED = (".gz", ".bz2", ".zst")
# Large enough that a column has few dictionaries (one per block), small enough that all threads have work.
_BLOCK_BYTES = 1 << 22
UNNAMED_INDEX = re.compile(r"__index_level_\d+__")  # the name that pandas gives an index without a name


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether this is the name of a Parquet file."""
    return os.path.splitext(path)[1].lower() in (".parquet", ".pq")


def csv_delimiter(path: str | os.PathLike[str]) -> str:
    """The delimiter of a CSV file by its extension (.csv, .tsv, also compressed); empty for other files."""
    root, suffix = os.path.splitext(os.fspath(path).lower())
    if suffix in _COMPRESSED:
        suffix = os.path.splitext(root)[1]
    return _CSV_DELIMITERS.get(suffix, "")


def read_file(path: Path, selection: Selection, encoding: str = "utf-8") -> dict[Name, Coded]:
    """The chosen columns of a CSV (.csv, .tsv, also compressed) or Parquet file; others are not converted."""
    if path.is_dir():
        raise ReadError(f"data: {str(path)!r} is a directory.", hint="Name a file in it.")
    if not path.exists():
        raise no_file(str(path))
    if is_parquet(path):
        return _read_parquet(path, selection)
    if delimiter := csv_delimiter(path):
        return _read_csv(path, delimiter, selection, encoding)
    raise ArgumentError(
        f"data: the name of a file must end in .csv, .tsv (also with .gz, .bz2, .zst) or .parquet, got {str(path)!r}.",
        hint="Files with another extension: read them with another library and give the data frame.",
    )


def _read_csv(path: Path, delimiter: str, selection: Selection, encoding: str) -> dict[Name, Coded]:
    import pyarrow as pa
    import pyarrow.csv as pc

    with readable_errors(path, encoding):
        skipped, header, first = first_records(path, delimiter, encoding)
    chosen = selection.pick(header)
    # Columns are selected by position, because names can contain anything, including line breaks.
    places = {name: str(header.index(str(name))) for name in chosen}
    options = csv_options(skipped, header, first, delimiter, list(places.values()))
    try:
        with readable_errors(path, encoding), CsvText(path, encoding) as text:
            table = pc.read_csv(text, **options)
    except pa.ArrowInvalid as error:
        raise csv_error(path, delimiter, len(header), encoding, error) from error
    return {name: code_arrow(name, table.column(place), text=True) for name, place in places.items()}


def csv_options(skipped: int, header: list[str], first: list[str], delimiter: str, places: list[str]) -> dict[str, Any]:
    """The options of pyarrow to read the columns at these positions as text, given what `first_records` found."""
    import pyarrow as pa
    import pyarrow.csv as pc

    text = pa.dictionary(pa.int32(), pa.string())
    return {
        "read_options": pc.ReadOptions(
            block_size=max(_BLOCK_BYTES, 16 * sum(map(len, header + first))),  # a record must fit into a block
            column_names=[str(place) for place in range(len(header))],
            skip_rows_after_names=skipped + 1,  # the names are given above, so the header is skipped as well
        ),
        "parse_options": pc.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        "convert_options": pc.ConvertOptions(
            include_columns=places, column_types=dict.fromkeys(places, text), strings_can_be_null=False
        ),
    }


def _records(path: Path, delimiter: str, encoding: str) -> Iterator[tuple[int, list[str]]]:
    """The records of a CSV file (empty for a blank line), each with the number of its last line."""
    # utf-8-sig: a byte order mark is not part of the first name.
    with io.TextIOWrapper(CsvText(path, encoding), encoding="utf-8-sig", newline="") as text:
        rows = csv.reader(text, delimiter=delimiter)
        for row in rows:
            yield rows.line_num, row


def first_records(path: Path, delimiter: str, encoding: str) -> tuple[int, list[str], list[str]]:
    """The number of blank lines before the header, the header, and the first record after it."""
    header: list[str] = []
    skipped = 0
    try:
        for _, record in _records(path, delimiter, encoding):
            if record and header:
                return skipped, header, record
            header = header or record
            skipped += not header
    except csv.Error as error:
        raise FormatError(f"data: {str(path)!r} is not a valid CSV file: {cause(error)}.") from error
    if not header:
        raise DataError(f"data: {str(path)!r} is empty; a header line and rows are needed.")
    raise DataError(f"data: {str(path)!r} has a header line but no rows; at least one is needed.")


@contextmanager
def readable_errors(path: Path, encoding: str) -> Iterator[None]:
    """Convert errors while a file is read to errors of bitsep with hints."""
    import pyarrow as pa

    try:
        yield
    except UnicodeError as error:
        raise _encoding_error(path, encoding) from error
    except LookupError as error:
        raise ArgumentError(
            f"encoding: unknown value {encoding!r}.", hint='Python knows for instance "utf-8", "latin-1" and "utf-16".'
        ) from error
    except pa.ArrowInvalid as error:
        if "utf8" in str(error).lower():
            raise _encoding_error(path, encoding) from error
        raise
    except OSError as error:
        raise ReadError(f"data: {str(path)!r} cannot be read: {cause(error)}.") from error


def _encoding_error(path: Path, encoding: str) -> FormatError:
    return FormatError(
        f"data: {str(path)!r} is not {encoding} text.",
        hint='Name its encoding, for instance encoding="latin-1" (--encoding latin-1 in the shell).',
    )


def csv_error(path: Path, delimiter: str, width: int, encoding: str, error: Exception) -> FormatError:
    """The error for a CSV file that pyarrow cannot read; the file is read again to find the number of the line."""
    try:
        for line, row in _records(path, delimiter, encoding):
            if row and len(row) != width:
                return FormatError(
                    f"data: {str(path)!r}, line {line}: expected {width} fields as in the header, got {len(row)}.",
                    hint="Correct the line, or put fields that contain the delimiter in quotes.",
                )
    except (csv.Error, UnicodeError):
        pass
    return FormatError(f"data: {str(path)!r} is not a valid CSV file: {cause(error)}.")


def _read_parquet(path: Path, selection: Selection) -> dict[Name, Coded]:
    import pyarrow as pa
    import pyarrow.parquet as pq
    import pyarrow.types as pt

    try:
        with pq.ParquetFile(path) as file:
            schema = file.schema_arrow
        names = [name for name in schema.names if not UNNAMED_INDEX.fullmatch(name)]
        chosen = [str(name) for name in selection.pick(names)]
        # Text is read as it is stored in Parquet: as distinct values and indices.
        texts = [name for name in chosen if pt.is_string(schema.field(name).type)]
        with pq.ParquetFile(path, read_dictionary=texts) as file:
            table = file.read(columns=chosen)
    except pa.ArrowInvalid as error:
        raise FormatError(f"data: {str(path)!r} is not a valid Parquet file: {cause(error)}.") from error
    except OSError as error:
        raise ReadError(f"data: {str(path)!r} cannot be read: {cause(error)}.") from error
    if table.num_rows == 0:
        raise DataError(f"data: {str(path)!r} has no rows; at least one is needed.")
    return {name: code_arrow(name, table.column(name)) for name in chosen}
