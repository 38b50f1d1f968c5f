"""A scan whose reading was interrupted reads all rows again, or says that it cannot; it never goes on with the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import bitsep
from bitsep.data import budget
from bitsep.errors import ReadError

ROWS = 10_000


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_MAX_ROWS", 1000)


def table() -> pa.Table:
    return pa.table({"x": [i % 2 for i in range(ROWS)], "y": [i % 3 for i in range(ROWS)]})


class Stream:
    """Anything that offers an Arrow stream and nothing else."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return table().to_reader(1000).__arrow_c_stream__(requested_schema)


def interrupted(data: Any) -> bitsep.data.scan.Scan:
    """A scan of the data that was stopped after 6,000 rows."""
    calls = []

    def stop(stage: str, finished: int, total: int) -> None:
        calls.append(finished)
        if len(calls) == 6:
            raise KeyboardInterrupt

    scan = bitsep.scan(data, progress=stop)
    with pytest.raises(KeyboardInterrupt):
        bitsep.independence_test(scan, "x", "y")
    assert calls[-1] < ROWS
    return scan


ONCE: dict[str, Callable[[], Any]] = {
    "reader": lambda: table().to_reader(1000),
    "reader of a generator": lambda: pa.RecordBatchReader.from_batches(
        table().schema, (batch for batch in table().to_batches(1000))
    ),
    "relation": lambda: duckdb.from_arrow(table()),
    "stream": Stream,
    "table": table,
}


@pytest.mark.parametrize("source", ONCE)
def test_a_stream_that_was_not_read_to_its_end_says_so(source: str) -> None:
    scan = interrupted(ONCE[source]())
    for _ in range(2):
        with pytest.raises(ReadError, match="data: this stream was read before, perhaps in part"):
            bitsep.independence_test(scan, "x", "y")
    with pytest.raises(ReadError, match="read only once"):
        assert scan.n_rows


def test_what_is_left_of_a_reader_is_not_taken_for_the_data() -> None:
    reader = table().to_reader(1000)
    interrupted(reader)
    with pytest.raises(ReadError, match="read before"):
        bitsep.independence_test(bitsep.scan(reader), "x", "y")
    with pytest.raises(ReadError, match="read before"):
        bitsep.Table(reader)


def test_a_reader_that_failed_half_way_cannot_be_read_again() -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield from table().to_batches(1000)[:3]
        raise RuntimeError("the network is down")

    reader = pa.RecordBatchReader.from_batches(table().schema, batches())
    with pytest.raises(RuntimeError, match="the network is down"):
        bitsep.Table(reader)
    with pytest.raises(ReadError, match="read before"):
        bitsep.Table(reader)


def test_a_reader_that_was_read_says_so_instead_of_having_no_rows() -> None:
    reader = table().to_reader(1000)
    assert bitsep.Table(reader).n_rows == ROWS
    with pytest.raises(ReadError, match="read before"):
        bitsep.Table(reader)


def test_the_connection_of_an_interrupted_relation_is_free_again() -> None:
    connection = duckdb.connect()
    interrupted(connection.from_arrow(table()))
    assert connection.sql("select 1").fetchall() == [(1,)]
    assert bitsep.scan(connection.from_arrow(table())).n_rows == ROWS


@pytest.mark.parametrize("kind", ["parquet", "csv", "dataset"])
def test_files_are_read_again_from_their_beginning(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"data.{kind}"
    if kind == "csv":
        pc.write_csv(table(), path)
    else:
        pq.write_table(table(), path, row_group_size=1000)
    scan = interrupted(ds.dataset(path) if kind == "dataset" else path)
    assert bitsep.independence_test(scan, "x", "y") == bitsep.independence_test(table(), "x", "y")
