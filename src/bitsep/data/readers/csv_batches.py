"""CSV files as batches of texts; types are inferred at the end from the distinct texts, as in `bitsep.Table`."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from bitsep.data.readers.csv_file import CsvFile
from bitsep.data.readers.dialect import CsvDialect
from bitsep.data.readers.paths import FileWatch
from bitsep.errors import DataError


class CsvSource:
    """CSV files with the same columns, one after the other."""

    text = True

    def __init__(self, paths: Sequence[str], dialect: CsvDialect) -> None:
        self._paths = paths
        self._dialect = dialect
        self.watch = FileWatch(paths)
        self.names = CsvFile(paths[0], dialect).names

    def batches(self, chosen: Sequence[str], rows: int) -> Generator[tuple[str, list[Any]], None, None]:
        for path in self._paths:
            file = CsvFile(path, self._dialect)
            for batch in self._blocks(file, chosen):
                for begin in range(0, batch.num_rows, rows):
                    yield file.label, batch.slice(begin, rows).columns

    def _blocks(self, file: CsvFile, chosen: Sequence[str]) -> Iterator[Any]:
        import pyarrow.csv as pc

        places = file.places()
        for name in chosen:
            if name not in places:
                raise DataError(
                    f"data: {file.label!r} has no column {name!r}, which {str(self._paths[0])!r} has.",
                    hint="Leave out the column (columns=) or the file.",
                )
        options = file.options([places[name] for name in chosen])
        with file.opened() as text, pc.open_csv(text, **options) as reader:
            yield from reader
