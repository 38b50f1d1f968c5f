"""Streams that cannot be read, and budgets that do not suffice."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bitsep
from bitsep.data import budget
from bitsep.errors import (
    ArgumentError,
    DataError,
    FormatError,
    ReadError,
    UnknownColumnError,
    UnsupportedTypeError,
    WriteError,
)
from bitsep.processors import available_processors


def _write(path: Path, **columns: object) -> None:
    pq.write_table(pa.table(columns), path, row_group_size=200, compression="snappy")


def test_column_turns_from_integer_to_text(tmp_path: Path) -> None:
    _write(tmp_path / "a.parquet", x=[1, 2], y=[0, 1])
    _write(tmp_path / "b.parquet", x=["1", "two"], y=[0, 1])
    with pytest.raises(DataError, match=r"column 'x' changes from int64 in '.*a.parquet' to string in '.*b.parquet'"):
        bitsep.independence_test(bitsep.scan_parquet(tmp_path), "x", "y")
    assert bitsep.scan_parquet(tmp_path, columns=["y"]).levels("y") == (0, 1)


def test_part_without_a_column(tmp_path: Path) -> None:
    _write(tmp_path / "a.parquet", x=[1, 2], y=[0, 1])
    _write(tmp_path / "b.parquet", x=[1, 2])
    with pytest.raises(DataError, match=r"b.parquet' has no column 'y'"):
        bitsep.pc_stable(bitsep.scan_parquet(tmp_path / "*.parquet"))


def test_csv_part_without_a_column(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "b.csv").write_text("x\n1\n")
    with pytest.raises(DataError, match=r"b.csv' has no column 'y'"):
        bitsep.pc_stable(bitsep.scan(tmp_path / "*.csv"))


def test_ragged_csv_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n" + "1,2\n" * 500 + "1\n")
    with pytest.raises(FormatError, match="line 502: expected 2 fields as in the header, got 1"):
        bitsep.pc_stable(bitsep.scan(tmp_path / "a.csv"))


def test_damaged_row_group(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    draw = np.random.default_rng(1)
    _write(path, x=draw.integers(0, 10**6, 1000) // 20000, y=draw.integers(0, 3, 1000))
    group = pq.ParquetFile(path).metadata.row_group(3).column(0)
    start = group.dictionary_page_offset or group.data_page_offset
    content = bytearray(path.read_bytes())
    content[start : start + 40] = b"\xff" * 40
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"data.parquet' is damaged beyond row"):
        bitsep.pc_stable(bitsep.scan_parquet(path))


def test_not_parquet(tmp_path: Path) -> None:
    (tmp_path / "data.parquet").write_text("x,y\n1,2\n")
    with pytest.raises(FormatError, match="is not a valid Parquet file"):
        bitsep.scan_parquet(tmp_path / "data.parquet")


def test_file_changes_between_passes(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    _write(path, x=[1, 2] * 50, y=[0, 1] * 50, z=[0, 0, 1, 1] * 25)
    scan = bitsep.scan_parquet(path)
    bitsep.independence_test(scan, "x", "y")
    _write(path, x=[1, 2] * 60, y=[0, 1] * 60, z=[0, 0, 1, 1] * 30)
    with pytest.raises(ReadError, match=r"data.parquet' changed since the scan read it"):
        bitsep.independence_test(scan, "x", "y", given="z")
    os.unlink(path)
    with pytest.raises(ReadError, match="is gone since"):
        bitsep.independence_test(scan, "x", "y", given="z")


@pytest.mark.parametrize("memory", ["much", "", "GB", 0, -5, None, True, "1 parsec"])
def test_no_amount_of_memory(memory: object) -> None:
    with pytest.raises(ArgumentError, match="or a number of bytes, got"):
        bitsep.scan(pa.table({"x": [1]}), memory=memory)  # type: ignore[arg-type]


def test_budget_too_small_for_the_columns() -> None:
    table = pa.table({f"x{i}": [0, 1] for i in range(300)})
    with pytest.raises(ArgumentError, match=r"300 columns in chunks of 256 rows need 11MB") as error:
        bitsep.scan(table, memory="2MB")
    needed = str(error.value).split('memory="')[1].split('"')[0]
    assert bitsep.scan(table, memory=needed).n_rows == 2


def test_budget_too_small_for_the_levels() -> None:
    table = pa.table({"x": np.arange(30_000), "y": np.arange(30_000) % 2})
    with pytest.raises(ArgumentError, match=r"levels met so far need \d+MB"):
        bitsep.independence_test(bitsep.scan(table, memory="8MB"), "x", "y")
    assert bitsep.scan(table, memory="100MB").n_levels("x") == 30_000


def test_budget_too_small_for_the_cells() -> None:
    draw = np.random.default_rng(3)
    table = pa.table({name: draw.integers(0, 300, 120_000) for name in "xyz"})
    with pytest.raises(
        ArgumentError, match=r"too small to count 'x', 'y', 'z' together.*Give memory=\"(\d+)MB"
    ) as error:
        bitsep.independence_test(bitsep.scan(table, memory="20MB"), "x", "y", given="z")
    needed = str(error.value).split('memory="')[1].split('"')[0]
    found = bitsep.independence_test(bitsep.scan(table, memory=needed), "x", "y", given="z")
    assert repr(found) == repr(bitsep.independence_test(table, "x", "y", given="z"))


def test_counts_that_do_not_fit_take_more_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs of columns with a thousand levels: what outgrows the budget on the way is counted in the next pass."""
    monkeypatch.setattr(budget, "_MAX_ROWS", 700)
    draw = np.random.default_rng(3)
    table = pa.table({name: draw.integers(0, 1000, 20_000) for name in "abcdef"})
    queries = [(x, y, ()) for x in "abcdef" for y in "abcdef" if x < y]
    threads = available_processors()
    small, large = bitsep.scan(table, memory="20MB"), bitsep.scan(table, memory="1GB")
    expected = repr(bitsep.evaluate(table, queries))
    assert repr(bitsep.evaluate(small, queries)) == expected
    assert repr(bitsep.evaluate(large, queries)) == expected
    assert large.counter(threads).passes_made == 1 < small.counter(threads).passes_made


