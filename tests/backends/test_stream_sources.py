"""What a scan reads, each compared with the same data in memory."""

from __future__ import annotations

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


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_MAX_ROWS", 300)


@pytest.fixture(scope="module")
def table() -> pa.Table:
    frame = bitsep.load_network("asia").sample(1000, seed=2)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    table = table.append_column("kind", pa.array([f"k{i % 7 % 4}" for i in range(1000)]))
    return table.append_column("year", pa.array([2019 + i % 3 for i in range(1000)]))


@pytest.fixture(scope="module")
def expected(table: pa.Table) -> str:
    return bitsep.pc_stable(table).to_json()


def _same(data: Any, expected: str) -> None:
    assert bitsep.pc_stable(bitsep.scan(data, memory="64MB")).to_json() == expected


def test_pattern_and_folder(table: pa.Table, expected: str, tmp_path: Path) -> None:
    for number in range(3):
        pq.write_table(table.slice(number * 400, 400), tmp_path / f"part{number}.parquet")
    (tmp_path / "_SUCCESS").touch()
    _same(str(tmp_path / "*.parquet"), expected)
    _same(tmp_path, expected)
    assert bitsep.pc_stable(bitsep.scan_parquet(tmp_path / "part*.parquet")).to_json() == expected


def test_partitioned_folder(table: pa.Table, expected: str, tmp_path: Path) -> None:
    ds.write_dataset(table, tmp_path, format="parquet", partitioning=["year"], partitioning_flavor="hive")
    _same(tmp_path, expected)


def test_file_system(table: pa.Table, expected: str, tmp_path: Path) -> None:
    from pyarrow.fs import LocalFileSystem, SubTreeFileSystem

    pq.write_table(table, tmp_path / "data.parquet")
    scan = bitsep.scan("data.parquet", filesystem=SubTreeFileSystem(str(tmp_path), LocalFileSystem()))
    assert bitsep.pc_stable(scan).to_json() == expected
    _same((tmp_path / "data.parquet").as_uri(), expected)


def test_arrow(table: pa.Table, expected: str) -> None:
    _same(table, expected)
    _same(table.to_reader(max_chunksize=77), expected)
    _same(ds.dataset(table), expected)


def test_duckdb(table: pa.Table, expected: str) -> None:
    _same(duckdb.from_arrow(table.cast(_plain(table.schema))), expected)


def _plain(schema: pa.Schema) -> pa.Schema:
    fields = [pa.field(f.name, f.type.value_type if pa.types.is_dictionary(f.type) else f.type) for f in schema]
    return pa.schema(fields)


def test_csv(table: pa.Table, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    pc.write_csv(table.cast(_plain(table.schema)), path)
    _same(path, bitsep.pc_stable(bitsep.Table(path)).to_json())
    _same(path, bitsep.pc_stable(table).to_json())


def test_csv_types_are_those_of_the_whole_column(tmp_path: Path) -> None:
    """A column that turns from integers to text half-way is text, in the stream as in memory."""
    path = tmp_path / "data.tsv"
    rows = [f"{i % 3}\t{i % 2}\tNA" for i in range(1000)] + ["x\t1\t7"]
    path.write_text("\n".join(["turns\tstays\tmissing", *rows]))
    scan, whole = bitsep.scan(path, memory="8MB"), bitsep.Table(path)
    for name in whole.names:
        assert scan.levels(name) == whole.levels(name)
    assert scan.levels("turns") == ("0", "1", "2", "x")


def test_parts_of_different_width(tmp_path: Path) -> None:
    """Integers, floats, and a part where nothing is known: the values decide, not the types."""
    pq.write_table(pa.table({"x": pa.array([1, 2] * 50, pa.int8()), "y": ["a", "b"] * 50}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"x": pa.array([1.0, 2.5] * 50), "y": ["b", "c"] * 50}), tmp_path / "2.parquet")
    pq.write_table(pa.table({"x": pa.nulls(10), "y": pa.array(["a"] * 10, pa.large_string())}), tmp_path / "3.parquet")
    scan = bitsep.scan_parquet(tmp_path)
    assert (scan.levels("x"), scan.levels("y"), scan.n_rows) == ((1, 2, 2.5), ("a", "b", "c"), 210)


def test_scan_says_what_it_is(table: pa.Table, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    pq.write_table(table, tmp_path / "data.parquet")
    with bitsep.scan(tmp_path, memory="50MB", progress=lambda *step: seen.append(step)) as scan:
        assert repr(scan) == "Scan: not read yet, 10 columns, memory 50MB"
        assert not scan.spilled
        assert (scan.n_rows, scan.n, scan.n_levels("year")) == (1000, 1000, 3)
        bitsep.independence_test(scan, "tub", "smoke")
        assert repr(scan) == "Scan: 1,000 rows, 10 columns, memory 50MB"
    assert ("reading", 1000, 0) in seen
    assert seen[-1] == ("pass 1", 4, 4)
    with pytest.raises(bitsep.errors.ArgumentError, match="closed"):
        bitsep.independence_test(scan, "xray", "smoke")


def test_result_outlives_the_scan(table: pa.Table, expected: str) -> None:
    d = bitsep.pc_stable(bitsep.scan(table, memory="4MB"))
    import gc

    gc.collect()
    assert d.to_json() == expected
    assert d.warnings == bitsep.pc_stable(table).warnings
