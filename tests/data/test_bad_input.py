"""Every bad input is an error of bitsep that names the column or argument and says what to do."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import bitsep
from bitsep import DAG
from bitsep.data import Table
from bitsep.errors import (
    ArgumentError,
    BitsepError,
    DataError,
    FormatError,
    ReadError,
    UnknownColumnError,
    UnsupportedTypeError,
)


@pytest.mark.parametrize(
    "data",
    [
        pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]),
        pa.table([[1], [2], [3]], names=["a", "b", "a"]),
    ],
)
def test_duplicate_names(data: Any) -> None:
    with pytest.raises(DataError, match=r"columns 1 and 3 have the same name 'a'.*Rename"):
        Table(data)


def test_duplicate_names_in_files(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("a,b,a\n1,2,3\n")
    pa.parquet.write_table(pa.table([[1], [2]], names=["a", "a"]), tmp_path / "f.parquet")
    for name in ("f.csv", "f.parquet"):
        with pytest.raises(DataError, match="have the same name 'a'"):
            Table(tmp_path / name)


def test_names_that_print_the_same_have_no_order() -> None:
    with pytest.raises(DataError, match="have the same name"):
        Table({1.5: [1], "1.5": [2]})
    assert Table({1: [1], "1": [2]}).names == (1, "1")


def test_names_that_are_equal_are_the_same_name() -> None:
    """Otherwise a dict of columns would keep one of the two only."""
    with pytest.raises(DataError, match="columns 1 and 2 have the same name"):
        Table(pd.DataFrame([[0, 1, 2]], columns=pd.Index([True, 1, "c"], dtype=object)))


@pytest.mark.parametrize("name", [float("nan"), pd.NA, pd.NaT])
def test_a_name_that_is_not_equal_to_itself(name: Any) -> None:
    """It cannot be looked up; drawing a graph with it did not end."""
    for data in ({"a": [0, 1], name: [1, 0]}, pd.DataFrame([[0, 1]], columns=pd.Index(["a", name], dtype=object))):
        with pytest.raises(DataError, match=r"column 2 has no name, but .*Name it"):
            Table(data)
    with pytest.raises(UnsupportedTypeError, match="variables: a name must be text or an integer"):
        DAG([name], [])


@pytest.mark.parametrize("data", [{}, pd.DataFrame(), np.empty((3, 0)), pl.DataFrame(), pa.table({})])
def test_no_columns(data: Any) -> None:
    with pytest.raises(DataError, match="no columns"):
        Table(data)


@pytest.mark.parametrize(
    "data",
    [
        {"x": []},
        pd.DataFrame({"x": []}),
        pd.DataFrame({"x": pd.Categorical([])}),
        pd.DataFrame({"x": pd.Series([], dtype="datetime64[ns]")}),
        np.empty((0, 3)),
        np.empty((0, 3), dtype=int),
        pl.DataFrame({"x": []}),
        pl.DataFrame({"x": pl.Series([], dtype=pl.String)}),
        pa.table({"x": pa.array([], pa.string())}),
        pa.schema({"x": pa.int64()}).empty_table(),
        pa.RecordBatchReader.from_batches(pa.schema({"x": pa.string()}), []),
    ],
)
def test_no_rows(data: Any) -> None:
    with pytest.raises(DataError, match="no rows"):
        Table(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (np.arange(3), r"2 dimensions.*got 1.*reshape"),
        (np.zeros((2, 2, 2)), r"2 dimensions.*got 3"),
        (np.array(5), r"2 dimensions.*got 0"),
        (np.zeros((2, 2), dtype=[("a", int)]), "structured array must have 1 dimension"),
        ([[1, 2], [3, 4]], "cannot read a list"),
        (None, "cannot read a NoneType"),
        (42, "cannot read a int"),
        (pd.Series([1, 2]), "cannot read a Series"),
        (pl.Series([1, 2]), "Series"),
        (pa.array([1, 2]), "Array"),
        ({"x": "text"}, "'x' must be a list.*got str"),
        ({"x": 5}, "'x' must be a list.*got int"),
        ({"x": {1, 2}}, "'x' must be a list.*got set"),
        ({"x": np.zeros((2, 2))}, "'x' must have 1 dimension"),
        ({"x": pd.DataFrame({"a": [1]})}, "'x' has struct"),
        ({"x": (i for i in range(3))}, "'x' must be a list.*got generator"),
    ],
)
def test_data_of_the_wrong_kind(data: Any, words: str) -> None:
    with pytest.raises(UnsupportedTypeError, match=words):
        Table(data)


def test_columns_of_unequal_length() -> None:
    with pytest.raises(DataError, match=r"'a' has 2, 'b' has 3"):
        Table({"a": [1, 2], "b": [1, 2, 3]})
    with pytest.raises(DataError, match="must have the same number of rows"):
        Table({"a": [], "b": [1, 2, 3]})


def test_unknown_columns_come_with_suggestions() -> None:
    data = {"smoke": [1], "lung": [2]}
    for call in (
        lambda: Table(data, columns=["smoek"]),
        lambda: Table(data).codes("smoek"),
        lambda: Table(data, weights="smoek"),
    ):
        with pytest.raises(UnknownColumnError, match="Did you mean 'smoke'"):
            call()
    with pytest.raises(UnknownColumnError, match="smoek"):
        Table.of(Table(data), columns=["smoek"])
    with pytest.raises(ArgumentError, match="must be one column name"):
        Table(data).codes(["smoke"])  # type: ignore[arg-type]


def test_strange_selections() -> None:
    with pytest.raises(ArgumentError, match="columns: must name at least one column"):
        Table({"x": [1]}, columns=[])
    with pytest.raises(ArgumentError, match="column 'x' is also in columns"):
        Table({"x": [1], "y": [1]}, columns=["x", "y"], weights="x")
    with pytest.raises(DataError, match="no columns besides the weights"):
        Table({"x": [1]}, weights="x")
    assert Table({"x": [1], "y": [1]}, columns="y").names == ("y",)


class TestFiles:
    @pytest.mark.parametrize(
        ("text", "line", "fields"),
        [
            ("a,b\n1,2\n3\n4,5\n", 3, 1),
            ("a,b\n1,2\n\n3,4\n5,6,7\n", 5, 3),
            ('a,b\n"1\n2",3\n4\n', 4, 1),
        ],
    )
    def test_ragged(self, tmp_path: Path, text: str, line: int, fields: int) -> None:
        path = tmp_path / "f.csv"
        path.write_text(text)
        with pytest.raises(
            FormatError, match=rf"f.csv', line {line}: expected 2 fields as in the header, got {fields}"
        ):
            Table(path)
        with pytest.raises(FormatError, match=f"line {line}"):
            Table(path, columns=["a"])

    def test_ragged_far_down(self, tmp_path: Path) -> None:
        path = tmp_path / "f.csv"
        path.write_text("a,b\n" + "1111111111111111,2\n" * 250_000 + "1,2,3\n")
        with pytest.raises(FormatError, match="line 250002"):
            Table(path)

    @pytest.mark.parametrize("text", ["", "\n", "\n\n\n"])
    def test_empty(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "f.csv").write_text(text)
        with pytest.raises(DataError, match=r"f.csv' is empty.*header"):
            Table(tmp_path / "f.csv")

    @pytest.mark.parametrize("text", ["a,b", "a,b\n", "a,b\n\n"])
    def test_header_only(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "f.csv").write_text(text)
        with pytest.raises(DataError, match="header line but no rows"):
            Table(tmp_path / "f.csv")

    def test_parquet_without_rows(self, tmp_path: Path) -> None:
        pa.parquet.write_table(pa.table({"x": pa.array([], pa.string())}), tmp_path / "f.parquet")
        with pytest.raises(DataError, match="no rows"):
            Table(tmp_path / "f.parquet")

    @pytest.mark.parametrize("text", ["größe,b\n1,2\n", "a,b\nä,1\n", "a,b\n" + "1,2\n" * 300_000 + "ä,2\n"])
    def test_not_utf8(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "f.csv"
        path.write_bytes(text.encode("latin-1"))
        with pytest.raises(FormatError, match=r'f.csv\' is not utf-8 text.*encoding="latin-1"'):
            Table(path)
        table = Table(path, encoding="latin-1")
        assert "größe" in table.names or "ä" in table.levels("a") or "ä" in map(str, table.levels("a"))

    @pytest.mark.parametrize(
        ("raw", "line"),
        [
            (b"a\0,b\n1,2\n3,4\n5,6\n", 1),
            (b"\0a,b\n1,2\n", 1),
            (b'a,"b\0"\n1,2\n', 1),
            (b"a,b\n1,2\n3,4\0\n", 3),
            (b"a,b\r1,2\r3,4\0\r", 3),
            (b"a,b\n1,2\n3,4\n\0", 4),
            (b"a,b\n" + b"1,2\n" * 3_000_000 + b"3,\0\n", 3_000_002),
            ("a,b\n1,2\n".encode("utf-16-le"), 1),
        ],
        ids=["name", "first name", "quoted name", "field", "old line ends", "last line", "late block", "utf-16"],
    )
    def test_a_nul_byte_anywhere_is_refused_in_memory_and_in_scans(self, tmp_path: Path, raw: bytes, line: int) -> None:
        (tmp_path / "f.csv").write_bytes(raw)
        (tmp_path / "f.csv.gz").write_bytes(gzip.compress(raw))
        for path in (tmp_path / "f.csv", tmp_path / "f.csv.gz"):
            for columns in (None, ["a"]):
                for read in (Table, lambda path, columns: bitsep.scan(path, columns=columns).n_rows):
                    with pytest.raises(FormatError, match=f"{path.name}', line {line}: a NUL byte"):
                        read(path, columns=columns)  # type: ignore[operator]

    def test_wrong_encoding(self, tmp_path: Path) -> None:
        (tmp_path / "f.csv").write_text("a,b\n1,2\n")
        with pytest.raises(ArgumentError, match="encoding: unknown value 'klingon'"):
            Table(tmp_path / "f.csv", encoding="klingon")
        (tmp_path / "u.csv").write_text("ä,b\n1,2\n", encoding="utf-8")
        with pytest.raises(FormatError, match="is not ascii text"):
            Table(tmp_path / "u.csv", encoding="ascii")

    def test_paths_that_are_no_data_file(self, tmp_path: Path) -> None:
        (tmp_path / "folder.csv").mkdir()
        with pytest.raises(ReadError, match="is a directory"):
            Table(tmp_path / "folder.csv")
        with pytest.raises(ReadError, match="is a directory"):
            Table(tmp_path)
        with pytest.raises(ReadError, match=r"no file .*absent.csv"):
            Table(str(tmp_path / "absent.csv"))
        for name in ("f.xls", "f", "f.gz", "csv"):
            (tmp_path / name).write_text("a,b\n1,2\n")
            with pytest.raises(ArgumentError, match=r"must end in \.csv.*\.parquet, .* or \.xlsx, got"):
                Table(tmp_path / name)

    def test_broken_files(self, tmp_path: Path) -> None:
        for name in ("f.parquet", "f.csv.gz"):
            (tmp_path / name).write_text("a,b\n1,2\n")
            with pytest.raises(BitsepError, match=name):
                Table(tmp_path / name)


class TestWeights:
    @pytest.mark.parametrize(
        ("weights", "words"),
        [
            ([1, -2], "got -2 in row 2"),
            ([1, 0.5], "integers.*got 0.5 in row 2"),
            ([1, None], r"missing values in 1 row\(s\), the first in row 2"),
            ([float("nan"), 1], "the first in row 1"),
            ([1, "many"], "got 'many' in row 2"),
            ([0.9, 0.1], "got 0.9 in row 1.*Sampling weights of a survey are not supported"),
            ([True, False], "got True in row 1"),
            ([1, float("inf")], "inf in row 2"),
            ([2**55, 2**55 + 1], r"2\^56"),
            ([2**63, 1], r"2\^56"),
        ],
    )
    def test_bad_weights(self, weights: list[Any], words: str, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=f"weights: column 'w'.*{words}"):
            Table({"x": ["a", "b"], "w": weights}, weights="w")
        with pytest.raises(DataError, match=f"weights: the array.*{words}"):
            Table({"x": ["a", "b"]}, weights=weights)
        pd.DataFrame({"x": ["a", "b"], "w": weights}, dtype=object).to_csv(tmp_path / "f.csv", index=False)
        with pytest.raises(DataError, match=f"weights: column 'w'.*{words}"):
            Table(tmp_path / "f.csv", weights="w")

    def test_wrong_number_of_weights(self) -> None:
        with pytest.raises(DataError, match="one per row is needed, 2 in all, got 3"):
            Table({"x": [1, 2]}, weights=[1, 1, 1])

    def test_weights_of_the_wrong_shape(self) -> None:
        with pytest.raises(UnsupportedTypeError, match=r"weights.*1 dimension"):
            Table({"x": [1, 2]}, weights=np.ones((2, 1), dtype=int))

    def test_all_zero(self) -> None:
        with pytest.raises(DataError, match="every row has weight 0"):
            Table({"x": [1, 2]}, weights=[0, 0])


def test_a_table_is_not_encoded_again() -> None:
    table = Table({"x": [1, 2]})
    for options in ({"weights": [1, 2]}, {"missing": ["x"]}, {"max_float_levels": 3}):
        with pytest.raises(ArgumentError, match="a Table is encoded already"):
            Table.of(table, **options)
        with pytest.raises(ArgumentError, match="a Table is encoded already"):
            Table(table, **options)
    with pytest.raises(ArgumentError, match="'weigths'"):
        Table.of(table, weigths="x")
