"""CSV files as batches of texts; types are inferred at the end from the distinct texts, as in `bitsep.Table`."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

from bitsep.data.readers.csv_text import CsvText
from bitsep.data.readers.files import csv_delimiter, csv_error, csv_options, first_records, readable_errors
from bitsep.data.readers.paths import FileWatch
from bitsep.errors import DataError


class CsvSource:
    """CSV files with the same columns, one after the other."""

    text = True

    def __init__(self, paths: Sequence[str], encoding: str) -> None:
        self._paths = [Path(path) for path in paths]
        self._encoding = encoding
        self.watch = FileWatch(paths)
        self.names = self._header(self._paths[0])[1]

    def batches(self, chosen: Sequence[str], rows: int) -> Generator[tuple[str, list[Any]], None, None]:
        for path in self._paths:
            for batch in self._blocks(path, chosen):
                for begin in range(0, batch.num_rows, rows):
                    yield str(path), batch.slice(begin, rows).columns

    def _header(self, path: Path) -> tuple[int, list[str], list[str]]:
        with readable_errors(path, self._encoding):
            return first_records(path, csv_delimiter(path), self._encoding)

    def _blocks(self, path: Path, chosen: Sequence[str]) -> Iterator[Any]:
        import pyarrow as pa
        import pyarrow.csv as pc

        skipped, header, first = self._header(path)
        for name in chosen:
            if name not in header:
                raise DataError(
                    f"data: {str(path)!r} has no column {name!r}, which {str(self._paths[0])!r} has.",
                    hint="Leave out the column (columns=) or the file.",
                )
        # Columns are selected by position, because names can contain anything, including line breaks.
        places = [str(header.index(name)) for name in chosen]
        options = csv_options(skipped, header, first, csv_delimiter(path), places)
        try:
            with (
                readable_errors(path, self._encoding),
                CsvText(path, self._encoding) as text,
                pc.open_csv(text, **options) as reader,
            ):
                yield from reader
        except pa.ArrowInvalid as error:
            raise csv_error(path, csv_delimiter(path), len(header), self._encoding, error) from error
