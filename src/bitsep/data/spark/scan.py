"""`SparkScan`: a Spark data frame, which can be used like a table."""

from __future__ import annotations

import contextlib
import copy
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bitsep.checks import integer
from bitsep.data.discretization.column import CutColumn
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS
from bitsep.data.levels import DEFAULT_MISSING, MISSING_LEVEL, Level
from bitsep.data.load import is_spark_frame
from bitsep.data.origin import UNKNOWN, Origin, call_of, method_of
from bitsep.data.scanned import ScannedData, ScanOptions
from bitsep.data.spark.encoding import NumberPartition, RecodePartition, chunk_schema
from bitsep.data.spark.jobs import as_function, small_batches
from bitsep.data.spark.levels import ColumnLevels, check_types, check_weights, column_of, find_levels
from bitsep.data.table import chosen_columns
from bitsep.errors import DataError, UnsupportedTypeError
from bitsep.naming import Name, sorted_names
from bitsep.progress import ProgressCallback

if TYPE_CHECKING:
    from bitsep.counting.passes import PassCounter
    from bitsep.counting.spark import SparkPasses

_DEFAULT_OPTIONS = ScanOptions("1GB", None, None, DEFAULT_MISSING, DEFAULT_MAX_FLOAT_LEVELS)

# Scans of data frames passed to tests and searches, so that a data frame is encoded only once.
_scans: weakref.WeakKeyDictionary[Any, SparkScan] = weakref.WeakKeyDictionary()


class SparkScan(ScannedData):
    """A data frame of a Spark cluster, which is encoded there; made by `scan_spark`.

    It can be used like a table, and so can the data frame. No job runs before it is first used.
    """

    def __init__(self, frame: Any, options: ScanOptions, progress: ProgressCallback | None, *, text: bool) -> None:
        super().__init__(frame.columns, options, progress)
        self.frame_origin = UNKNOWN  # set by callers that know how the data frame was created
        self._frame = frame
        self._options = options
        self._origin: Origin | None = None
        self._text = text
        self._counter: PassCounter | None = None
        self._passes: SparkPasses | None = None
        self._whole: SparkScan | None = None
        self._n_rows = 0
        self._levels: dict[Name, tuple[Level, ...]] = {}

    @property
    def origin(self) -> Origin:
        """Python code that creates the scan."""
        return self._origin or call_of(
            "bitsep.scan_spark", self.frame_origin, **self._options._asdict(), text=self._text
        )

    @property
    def n_rows(self) -> int:
        """The number of rows, without those of weight 0."""
        self.counter()
        return self._n_rows

    def levels(self, name: Name) -> tuple[Level, ...]:
        """The levels of a column in canonical order."""
        if name not in self.names:
            raise self._unknown(name)
        self.counter()
        return self._levels[name]

    def counter(self, threads: int | None = 1) -> PassCounter:
        """The counter of all columns; the number of threads is that of the cluster."""
        if threads is not None:
            integer("threads", threads, at_least=1)
        if self._counter is None:
            from bitsep.counting.passes import PassCounter

            self._passes = self._encode()
            self._counter = PassCounter(self._passes)
        return self._counter

    def select(self, names: Iterable[Name]) -> SparkScan:
        """The same rows with these columns only, in the order of the source; both scans share the codes."""
        from bitsep.counting.passes import PassCounter

        self.counter()
        assert self._passes is not None
        selected = self._selected(names)
        selected._passes = self._passes.select(sorted_names(selected.names))
        selected._counter = PassCounter(selected._passes)
        selected._whole = self  # its chunks are released together with it
        return selected

    def _with_missing_level(self, names: tuple[Name, ...]) -> SparkScan:
        from bitsep.counting.passes import PassCounter

        found = self.select(self.names)
        assert found._passes is not None
        found._passes = found._passes.with_missing_level(names)
        found._counter = PassCounter(found._passes)
        found._levels = self._levels | {name: (*self._levels[name], MISSING_LEVEL) for name in names}
        found._origin = method_of(self.origin, "with_missing_level", names)
        return found

    def cut(self, columns: Sequence[CutColumn]) -> SparkScan:
        """The same rows with intervals as levels of these columns; both scans share the codes."""
        from bitsep.counting.passes import PassCounter

        self.counter()
        assert self._passes is not None
        cut = self._with_cuts(columns)
        groups = {one.column: (one.recode(self.levels(one.column)), one.intervals()) for one in columns}
        cut._levels = self._levels | {name: levels for name, (_, levels) in groups.items()}
        cut._passes = self._passes.recoded({name: (recode, len(levels)) for name, (recode, levels) in groups.items()})
        cut._counter = PassCounter(cut._passes)
        cut._whole = self  # its chunks are released together with it
        return cut

    def made_by(self, origin: Origin) -> SparkScan:
        """The same scan with another origin."""
        other = copy.copy(self)
        other._origin = origin
        other._whole = self
        return other

    def _encode(self) -> SparkPasses:
        from bitsep.counting.spark import SparkPasses

        frame = self._frame
        if self._weights is not None:
            check_weights(frame, self._weights)
            frame = frame.filter(column_of(self._weights) > 0)
        variables = sorted_names(self.names)
        check_types(frame, variables)
        with _temporarily_persisted(self._number(frame, variables)) as numbered:
            # A separate job: small Arrow batches are for jobs that read chunks, not for this one.
            rows_before, rows, n = _partitions(numbered)
            self._n_rows = rows
            self._tell("reading", 1, 1)
            if not rows:
                raise DataError(
                    "data: no rows; at least one is needed."
                    if self._weights is None
                    else "weights: every row has weight 0; at least one must count."
                )
            with small_batches(frame.sparkSession):
                found = find_levels(numbered, variables, self._rules, text=self._text)
                self._tell("levels", 1, 1)
                chunks = self._recode(numbered, found)
                self._tell("encoding", 1, 1)
        self._levels = {name: one.levels for name, one in zip(variables, found, strict=True)}
        sizes = [len(one.levels) for one in found]
        return SparkPasses(
            chunks, variables, sizes, self._weights is not None, rows_before, n, self._budget, self._tell
        )

    def _number(self, frame: Any, variables: Sequence[Name]) -> Any:
        """The rows as chunks of provisional numbers, with the values that they stand for."""
        # Columns are renamed, because Spark has problems with dots and backticks in names.
        columns = {name: f"v{i}" for i, name in enumerate(variables)}
        weights = None if self._weights is None else "weights"
        chosen = [column_of(name).alias(columns.get(name, "weights")) for name in self._picked]
        worker = NumberPartition(tuple(columns.values()), weights)
        schema = chunk_schema(len(variables), weighted=weights is not None, new_values=True)
        return frame.select(*chosen).mapInArrow(as_function(worker), schema)

    def _recode(self, numbered: Any, found: Sequence[ColumnLevels]) -> Any:
        """The same chunks with the codes of the levels."""
        worker = RecodePartition([one.code_of for one in found], [len(one.levels) for one in found])
        schema = chunk_schema(len(found), weighted=self._weights is not None)
        chunks = _persisted(numbered.mapInArrow(as_function(worker), schema))
        weakref.finalize(self, _unpersist, chunks)
        chunks.count()  # now, while the numbers are persisted
        return chunks


