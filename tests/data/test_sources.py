"""Every source and every dtype of the same values gives the same codes and levels."""

from __future__ import annotations

import datetime as dt
import gzip
from collections import OrderedDict
from decimal import Decimal
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet
import pytest

import bitsep
from bitsep.data import Table

PLAIN: dict[str, list[Any]] = {
    "smoke": ["yes", "no", None, "yes", "maybe", "no"],
    "stage": [3, 1, 2, None, 1, 10],
    "sick": [True, False, None, True, True, False],
    "ratio": [0.5, 1.0, 2.0, None, 0.5, -1.5],
}
EXPECTED = {
    "smoke": (("maybe", "no", "yes"), [2, 1, -1, 2, 0, 1]),
    "stage": ((1, 2, 3, 10), [2, 0, 1, -1, 0, 3]),
    "sick": ((False, True), [1, 0, -1, 1, 1, 0]),
    "ratio": ((-1.5, 0.5, 1, 2), [1, 2, 3, -1, 1, 0]),
}


class Located:
    """A path of some other library."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return str(self._path)


class Stream:
    """Anything that offers an Arrow stream and nothing else, as a DuckDB relation does."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def arrow() -> pa.Table:
    return pa.table(PLAIN)


def in_chunks(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table.slice(0, 2), table.slice(2, 3), table.slice(5)])


def written(folder: Path, name: str) -> Path:
    path = folder / name
    if ".parquet" in name:
        pa.parquet.write_table(arrow(), path, row_group_size=2)
        return path
    text = pd.DataFrame(PLAIN).to_csv(index=False, sep="\t" if ".tsv" in name else ",")
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def dataset(folder: Path) -> Any:
    pa.parquet.write_table(arrow().slice(0, 3), folder / "a.parquet")
    pa.parquet.write_table(arrow().slice(3), folder / "b.parquet")
    return pa.dataset.dataset([str(folder / "a.parquet"), str(folder / "b.parquet")])


