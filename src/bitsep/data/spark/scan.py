"""`SparkScan`: a Spark data frame, taken wherever a table is."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bitsep.data.budget import Budget
from bitsep.data.contract import EncodedData
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS, Rules
from bitsep.data.fingerprint import Fingerprint, fingerprint_of
from bitsep.data.levels import DEFAULT_MISSING, Level, Missing
from bitsep.data.load import is_spark_frame
from bitsep.data.origin import UNKNOWN, Origin, call_of
from bitsep.data.readers.selection import Selection
from bitsep.data.spark.encoding import NumberPartition, RecodePartition, chunk_schema
from bitsep.data.spark.jobs import few_records, plain_function
from bitsep.data.spark.levels import ColumnLevels, check_types, check_weights, column_of, find_levels
from bitsep.data.table import chosen_columns, float_limit
from bitsep.errors import DataError, UnsupportedTypeError
from bitsep.naming import Name, sorted_names

if TYPE_CHECKING:
    from bitsep.counting.passes import PassCounter
    from bitsep.counting.spark import SparkPasses

# A data frame that is given again, to another test, is not encoded again.
_ready: weakref.WeakKeyDictionary[Any, SparkScan] = weakref.WeakKeyDictionary()


class SparkScan(EncodedData):
    """The data frame of a Spark cluster, encoded there; made by `scan_spark`.

    Give it, or the data frame itself, wherever a table is taken. Nothing runs before it is first used.
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
        self.frame_origin = UNKNOWN  # how the data frame was made; those who know may say so
        self._options = {
            "memory": memory, "columns": chosen, "weights": weights, "missing": missing,
            "max_float_levels": max_float_levels, "text": text,
        }  # fmt: skip
        self._frame = frame
        self._picked = Selection(chosen, weights).pick(frame.columns)
        self._weights = weights
        self._rules = Rules(Missing(missing), float_limit(max_float_levels))
        self._budget = Budget.of(memory)
        self._progress = progress
        self._text = text
        self._counter: PassCounter | None = None
        self._n_rows = 0
        self._fingerprint: Fingerprint | None = None
        self._levels: dict[Name, ColumnLevels] = {}

    @property
    def origin(self) -> Origin:
        """How the scan was made, as Python."""
        return call_of("bitsep.scan_spark", self.frame_origin, **self._options)

    @property
    def names(self) -> tuple[Name, ...]:
        """The columns, in the order of the data frame; a column of weights is not among them."""
        return tuple(name for name in self._picked if name != self._weights)

    @property
    def n_rows(self) -> int:
        """Rows kept: those of weight 0 are dropped."""
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
        """The fingerprint, and one that depends on the order of the rows; takes a job when first asked."""
        if self._fingerprint is None:
            self._fingerprint = fingerprint_of(self, self.counter().row_hashes, weighted=self._weights is not None)
        return self._fingerprint

    def counter(self, threads: int = 1) -> PassCounter:
        """The counter of all columns; the number of threads is that of the cluster."""
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
        with _kept(self._number(frame, variables)) as numbered:
            # A job of its own: Arrow batches of few records are for those that read chunks, not for this one.
            before, rows, n = _partitions(numbered)
            self._n_rows = rows
            self._tell("reading", 1, 1)
            if not rows:
                raise DataError(
                    "data: no rows; at least one is needed."
                    if self._weights is None
                    else "weights: every row has weight 0; at least one must count."
                )
            with few_records(frame.sparkSession):
                found = find_levels(numbered, variables, self._rules, text=self._text)
                self._tell("levels", 1, 1)
                chunks = self._recode(numbered, found)
                self._tell("encoding", 1, 1)
        self._levels = dict(zip(variables, found, strict=True))
        sizes = [len(one.levels) for one in found]
        return SparkPasses(chunks, variables, sizes, self._weights is not None, before, n, self._budget, self._tell)

    def _number(self, frame: Any, variables: Sequence[Name]) -> Any:
        """The rows as chunks of provisional numbers, with the values they stand for."""
        # Inside, columns go by number: Spark itself stumbles over names with dots and backticks.
        places = {name: f"v{i}" for i, name in enumerate(variables)}
        weights = None if self._weights is None else "weights"
        chosen = [column_of(name).alias(places.get(name, "weights")) for name in self._picked]
        worker = NumberPartition(tuple(places.values()), weights)
        schema = chunk_schema(len(variables), weighted=weights is not None, fresh=True)
        return frame.select(*chosen).mapInArrow(plain_function(worker), schema)

    def _recode(self, numbered: Any, found: Sequence[ColumnLevels]) -> Any:
        """The same chunks with the codes of the levels."""
        worker = RecodePartition([one.place for one in found], [len(one.levels) for one in found])
        schema = chunk_schema(len(found), weighted=self._weights is not None)
        chunks = _persisted(numbered.mapInArrow(plain_function(worker), schema))
        weakref.finalize(self, _unpersist, chunks)
        chunks.count()  # now, while the numbers are there
        return chunks

    def _tell(self, stage: str, finished: int, total: int) -> None:
        if self._progress is not None:
            self._progress(stage, finished, total)


def _partitions(chunks: Any) -> tuple[dict[int, int], int, int]:
    """Rows before each partition, rows and weights in all of them; also makes Spark read the data now."""
    from pyspark.sql import functions as fn

    table = chunks.groupBy("part").agg(fn.sum("rows").alias("rows"), fn.sum("weight").alias("weight")).toArrow()
    before, rows, weight = {}, 0, 0
    for part in sorted(table.to_pylist(), key=lambda one: one["part"]):
        before[part["part"]] = rows
        rows += part["rows"]
        weight += part["weight"]
    return before, rows, weight


def _persisted(chunks: Any) -> Any:
    with contextlib.suppress(Exception):  # where nothing can be persisted, every round encodes anew
        return chunks.persist()
    return chunks


@contextlib.contextmanager
def _kept(chunks: Any) -> Iterator[Any]:
    """Persisted for the time being."""
    chunks = _persisted(chunks)
    try:
        yield chunks
    finally:
        _unpersist(chunks)


def _unpersist(chunks: Any) -> None:
    with contextlib.suppress(Exception):  # the session may be gone, and the cache with it
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
    """A Spark data frame, with more to say about it than the data frame alone tells.

    ``pc_stable(frame)`` works as well; it reads every column, without weights.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        Of a classic session or of Spark Connect.
    columns, weights, missing, max_float_levels
        As for `bitsep.Table`; `weights` is the name of a column.
    memory : str or int
        For the counts of one round, on the driver and in each Python worker.
    progress : callable, optional
        Called as ``progress(stage, finished, total)`` after every job.
    text : bool
        All columns are texts from CSV files, whose types have yet to be read (see `bitsep.Table`).

    Returns
    -------
    SparkScan

    Notes
    -----
    The executors need bitsep installed. Rows are numbered (for the bootstrap) by partition and place in it, as they
    were when the data frame was first used.

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
    if plain and (known := _ready.get(frame)) is not None:
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
        _ready[frame] = scan
    return scan
