"""Encoding on a cluster: the same levels as in memory, whatever the type, however many values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import bitsep
from bitsep.data.spark import encoding
from bitsep.data.spark.encoding import Numbering, RecodePartition, lookup_keys, merge_values, packed, unpacked
from bitsep.errors import DataError, UnsupportedTypeError


def _numbered(numbering: Numbering, column: pa.Array) -> tuple[pa.RecordBatch, bytes | None]:
    """A batch as a chunk of its own, and its new values."""
    numbers = numbering.numbers(column)
    fresh = numbering.take_new_values()
    return encoding._chunk_batch((0, 0, len(column), len(column)), [numbers], None, [fresh]), fresh


def _merged(fresh: list[bytes | None]) -> pa.Array | None:
    given = [one for one in fresh if one is not None]
    rows = pa.record_batch({"variable": pa.array([0] * len(given), pa.int32()), "values": pa.array(given, pa.binary())})
    [found] = merge_values([rows.slice(0, 1), rows.slice(1)])
    data = found["values"][0]
    return unpacked(data.as_buffer()) if data.is_valid else None


def test_numbers_become_codes() -> None:
    """Codes grow wider on the way; NaN is missing, and the two zeros are one."""
    batches = [
        pa.array([2.5, None, float("nan"), -0.0, 0.0]),
        pa.array([None, None], pa.float64()),
        pa.array(np.arange(300, 0, -1) / 2),
        pa.array([float("nan"), 0.0, 150.0]),
    ]
    numbering = Numbering()
    chunks, fresh = zip(*(_numbered(numbering, batch) for batch in batches), strict=True)
    values = _merged(list(fresh))
    assert values is not None
    place = {key: int(2 * key) for key in lookup_keys(values) if key is not None}
    assert len(place) == 301
    recoded = RecodePartition([place], [301])(iter(chunks))
    codes = np.concatenate([np.frombuffer(one["c0"][0].as_buffer(), np.int16) for one in recoded])
    expected = [-1 if x is None or x != x else int(2 * x) for batch in batches for x in batch.to_pylist()]
    assert codes.tolist() == expected


def test_too_many_values_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "MAX_VALUES", 100)
    numbering = Numbering()
    fresh = [_numbered(numbering, pa.array(range(start, start + 30)))[1] for start in range(0, 300, 30)]
    assert sum(data is not None for data in fresh) == 4  # a partition hands on no more than it takes to refuse it
    assert _merged(fresh) is None
    assert _merged([packed(pa.array(range(60))), packed(pa.array(range(50, 110)))]) is None
    assert _merged([packed(pa.array(range(80))), packed(pa.array(range(40, 100)))]) is not None


def test_a_time_that_comes_twice() -> None:
    zone = pa.timestamp("us", "America/New_York")
    twice = pa.array([1604208600000000, 1604212200000000], pa.int64()).cast(zone)  # 1:30 in summer, 1:30 in winter
    assert len(set(lookup_keys(twice))) == 2


TYPES = {
    "truth": "if(id % 5 = 0, null, id % 2 = 0)",
    "byte": "cast(id % 3 as byte)",
    "long": "id % 4 * 10000000000",
    "float": "cast(case id % 5 when 0 then 'NaN' when 1 then '-0.0' when 2 then '0.0' else '0.1' end as float)",
    "double": "case id % 4 when 0 then double('NaN') when 1 then -0.0D when 2 then null else 2.5D end",
    "decimal": "cast(id % 4 * 1.10 as decimal(10, 2))",
    "text": "case id % 5 when 0 then 'NA' when 1 then '' when 2 then null when 3 then 'b' else 'a' end",
    "binary": "cast(string(id % 3) as binary)",
    "date": "date_add(date'2020-01-01', cast(id % 3 as int))",
    "zoned": "timestamp_seconds(1604206800 + id % 4 * 1800)",  # the hour that comes twice in New York
    "zoneless": "cast(timestamp_seconds(1604206800 + id % 3 * 60) as timestamp_ntz)",
    "duration": "make_dt_interval(cast(id % 3 as int))",
    "collated": "(case id % 2 when 0 then 'a' else 'A' end) collate UTF8_LCASE",
    "nothing": "cast(null as double)",
    "void": "null",
}


@pytest.fixture
def in_new_york(spark: Any) -> Iterator[Any]:
    earlier = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    yield spark
    spark.conf.set("spark.sql.session.timeZone", earlier)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_types(in_new_york: Any) -> None:
    frame = in_new_york.range(0, 400, 1, 3).selectExpr(*(f"{value} as {name}" for name, value in TYPES.items()))
    # Spark itself does not hand over a column without a type.
    in_memory = frame.drop("void").toArrow().append_column("void", pa.nulls(400))
    scan, table = bitsep.scan_spark(frame), bitsep.Table(in_memory)
    for name in TYPES:
        assert repr(scan.levels(name)) == repr(table.levels(name))
    queries = [(name, "byte", ()) for name in TYPES if name != "byte"]
    assert repr(bitsep.evaluate(scan, queries)) == repr(bitsep.evaluate(table, queries))
    with pytest.raises(UnsupportedTypeError, match="column 'x' has yearmonthinterval values"):
        bitsep.pc_stable(in_new_york.range(9).selectExpr("make_ym_interval(cast(id as int)) as x", "id"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_too_many_levels(spark: Any) -> None:
    rows = spark.range(0, 1_400_000, 1, 2).selectExpr("id", "id % 2 as x")
    with pytest.raises(
        DataError, match=r"column 'id' has too many levels; at most 1,000,000 are possible, got more than 1,200,000"
    ):
        bitsep.pc_stable(rows)
    with pytest.raises(
        DataError, match=r"column 'id' has too many levels; at most 1,000,000 are possible, got more than 1,200,000"
    ):
        bitsep.pc_stable(rows.coalesce(1))
    with pytest.raises(
        DataError, match=r"column 'id' has too many levels; at most 1,000,000 are possible, got 1,100,000"
    ):
        bitsep.pc_stable(rows.where("id < 1100000"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_nothing_is_left_behind(spark: Any, alarm: Path) -> None:
    """The session keeps its settings, and the cache only what a scan needs."""
    setting = "spark.sql.execution.arrow.maxRecordsPerBatch"
    spark.conf.set(setting, "777")
    spark.catalog.clearCache()
    scan = bitsep.scan_spark(spark.read.parquet(str(alarm)), columns=["CVP", "PCWP"])
    assert scan.n == 3000
    assert spark.conf.get(setting) == "777"
    spark.conf.unset(setting)
    assert len(spark.sparkContext._jsc.getPersistentRDDs()) == 1
