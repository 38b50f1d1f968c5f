"""`SparkScan`: a Spark data frame, which can be used like a table."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bitsep.checks import integer
from bitsep.data.budget import Budget
from bitsep.data.contract import EncodedData
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS, EncodingRules
from bitsep.data.fingerprint import Fingerprint, fingerprint_of
from bitsep.data.levels import DEFAULT_MISSING, Level, Missing
from bitsep.data.load import is_spark_frame
from bitsep.data.origin import UNKNOWN, Origin, call_of
from bitsep.data.readers.selection import Selection
from bitsep.data.spark.encoding import NumberPartition, RecodePartition, chunk_schema
from bitsep.data.spark.jobs import as_function, small_batches
from bitsep.data.spark.levels import ColumnLevels, check_types, check_weights, column_of, find_levels
from bitsep.data.table import chosen_columns, float_limit
from bitsep.errors import DataError, UnsupportedTypeError
from bitsep.naming import Name, sorted_names

if TYPE_CHECKING:
    from bitsep.counting.passes import PassCounter
    from bitsep.counting.spark import SparkPasses

# Scans of data frames passed to tests and searches, so that a data frame is encoded only once.
_scans: weakref.WeakKeyDictionary[Any, SparkScan] = weakref.WeakKeyDictionary()


class SparkScan(EncodedData):
    """A data frame of a Spark cluster, which is encoded there; made by `scan_spark`.

    It can be used like a table, and so can the data frame. No job runs before it is first used.
    """

    def __init__(
        self,
        frame: Any,
        *,
        columns: Iterable[Name] | None,
        weights: Name | None,
        missing: Any,
        max_float_levels: int | None,
        memory: str | int,
        progress: Callable[[str, int, int], None] | None,
        text: bool,
    ) -> None:
        chosen = chosen_columns(columns)
        self.frame_origin = UNKNOWN  # set by callers that know how the data frame was created
        self._options = {
            "memory": memory, "columns": chosen, "weights": weights, "missing": missing,
            "max_float_levels": max_float_levels, "text": text,
        }  # fmt: skip
        self._frame = frame
        self._picked = Selection(chosen, weights).pick(frame.columns)
        self._weights = weights
        self._rules = EncodingRules(Missing(missing), float_limit(max_float_levels))
        self._budget = Budget.of(memory)
        self._progress = progress
        self._text = text
        self._counter: PassCounter | None = None
        self._n_rows = 0
        self._fingerprint: Fingerprint | None = None
        self._levels: dict[Name, ColumnLevels] = {}

    @property
    def origin(self) -> Origin:
        """Python code that creates the scan."""
        return call_of("bitsep.scan_spark", self.frame_origin, **self._options)

    @property
    def names(self) -> tuple[Name, ...]:
        """The columns in the order of the data frame, without the column of weights."""
        return tuple(name for name in self._picked if name != self._weights)

    @property
    def n_rows(self) -> int:
        """The number of rows, without those of weight 0."""
        self.counter()
        return self._n_rows

    @property
    def n(self) -> int:
        """The sum of the weights; without weights, the number of rows."""
        return self.counter().n

    def levels(self, name: Name) -> tuple[Level, ...]:
        """The levels of a column in canonical order."""
        if name not in self.names:
            raise self._unknown(name)
        self.counter()
        return self._levels[name].levels

    def fingerprints(self) -> Fingerprint:
        """The fingerprint, and one that depends on the order of the rows; the first call runs a job."""
        if self._fingerprint is None:
            self._fingerprint = fingerprint_of(self, self.counter().row_hashes, weighted=self._weights is not None)
        return self._fingerprint

    def counter(self, threads: int | None = 1) -> PassCounter:
        """The counter of all columns; the number of threads is that of the cluster."""
        if threads is not None:
            integer("threads", threads, at_least=1)
        if self._counter is None:
            from bitsep.counting.passes import PassCounter

            self._counter = PassCounter(self._encode())
        return self._counter

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
        self._levels = dict(zip(variables, found, strict=True))
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

    def _tell(self, stage: str, finished: int, total: int) -> None:
        if self._progress is not None:
            self._progress(stage, finished, total)


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
    progress: Callable[[str, int, int], None] | None = None,
    text: bool = False,
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
    plain = (columns, weights, progress) == (None, None, None) and missing is DEFAULT_MISSING and not text
    plain = plain and max_float_levels == DEFAULT_MAX_FLOAT_LEVELS and memory == "1GB"
    if plain and (known := _scans.get(frame)) is not None:
        return known
    scan = SparkScan(
        frame,
        columns=columns,
        weights=weights,
        missing=missing,
        max_float_levels=max_float_levels,
        memory=memory,
        progress=progress,
        text=text,
    )
    if plain:
        _scans[frame] = scan
    return scan
