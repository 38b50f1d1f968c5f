"""Columns from files: CSV, Parquet, and other formats by their extension."""

from __future__ import annotations

import os
import re
from pathlib import Path

from bitsep.data.encode import Coded
from bitsep.data.readers.arrow import code_arrow, read_arrow
from bitsep.data.readers.csv_file import CsvFile, csv_delimiter
from bitsep.data.readers.dialect import CsvDialect
from bitsep.data.readers.formats import ARROW_FORMATS, OTHER_FORMATS, read_arrow_format, read_excel, suffix_of
from bitsep.data.readers.frames import read_pandas
from bitsep.data.readers.paths import no_file, refuse_address
from bitsep.data.readers.selection import Selection
from bitsep.data.readers.standard_input import is_standard_input
from bitsep.errors import ArgumentError, DataError, FormatError, ReadError, cause
from bitsep.naming import Name

UNNAMED_INDEX = re.compile(r"__index_level_\d+__")  # the name that pandas gives an index without a name


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether this is the name of a Parquet file."""
    return os.path.splitext(path)[1].lower() in (".parquet", ".pq")


def read_file(data: str | os.PathLike[str], selection: Selection, dialect: CsvDialect) -> dict[Name, Coded]:
    """The chosen columns of a file, in the format of its extension; others are not converted."""
    refuse_address(data)
    path = Path(data)
    if not is_standard_input(path):
        if path.is_dir():
            raise ReadError(f"data: {str(path)!r} is a directory.", hint="Name a file in it.")
        if not path.exists():
            raise no_file(str(path))
    if csv_delimiter(path):
        return _read_csv(path, selection, dialect)
    dialect.refuse_for(repr(str(path)))
    if is_parquet(path):
        return _read_parquet(path, selection)
    if suffix_of(path) in ARROW_FORMATS:
        return read_arrow(read_arrow_format(path), selection)
    if suffix_of(path) in OTHER_FORMATS:
        return read_pandas(read_excel(path), selection)
    raise unknown_format(str(path))


def unknown_format(path: str) -> ArgumentError:
    """The error for a file whose extension stands for no format."""
    return ArgumentError(
        "data: the name of a file must end in .csv, .tsv (also with .gz, .bz2, .zst), .parquet, "
        f"{', '.join(OTHER_FORMATS[:-1])} or {OTHER_FORMATS[-1]}, got {path!r}.",
        hint="Files with another extension: read them with another library and give the data frame; text with a "
        "delimiter can be given as standard input, with - as its name.",
    )


def _read_csv(path: Path, selection: Selection, dialect: CsvDialect) -> dict[Name, Coded]:
    import pyarrow.csv as pc

    file = CsvFile(path, dialect)
    places = file.places()
    chosen = {name: places[str(name)] for name in selection.pick(file.names)}
    with file.opened() as text:
        table = pc.read_csv(text, **file.options(list(chosen.values())))
    # By position, because a search by name takes long if there are many columns.
    return {name: code_arrow(name, table.column(place), text=True) for place, name in enumerate(chosen)}


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
