"""`Scan`: data larger than memory, which can be used like a table."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bitsep.data.budget import readable
from bitsep.data.discretization.column import CutColumn
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS
from bitsep.data.levels import DEFAULT_MISSING, Level
from bitsep.data.origin import Origin, call_of, method_of, origin_of
from bitsep.data.readers.batches import Source, open_source
from bitsep.data.readers.dialect import CsvDialect
from bitsep.data.scan_encoding import Encoded, read
from bitsep.data.scanned import ScannedData, ScanOptions
from bitsep.data.table import chosen_columns
from bitsep.errors import ArgumentError
from bitsep.naming import Name
from bitsep.processors import thread_count
from bitsep.progress import ProgressCallback

if TYPE_CHECKING:
    from bitsep.counting.passes import PassCounter


class Scan(ScannedData):
    """Data that are counted in chunks within a memory budget; made by `scan` and `scan_parquet`.

    It can be used like a table: in `independence_test`, `evaluate`, `separate`, `pc_stable` and `markov_blanket`. The
    results are identical to those for the same data in memory. The source is read once, when the scan is first used;
    its codes then stay in memory if they fit, or in a temporary file.
    """

    def __init__(
        self,
        source: Source,
        options: ScanOptions,
        spill_folder: str | os.PathLike[str] | None,
        progress: ProgressCallback | None,
        origin: Origin,
    ) -> None:
        super().__init__(source.names, options, progress)
        self._origin = origin
        self._source = source
        self._folder = spill_folder
        self._encoded: Encoded | None = None
        self._counters: dict[int, PassCounter] = {}
        self._budget.chunk_rows(len(self.names))  # raises an error if the budget is too small, before anything is read

    @property
    def n_rows(self) -> int:
        """The number of rows, without those of weight 0."""
        return self._read().store.rows

    @property
    def origin(self) -> Origin:
        """Python code that creates the scan."""
        return self._origin

    def levels(self, name: Name) -> tuple[Level, ...]:
        """The levels of a column in canonical order."""
        if name not in self.names:
            raise self._unknown(name)
        return self._read().levels[self.names.index(name)]

    def display_order(self, name: Name) -> tuple[int, ...]:
        """The codes of the levels of a column in the order of tables and plots."""
        if name not in self.names:
            raise self._unknown(name)
        return self._read().display[self.names.index(name)] or super().display_order(name)

    @property
    def spilled(self) -> bool:
        """Whether the codes are in a temporary file, because they do not fit into memory."""
        return self._read().store.spilled

    def counter(self, threads: int | None = 1) -> PassCounter:
        """The counter of all columns, which is cached for each number of threads."""
        number = thread_count(threads)
        if number not in self._counters:
            from bitsep.counting.passes import PassCounter
            from bitsep.counting.stream import StreamPasses

            self._counters[number] = PassCounter(StreamPasses(self._read(), self._budget, number, self._tell))
        return self._counters[number]

    def select(self, names: Iterable[Name]) -> Scan:
        """The same rows with these columns only, in the order of the source; both scans share the codes."""
        selected = self._selected(names)
        selected._encoded = self._read().select(selected.names)
        selected._counters = {}
        return selected

    def _with_missing_level(self, names: tuple[Name, ...]) -> Scan:
        found = self.select(self.names)
        found._encoded = self._read().with_missing_level(names)
        found._origin = method_of(self._origin, "with_missing_level", names)
        return found

    def cut(self, columns: Sequence[CutColumn]) -> Scan:
        """The same rows with intervals as levels of these columns; both scans share the codes."""
        cut = self._with_cuts(columns)
        cut._encoded = self._read().cut(columns)
        cut._counters = {}
        return cut

    def made_by(self, origin: Origin) -> Scan:
        """The same scan with another origin."""
        other = copy.copy(self)
        other._origin = origin
        return other

    def close(self) -> None:
        """Release the codes, in memory or on disk; the scan cannot be used afterwards."""
        if self._encoded is not None:
            self._encoded.store.close()
        self._counters = {}

    def __enter__(self) -> Scan:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        read = "not read yet" if self._encoded is None else f"{self._encoded.store.rows:,} rows"
        return f"Scan: {read}, {len(self.names)} columns, memory {readable(self._budget.total)}"

    def _read(self) -> Encoded:
        if self._encoded is None:
            self._encoded = read(
                self._source,
                self._picked,
                self._weights,
                self._rules,
                self._budget,
                self._folder,
                lambda rows: self._tell("reading", rows, 0),
            )
        return self._encoded


def scan(
    data: Any,
    *,
    memory: str | int = "2GB",
    columns: Iterable[Name] | None = None,
    weights: Name | None = None,
    missing: Any = DEFAULT_MISSING,
    max_float_levels: int | None = DEFAULT_MAX_FLOAT_LEVELS,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    decimal: str = ".",
    thousands: str | None = None,
    header: bool = True,
    comment: str | None = None,
    filesystem: Any = None,
    spill_folder: str | os.PathLike[str] | None = None,
    progress: ProgressCallback | None = None,
) -> Scan:
    """Open data larger than memory: they are read once, stored as codes (on disk if necessary), and counted in chunks.

    Parameters
    ----------
    data
        A path, a pattern (``"data/*.parquet"``) or a folder (also partitioned) of Parquet files; CSV files (``.csv``,
        ``.tsv``, also compressed; ``"-"`` is the standard input); a Feather or JSON-lines file, which is read into
        memory; an address such as ``"s3://bucket/data"``; an Arrow dataset, table or record-batch reader; a DuckDB
        relation; any object with an Arrow stream.
    memory : str or int
        The memory that the scan may use: "2GB", "512MB", a number of bytes. Results do not depend on it.
    columns, weights, missing, max_float_levels, encoding, delimiter, decimal, thousands, header, comment
        As for `bitsep.Table`; `weights` is the name of a column.
    filesystem
        The Arrow or fsspec file system of a path.
    spill_folder : path, optional
        The folder for codes that do not fit into memory; default: the temporary folder of the system.
    progress : callable, optional
        Called as ``progress(stage, finished, total)`` after every batch read and every chunk counted; the total of the
        first stage, in rows, is unknown: 0.

    Returns
    -------
    Scan

    Raises
    ------
    ArgumentError
        If the memory budget is too small; the message contains the memory needed.
    DataError, FormatError, ReadError
        When the scan is first used: if files have different columns or types, a file is damaged or has changed, or a
        column has more than a million levels. When it is used again after reading was interrupted: if the source is a
        reader, a relation or another stream, which can be read only once (files are read again).

    Examples
    --------
    >>> import bitsep, pyarrow as pa
    >>> batches = pa.table({"x": [0, 1] * 50, "y": [0, 1] * 50}).to_reader(max_chunksize=10)
    >>> bitsep.independence_test(bitsep.scan(batches, memory="50MB"), "x", "y").verdict
    'dependent'
    """
    if weights is not None and not isinstance(weights, str):
        raise ArgumentError(f"weights: must be the name of a column, got {weights!r}.")
    dialect = CsvDialect(encoding, delimiter, decimal, thousands, header, comment)
    options = ScanOptions(memory, chosen_columns(columns), weights, missing, max_float_levels, decimal, thousands)
    others = {**asdict(dialect), "filesystem": filesystem, "spill_folder": spill_folder}
    origin = call_of("bitsep.scan", origin_of(data), **{**options._asdict(), **others})
    return Scan(open_source(data, dialect, filesystem), options, spill_folder, progress, origin)


def scan_parquet(
    path: str | os.PathLike[str],
    memory: str | int = "2GB",
    columns: Iterable[Name] | None = None,
    weights: Name | None = None,
    missing: Any = DEFAULT_MISSING,
    **options: Any,
) -> Scan:
    """Open Parquet files larger than memory.

    Parameters
    ----------
    path : path-like
        The path of a file or a folder, or a pattern (``"data/*.parquet"``).
    memory, columns, weights, missing, **options
        As for `scan`.

    Returns
    -------
    Scan

    Raises
    ------
    BitsepError
        As for `scan`.

    Examples
    --------
    >>> import bitsep, tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> data = bitsep.load_network("asia").sample(5000, seed=1)
    >>> data[:2000].to_parquet(folder / "1.parquet"); data[2000:].to_parquet(folder / "2.parquet")
    >>> d = bitsep.pc_stable(bitsep.scan_parquet(folder / "*.parquet", memory="100MB"))
    >>> d.to_json() == bitsep.pc_stable(data).to_json()
    True
    """
    return scan(path, memory=memory, columns=columns, weights=weights, missing=missing, **options)
