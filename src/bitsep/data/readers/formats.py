"""Files of formats other than CSV and Parquet: Feather, JSON lines and Excel."""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitsep.errors import DataError, FormatError, ReadError, cause
from bitsep.optional import require

if TYPE_CHECKING:
    import pandas as pd

_FEATHER = (".feather", ".arrow")
_JSON_LINES = (".jsonl", ".ndjson")

_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}\n"))
_MAX_DEPTH = 256
_MANY_BRACKETS = re.compile(rb"[^\n]{%d,}" % _MAX_DEPTH)
_MAX_EXCEL_BYTES = 1 << 28  # about ten million cells

ARROW_FORMATS = (*_FEATHER, *_JSON_LINES)
"""The extensions of formats that pyarrow reads."""

OTHER_FORMATS = (*ARROW_FORMATS, ".xlsx")
"""The extensions of all formats that are read here."""


def suffix_of(path: str | os.PathLike[str]) -> str:
    """The extension of a file name, in lower case."""
    return os.path.splitext(path)[1].lower()


def read_arrow_format(path: Path) -> Any:
    """The pyarrow Table of a Feather (Arrow) or JSON-lines file."""
    import pyarrow as pa

    is_feather = suffix_of(path) in _FEATHER
    try:
        return _read_feather(path) if is_feather else _read_json_lines(path)
    except pa.ArrowInvalid as error:
        kind = "Feather or Arrow" if is_feather else "JSON-lines"
        raise FormatError(
            f"data: {str(path)!r} is not a valid {kind} file: {cause(error)}.", hint="Write the file again."
        ) from error
    except OSError as error:
        raise ReadError(f"data: {str(path)!r} cannot be read: {cause(error)}.") from error


def _read_feather(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.feather as feather

    with path.open("rb") as file:
        is_stream = file.read(4) == b"\xff\xff\xff\xff"  # the marker of a message; files begin with a magic word
    if not is_stream:
        return feather.read_table(str(path), memory_map=False)
    with pa.ipc.open_stream(str(path)) as reader:
        return reader.read_all()


def _read_json_lines(path: Path) -> Any:
    import pyarrow.json as pj

    if not path.stat().st_size:
        raise DataError(
            f"data: {str(path)!r} is empty; at least one row is needed.",
            hint="Check that the program that wrote it has finished.",
        )
    _check_depth(path)
    return pj.read_json(str(path))


def _check_depth(path: Path) -> None:
    """Raise FormatError if a line has deeply nested values, with which the reader of pyarrow overflows the stack.

    Brackets in texts count as well, which matters only for texts with hundreds of them that are not closed.
    """
    rest = b""
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            brackets = rest + block.translate(None, _NO_BRACKETS)
            if any(_depth(line[0]) > _MAX_DEPTH for line in _MANY_BRACKETS.finditer(brackets)):
                raise FormatError(f"data: {str(path)!r} has values nested more than {_MAX_DEPTH} levels deep.")
            rest = brackets[brackets.rfind(b"\n") + 1 :]


def _depth(brackets: bytes) -> int:
    depth = deepest = 0
    for bracket in brackets:
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def read_excel(path: Path) -> pd.DataFrame:
    """The first sheet of an Excel file, whose first row has the names."""
    import pandas as pd

    require("openpyxl", "data", "excel")
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())  # no more than that is decompressed
        if size > _MAX_EXCEL_BYTES:
            raise DataError(
                f"data: {str(path)!r} is too large for an Excel file; at most {_MAX_EXCEL_BYTES:,} bytes "
                f"when decompressed are allowed, got {size:,}.",
                hint="Save it as a CSV or Parquet file.",
            )
        # Which texts mean a missing value is decided later, as for all sources; pandas would rename equal names.
        sheet = pd.read_excel(path, engine="openpyxl", header=None, dtype=object, keep_default_na=False)
    except DataError:
        raise
    except PermissionError as error:
        raise ReadError(f"data: {str(path)!r} cannot be read: {cause(error)}.") from error
    except Exception as error:  # openpyxl passes on errors of the archive and of the XML in it
        raise FormatError(
            f"data: {str(path)!r} is not a valid Excel file: {cause(error)}.", hint="Save it again as .xlsx."
        ) from error
    if len(sheet) < 2:
        raise DataError(
            f"data: the first sheet of {str(path)!r} must have a row of names and at least one more, got "
            f"{len(sheet)} row(s).",
            hint="Move the sheet with the data to the first place.",
        )
    names = sheet.iloc[0].tolist()
    sheet = sheet.iloc[1:]
    sheet.columns = pd.Index([str(name) for name in names], dtype=object)
    return sheet