SOURCES: dict[str, Any] = {
    "dict of lists": lambda _: PLAIN,
    "dict of tuples": lambda _: OrderedDict({name: tuple(values) for name, values in PLAIN.items()}),
    "dict of object arrays": lambda _: {name: np.array(values, dtype=object) for name, values in PLAIN.items()},
    "dict of pandas series": lambda _: {name: pd.Series(values) for name, values in PLAIN.items()},
    "dict of pandas arrays": lambda _: {name: pd.array(values) for name, values in PLAIN.items()},
    "dict of polars series": lambda _: {name: pl.Series(values) for name, values in PLAIN.items()},
    "dict of Arrow arrays": lambda _: {name: pa.array(values) for name, values in PLAIN.items()},
    "pandas": lambda _: pd.DataFrame(PLAIN),
    "pandas objects": lambda _: pd.DataFrame(PLAIN, dtype=object),
    "pandas nullable": lambda _: pd.DataFrame(PLAIN).convert_dtypes(),
    "pandas arrow-backed": lambda _: pd.DataFrame(PLAIN).convert_dtypes(dtype_backend="pyarrow"),
    "pandas categoricals": lambda _: pd.DataFrame(PLAIN).astype("category"),
    "pandas with an index": lambda _: pd.DataFrame(PLAIN, index=list("fbdace")),
    "polars": lambda _: pl.DataFrame(PLAIN),
    "polars lazy": lambda _: pl.LazyFrame(PLAIN),
    "polars categoricals": lambda _: pl.DataFrame(PLAIN).with_columns(pl.col("smoke").cast(pl.Categorical)),
    "polars enum": lambda _: pl.DataFrame(PLAIN).with_columns(
        pl.col("smoke").cast(pl.Enum(["unused", "yes", "no", "maybe"]))
    ),
    "narwhals": lambda _: nw.from_native(pl.DataFrame(PLAIN)),
    "narwhals lazy": lambda _: nw.from_native(pl.LazyFrame(PLAIN)),
    "Arrow table": lambda _: arrow(),
    "Arrow chunks": lambda _: in_chunks(arrow()),
    "Arrow dictionary": lambda _: pa.table(
        [column.dictionary_encode() for column in arrow().columns], names=list(PLAIN)
    ),
    "Arrow dictionary chunks": lambda _: pa.concat_tables(
        [
            pa.table([column.slice(i, 2).dictionary_encode() for column in arrow().columns], names=list(PLAIN))
            for i in (0, 2, 4)
        ]
    ),
    "Arrow batch": lambda _: pa.RecordBatch.from_pydict(PLAIN),
    "Arrow reader": lambda _: in_chunks(arrow()).to_reader(),
    "Arrow stream": lambda _: Stream(arrow()),
    "Arrow dataset": dataset,
    "csv": lambda folder: written(folder, "data.csv"),
    "csv as text": lambda folder: str(written(folder, "data.CSV")),
    "csv by PathLike": lambda folder: Located(written(folder, "data.csv")),
    "csv.gz": lambda folder: written(folder, "data.csv.gz"),
    "tsv": lambda folder: written(folder, "data.tsv"),
    "parquet": lambda folder: written(folder, "data.parquet"),
    "structured array": lambda _: np.array(
        list(zip(*PLAIN.values(), strict=True)), dtype=[(name, object) for name in PLAIN]
    ),
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_gives_the_same_table(source: str, tmp_path: Path) -> None:
    table = Table(SOURCES[source](tmp_path))
    assert table.names == tuple(PLAIN)
    assert table.n == table.n_rows == 6
    assert table.weights is None
    for name, (levels, codes) in EXPECTED.items():
        assert table.levels(name) == levels
        assert [type(level) for level in table.levels(name)] == [type(level) for level in levels]
        assert table.codes(name).tolist() == codes
        assert table.codes(name).dtype == np.int8
        assert table.missing(name) == 1
        assert table.n_levels(name) == len(levels)
    assert table.fingerprint() == Table(PLAIN).fingerprint()


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_reads_only_the_columns_asked_for(source: str, tmp_path: Path) -> None:
    table = Table(SOURCES[source](tmp_path), columns=["ratio", "smoke"])
    assert table.names == ("smoke", "ratio")
    assert table.levels("ratio") == EXPECTED["ratio"][0]


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_takes_an_array_of_weights(source: str, tmp_path: Path) -> None:
    data = Table(SOURCES[source](tmp_path), weights=[1, 2, 0, 0, 5, 1])
    assert (data.n, data.n_rows) == (9, 4)
    assert data.levels("stage") == (1, 3, 10)
    assert data.missing("smoke") == 0


NOON = dt.datetime(2024, 5, 1, 12, 0, 0, 250)
LATER = dt.datetime(2024, 5, 2)

DTYPES: dict[str, tuple[list[Any], list[Any]]] = {
    "text": (
        ["b", "a", None, "b"],
        [
            np.array(["b", "a", "", "b"]),
            pd.Series(["b", "a", None, "b"], dtype=object),
            pd.Series(["b", "a", pd.NA, "b"], dtype="string"),
            pd.Series(["b", "a", "?", "b"]),
            pd.Categorical(["b", "a", None, "b"], categories=["z", "b", "a"], ordered=True),
            pa.array(["b", "a", None, "b"], pa.large_string()),
            pa.array(["b", "a", None, "b"], pa.string_view()),
            pa.array(["b", "a", "NA", "b"]).dictionary_encode(),
            pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 0], pa.uint8()), pa.array(["b", "a", None])),
            pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2], pa.int64()), pa.array(["b", "a", "b"])),
            np.ma.masked_array(["b", "a", "zzz", "b"], [0, 0, 1, 0]),
        ],
    ),
    "integers": (
        [300, -5, None, 300],
        [
            [np.int64(300), np.float32(-5), float("nan"), 300],
            np.array([300, -5, np.nan, 300]),
            np.array([300, -5, np.nan, 300], np.float16),
            np.array([300, -5, np.nan, 300], np.longdouble),
            np.array([300, -5, np.nan, 300], ">f8"),
            np.ma.masked_array([300, -5, 0, 300], [0, 0, 1, 0]),
            pd.Series([300, -5, None, 300], dtype="Int16"),
            pd.Series([300, -5, None, 300], dtype="Float32"),
            pd.Series([300, -5, np.nan, 300], dtype=pd.SparseDtype("float64")),
            pd.Categorical([300.0, -5.0, None, 300.0]),
            pa.array([300, -5, None, 300], pa.int16()),
            pa.array([300, -5, None, 300], pa.float32()),
            [Decimal("300.00"), Decimal(-5), Decimal("NaN"), Decimal("3e2")],
            pa.array([Decimal("300.00"), Decimal("-5.00"), None, Decimal("300.00")]),
        ],
    ),
    "truth values": (
        [True, False, None, True],
        [
            [np.True_, False, float("nan"), True],
            pd.Series([True, False, None, True], dtype="boolean"),
            pd.Categorical([True, False, None, True]),
            pa.array([True, False, None, True]),
            pl.Series([True, False, None, True]),
            np.ma.masked_array([True, False, True, True], [0, 0, 1, 0]),
        ],
    ),
    "decimals": (
        [Decimal("1.5"), Decimal("0.1"), None, Decimal("1.50")],
        [
            pa.array([Decimal("1.50"), Decimal("0.10"), None, Decimal("1.50")]),
            pl.Series([Decimal("1.50"), Decimal("0.10"), None, Decimal("1.50")]),
            pd.Series([Decimal("1.50"), Decimal("0.1"), None, Decimal("1.5")], dtype=object),
        ],
    ),
    "timestamps": (
        [LATER, NOON, None, LATER],
        [
            pd.Series([LATER, NOON, pd.NaT, LATER]),
            pd.Series([LATER, NOON, pd.NaT, LATER]).astype("datetime64[ns]"),
            pd.Series([LATER, NOON, pd.NaT, LATER], dtype=object),
            pd.Categorical([LATER, NOON, pd.NaT, LATER]),
            np.array([LATER, NOON, "NaT", LATER], "M8[us]"),
            np.array([LATER, NOON, "NaT", LATER], "M8[us]").astype("M8[ns]"),
            pa.array([LATER, NOON, None, LATER]),
            pa.array([LATER, NOON, None, LATER], pa.timestamp("ns")),
            pl.Series([LATER, NOON, None, LATER]),
        ],
    ),
    "dates": (
        [dt.date(2024, 5, 2), dt.date(2024, 5, 1), None, dt.date(2024, 5, 2)],
        [
            np.array(["2024-05-02", "2024-05-01", "NaT", "2024-05-02"], "M8[D]"),
            pa.array([dt.date(2024, 5, 2), dt.date(2024, 5, 1), None, dt.date(2024, 5, 2)]),
            pl.Series([dt.date(2024, 5, 2), dt.date(2024, 5, 1), None, dt.date(2024, 5, 2)]),
        ],
    ),
    "durations": (
        [dt.timedelta(2), dt.timedelta(1), None, dt.timedelta(2)],
        [
            pd.Series([dt.timedelta(2), dt.timedelta(1), pd.NaT, dt.timedelta(2)]),
            pd.Series([pd.Timedelta("2D"), pd.Timedelta("1D"), pd.NaT, pd.Timedelta("2D")], dtype=object),
            np.array([2, 1, "NaT", 2], "m8[D]"),
            pa.array([dt.timedelta(2), dt.timedelta(1), None, dt.timedelta(2)]),
        ],
    ),
    "mixed": (
        ["a", 2, None, (1, "x")],
        [
            pd.Series(["a", np.float64(2), pd.NA, (1, "x")], dtype=object),
            np.array(["a", 2.0, np.nan, (1.0, "x")], dtype=object),
            pl.Series(["a", 2, None, (1, "x")], dtype=pl.Object),
        ],
    ),
    "bytes": ([b"b", b"a", None, b"b"], [pa.array([b"b", b"a", None, b"b"]), pl.Series([b"b", b"a", None, b"b"])]),
}