def test_more_than_a_million_levels() -> None:
    table = pa.table({"row": np.arange(1_100_000), "x": np.zeros(1_100_000, np.int8)})
    with pytest.raises(DataError, match=r"column 'row' has too many levels; at most 1,000,000"):
        bitsep.independence_test(bitsep.scan(table, memory="4GB"), "row", "x")


def test_continuous_column() -> None:
    table = pa.table({"x": np.random.default_rng(1).random(500), "y": np.zeros(500, np.int8)})
    with pytest.raises(DataError, match="looks continuous"):
        bitsep.pc_stable(bitsep.scan(table))
    assert bitsep.scan(table, max_float_levels=None).n_levels("x") == 500


@pytest.mark.parametrize(
    ("weights", "message"),
    [([1, -1, 2], "got -1 in row 2"), ([1, None, 2], "missing values in 1 row"), ([0, 0, 0], "every row has weight 0")],
)
def test_bad_weights(weights: list[int], message: str) -> None:
    with pytest.raises(DataError, match=message):
        bitsep.pc_stable(bitsep.scan(pa.table({"x": [1, 2, 3], "w": weights}), weights="w"))


def test_names() -> None:
    table = pa.table({"smoke": [1], "lung": [2]})
    with pytest.raises(UnknownColumnError, match="Did you mean 'smoke'"):
        bitsep.scan(table, columns=["smok"])
    with pytest.raises(UnknownColumnError, match="Did you mean 'smoke'"):
        bitsep.independence_test(bitsep.scan(table), "smok", "lung")
    with pytest.raises(UnknownColumnError, match="weights: no column 'w'"):
        bitsep.scan(table, weights="w")
    with pytest.raises(ArgumentError, match="weights: must be the name of a column"):
        bitsep.scan(table, weights=[1])  # type: ignore[arg-type]


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no file"):
        bitsep.scan_parquet(tmp_path / "no.parquet")
    with pytest.raises(ReadError, match="no file matches"):
        bitsep.scan_parquet(tmp_path / "*.parquet")
    with pytest.raises(ReadError, match="has no files"):
        bitsep.scan_parquet(tmp_path)
    with pytest.raises(UnsupportedTypeError, match="cannot scan a dict"):
        bitsep.scan({"x": [1]})
    (tmp_path / "data.xlsx").touch()
    with pytest.raises(ArgumentError, match=r"must end in \.csv, \.tsv"):
        bitsep.scan(tmp_path)
    with pytest.raises(DataError, match="no rows"):
        bitsep.pc_stable(bitsep.scan(pa.table({"x": pa.array([], pa.int8())})))


def test_no_room_for_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget.Budget, "kept", 0)
    with pytest.raises(WriteError, match="spill_folder: the encoded data cannot be written"):
        bitsep.pc_stable(bitsep.scan(pa.table({"x": [1, 2]}), spill_folder=tmp_path / "no such folder"))
