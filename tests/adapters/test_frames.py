"""Data frames of every kind give one and the same result."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import bitsep

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Text, categories, whole numbers, truth values and gaps."""
    data = bitsep.load_network("sachs").sample(1500, seed=3)
    data["Akt"] = data["Akt"].cat.codes.astype("int64")
    data["Erk"] = data["Erk"] == "HIGH"
    data["Jnk"] = data["Jnk"].astype(str)
    data["P38"] = data["P38"].astype(object).mask(np.random.default_rng(0).random(1500) < 0.1, None)
    return data


@pytest.fixture(scope="module")
def expected(frame) -> str:
    return bitsep.pc_stable(frame).to_json()


def of_polars(frame):
    import polars as pl

    return pl.from_pandas(frame)


def of_polars_lazily(frame):
    return of_polars(frame).lazy()


def of_polars_query(frame):
    import polars as pl

    return of_polars(frame).lazy().with_columns(pl.lit("unused").alias("extra")).drop("extra")


def of_arrow(frame):
    import pyarrow as pa

    return pa.Table.from_pandas(frame, preserve_index=False)


def of_arrow_batches(frame):
    return of_arrow(frame).to_reader(max_chunksize=100)


def of_duckdb(frame):
    import duckdb

    rows = of_arrow(frame)  # noqa: F841 (DuckDB finds it by its name)
    return duckdb.sql("SELECT * FROM rows")


def of_duckdb_query(frame):
    import duckdb

    return duckdb.from_arrow(of_arrow(frame)).filter("true").limit(10_000)


def of_columns(frame):
    return {name: frame[name].tolist() for name in frame}


@pytest.mark.parametrize(
    "convert",
    [of_polars, of_polars_lazily, of_polars_query, of_arrow, of_arrow_batches, of_duckdb, of_duckdb_query, of_columns],
)
def test_the_graph_does_not_depend_on_the_kind_of_frame(frame, expected, convert):
    assert bitsep.pc_stable(convert(frame)).to_json() == expected


@pytest.mark.parametrize("convert", [of_polars, of_polars_lazily, of_arrow, of_duckdb])
def test_tables_are_equal(frame, convert):
    assert bitsep.Table(convert(frame)).fingerprint() == bitsep.Table(frame).fingerprint()


@pytest.mark.parametrize("convert", [of_polars, of_polars_lazily, of_arrow, of_duckdb])
def test_weights_and_chosen_columns(frame, convert):
    weights = np.random.default_rng(1).integers(0, 3, len(frame))
    weighted = convert(frame.assign(often=weights))
    table = bitsep.Table(weighted, weights="often", columns=["Akt", "Erk", "Mek"])
    assert table.n == weights.sum()
    repeated = frame.loc[np.repeat(frame.index, weights), ["Akt", "Erk", "Mek"]]
    assert bitsep.markov_blanket(table, "Mek").members == bitsep.markov_blanket(repeated, "Mek").members


def test_polars_in_the_adapters(frame):
    """pgmpy's search wants pandas; its test does not care."""
    test = bitsep.adapters.pgmpy.BitsepTest(of_polars_lazily(frame))
    assert test("Raf", "Erk", ["Mek"]) == bitsep.independence_test(frame, "Raf", "Erk", "Mek").independent