@pytest.mark.parametrize("kind", DTYPES)
def test_every_dtype_gives_the_same_column(kind: str) -> None:
    plain, variants = DTYPES[kind]
    expected = Table({"x": plain})
    assert expected.missing("x") == 1
    for variant in variants:
        table = Table({"x": variant})
        assert table.levels("x") == expected.levels("x")
        assert list(map(type, table.levels("x"))) == list(map(type, expected.levels("x")))
        assert table.codes("x").tolist() == expected.codes("x").tolist()
        assert table.missing("x") == 1
        assert table.fingerprint() == expected.fingerprint()


def test_times_with_a_zone_are_told_by_their_instant() -> None:
    berlin = pd.Series(pd.to_datetime(["2024-05-01 14:00", "2024-05-02 00:00", None])).dt.tz_localize("Europe/Berlin")
    expected = (dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC), dt.datetime(2024, 5, 1, 22, tzinfo=dt.UTC))
    for variant in (berlin, berlin.dt.tz_convert("UTC"), berlin.astype(object), pa.array(berlin)):
        table = Table({"x": variant})
        assert table.levels("x") == expected
        assert table.codes("x").tolist() == [0, 1, -1]
        assert table.fingerprint() == Table({"x": [*expected, None]}).fingerprint()


def test_nanoseconds_are_kept() -> None:
    stamps = np.array([5, 7, 5], "M8[ns]")
    levels = (pd.Timestamp(5), pd.Timestamp(7))
    for variant in (stamps, pd.Series(stamps), pa.array(stamps)):
        assert Table({"x": variant}).levels("x") == levels