def _partitions(chunks: Any) -> tuple[dict[int, int], int, int]:
    """The number of rows before each partition, the number of all rows, and the sum of weights; runs a job."""
    from pyspark.sql import functions as fn

    table = chunks.groupBy("part").agg(fn.sum("rows").alias("rows"), fn.sum("weight").alias("weight")).toArrow()
    rows_before, rows, weight = {}, 0, 0
    for part in sorted(table.to_pylist(), key=lambda one: one["part"]):
        rows_before[part["part"]] = rows
        rows += part["rows"]
        weight += part["weight"]
    return rows_before, rows, weight


def _persisted(chunks: Any) -> Any:
    with contextlib.suppress(Exception):  # without persistence, every pass encodes the data again
        return chunks.persist()
    return chunks


@contextlib.contextmanager
def _temporarily_persisted(chunks: Any) -> Iterator[Any]:
    """The chunks, persisted until the end of the block."""
    chunks = _persisted(chunks)
    try:
        yield chunks
    finally:
        _unpersist(chunks)


def _unpersist(chunks: Any) -> None:
    with contextlib.suppress(Exception):  # the session may have ended
        chunks.unpersist()


def scan_spark(
    frame: Any,
    columns: Iterable[Name] | None = None,
    weights: Name | None = None,
    missing: Any = DEFAULT_MISSING,
    max_float_levels: int | None = DEFAULT_MAX_FLOAT_LEVELS,
    memory: str | int = "1GB",
    progress: ProgressCallback | None = None,
    text: bool = False,
    decimal: str = ".",
    thousands: str | None = None,
) -> SparkScan:
    """Open a Spark data frame with options.

    ``pc_stable(frame)`` works as well; it uses all columns, without weights.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The data frame, of a classic session or of Spark Connect.
    columns, weights, missing, max_float_levels
        As for `bitsep.Table`; `weights` is the name of a column.
    memory : str or int
        The memory for the counts of one pass, on the driver and in each Python worker.
    progress : callable, optional
        Called as ``progress(stage, finished, total)`` after every job.
    text : bool
        Whether all columns are texts from CSV files, whose types are to be inferred (see `bitsep.Table`).
    decimal, thousands : str, optional
        With `text`: the separators in numbers, as for `bitsep.Table`.

    Returns
    -------
    SparkScan

    Notes
    -----
    bitsep must be installed on the executors. For the bootstrap, rows are numbered by partition and position in it, as
    they were when the data frame was first used.

    Examples
    --------
    With a session ``spark``::

        data = bitsep.scan_spark(spark.read.parquet("counts"), weights="count", memory="2GB")
        bitsep.pc_stable(data)
    """
    if not is_spark_frame(frame):
        raise UnsupportedTypeError(f"data: must be a Spark data frame, got {type(frame).__name__}.")
    options = ScanOptions(memory, chosen_columns(columns), weights, missing, max_float_levels, decimal, thousands)
    plain = missing is DEFAULT_MISSING and options == _DEFAULT_OPTIONS and progress is None and not text
    if plain and (known := _scans.get(frame)) is not None:
        return known
    scan = SparkScan(frame, options, progress, text=text)
    if plain:
        _scans[frame] = scan
    return scan