def test_intervals_and_periods_of_pandas_are_levels() -> None:
    cut = pd.cut(pd.Series([1.0, 12.0, 3.0, None]), [0, 2, 10, 20])
    table = Table(pd.DataFrame({"cut": cut, "month": pd.period_range("2024-01", periods=4, freq="M")[::-1]}))
    assert [str(level) for level in table.levels("cut")] == ["(0, 2]", "(2, 10]", "(10, 20]"]
    assert table.codes("cut").tolist() == [0, 2, 1, -1]
    assert table.codes("month").tolist() == [3, 2, 1, 0]
    assert Table({"cut": pd.arrays.IntervalArray(cut.array)}).codes("cut").tolist() == [0, 2, 1, -1]


def test_numpy_columns_are_named_by_integers() -> None:
    data = np.array([[1, 10], [2, 10], [1, 30]])
    for variant in (data, np.asfortranarray(data), data.astype(float), data.astype(object), data.astype(np.uint8)):
        table = Table(variant)
        assert table.names == (0, 1)
        assert table.levels(1) == (10, 30)
        assert table.codes(0).tolist() == [0, 1, 0]
    assert Table(data, columns=[1]).names == (1,)
    assert Table(data, weights=0).n == 4
    assert Table(np.array([["a", "b"], ["?", "b"]])).missing(0) == 1


def test_integers_far_apart_and_at_the_ends_of_their_types() -> None:
    ends = [np.iinfo(np.int64).min, 0, np.iinfo(np.int64).max]
    assert Table({"x": np.array(ends)}).levels("x") == tuple(ends)
    unsigned = [0, 2**64 - 1]
    assert Table({"x": np.array(unsigned, np.uint64)}).levels("x") == tuple(unsigned)
    assert Table({"x": np.array([2**64 - 2, 2**64 - 1], np.uint64)}).codes("x").tolist() == [0, 1]
    assert Table({"x": np.arange(-128, 128, dtype=np.int8)}).codes("x").tolist() == list(range(256))
    assert Table({"x": np.array([1e300, float("inf"), -float("inf")])}).levels("x") == (
        -float("inf"),
        1e300,
        float("inf"),
    )


@pytest.mark.parametrize("n_levels", [1, 2, 127, 128, 129, 32767, 32768, 32769, 70_000])
def test_codes_have_the_smallest_type_that_fits(n_levels: int) -> None:
    expected = np.int8 if n_levels <= 128 else np.int16 if n_levels <= 32768 else np.int32
    values = np.arange(n_levels)[::-1] * 3
    for variant in (values, pd.Categorical(values), pa.array(values), [str(v).zfill(9) for v in values]):
        table = Table({"x": variant})
        assert table.codes("x").dtype == expected
        assert table.codes("x").tolist() == list(range(n_levels))[::-1]
        assert table.n_levels("x") == n_levels


@pytest.mark.parametrize("name", ["two words", 'a "quoted" one', "Größe", "🙂", "line\nbreak", "a,b", " ", "x.y", ""])
def test_any_text_is_a_column_name(name: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({name: ["u", "v", "u"], "x": [1, 2, 3]})
    frame.to_csv(tmp_path / "f.csv", index=False)
    frame.to_parquet(tmp_path / "f.parquet")
    for data in (
        frame,
        frame.to_dict("list"),
        pl.DataFrame(frame.to_dict("list")),
        tmp_path / "f.csv",
        tmp_path / "f.parquet",
    ):
        table = Table(data, columns=[name])
        assert table.names == (name,)
        assert table.codes(name).tolist() == [0, 1, 0]
        assert repr(table).count("\n") == 1


def test_other_names_of_pandas_columns() -> None:
    frame = pd.DataFrame([[1, 2, 3]], columns=pd.Index([("a", 1), 7, "x"], dtype=object))
    assert Table(frame).names == (("a", 1), 7, "x")
    assert Table(frame, columns=[7, ("a", 1)]).names == (("a", 1), 7)
    assert Table(pd.DataFrame(np.eye(2, dtype=int))).names == (0, 1)


def test_an_unnamed_pandas_index_in_parquet_is_left_aside(tmp_path: Path) -> None:
    pd.DataFrame({"x": [1, 2]}, index=["p", "q"]).to_parquet(tmp_path / "f.parquet")
    assert Table(tmp_path / "f.parquet").names == ("x",)


@pytest.mark.parametrize("dtype", [pl.Int128, pl.UInt128])
def test_integers_of_128_bits_of_polars(dtype: Any) -> None:
    """Arrow has no such type."""
    frame = pl.DataFrame({"x": pl.Series([2**100, None, 3, 2**100], dtype=dtype), "y": [1, 2, 3, 4]})
    table = Table(frame)
    assert table.levels("x") == (3, 2**100)
    assert table.names == ("x", "y")
    assert list(table.codes("x")) == [1, -1, 0, 1]


@pytest.mark.parametrize("levels", [[("a", 1), ("b", 2)], ["\ud800", "x"]], ids=["tuples", "surrogate"])
def test_levels_that_pandas_does_not_take_as_they_are(levels: list[Any]) -> None:
    """Tuples are not a MultiIndex, and an index of text holds no lone surrogate."""
    data = {"x": levels * 40, "y": [0, 0, 1, 1] * 20}
    table = Table(data)
    assert Table(table.to_pandas()).levels("x") == table.levels("x")
    rows = bitsep.Network.fit(bitsep.DAG(["x", "y"], [("x", "y")]), data).sample(20, seed=1)
    assert set(rows["x"]) == set(levels)
    assert bitsep.expected_accuracy(bitsep.discover(data), samples=2).rows == 80
