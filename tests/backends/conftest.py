"""The tables every backend is asked about, and the backends."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bitsep
from bitsep.data import budget

Opener = Callable[..., Any]
"""Makes of a Parquet file what the entry points take."""


@pytest.fixture(scope="session")
def alarm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("alarm") / "alarm.parquet"
    frame = bitsep.load_network("alarm").sample(3000, seed=4)
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), path, row_group_size=500)
    return path


@pytest.fixture(scope="session")
def awkward(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Missing values of several spellings, many levels, one level, no level, weights with zeros."""
    path = tmp_path_factory.mktemp("awkward") / "awkward.parquet"
    draw = np.random.default_rng(7)
    rows = 2500
    cause = draw.integers(0, 4, rows)
    shop = draw.integers(0, 1200, rows)
    text = np.array(["low", "high", "NA", "mid"])[(cause + draw.integers(0, 2, rows)) % 4]
    number = np.where(draw.random(rows) < 0.1, np.nan, cause // 2 + draw.integers(0, 2, rows))
    table = {
        "cause": pa.array(cause, pa.int64()),
        "shop": pa.array(shop, pa.int64()),
        "till": pa.array([f"{s}-{d}" for s, d in zip(shop, draw.integers(0, 2, rows), strict=True)]),
        "text": pa.array(text),
        "number": pa.array(number, mask=draw.random(rows) < 0.05),
        "half": pa.array(draw.integers(0, 5, rows) / 2),
        "yes": pa.array((cause > 1) ^ (draw.random(rows) < 0.2), mask=draw.random(rows) < 0.2),
        "same": pa.array(["x"] * rows),
        "empty": pa.array([None] * rows, pa.string()),
        "weight": pa.array(draw.integers(0, 4, rows), pa.int32()),
    }
    # A level that only the last rows have, and one that only rows of weight 0 have.
    texts = table["text"].to_pylist()
    texts[-1] = "after all"
    texts[:1] = ["never"]
    table["text"] = pa.array(texts)
    weight = table["weight"].to_pylist()
    weight[0], weight[-1] = 0, 2
    table["weight"] = pa.array(weight, pa.int32())
    pq.write_table(pa.table(table), path, row_group_size=300)
    return path


def _memory(path: Path, **options: Any) -> Any:
    return bitsep.Table(path, **options)


def _stream(path: Path, **options: Any) -> Any:
    return bitsep.scan_parquet(path, memory="64MB", **options)


def _spilled(path: Path, **options: Any) -> Any:
    return bitsep.scan_parquet(path, memory="16MB", **options)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A real cluster on this machine: a master and two workers, whose executors are processes of their own."""
    os.environ.update(PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    from pyspark.sql import SparkSession

    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("bitsep tests")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.files.maxPartitionBytes", "32k")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(
    params=[
        "memory",
        "stream",
        "spilled",
        pytest.param("spark", marks=[pytest.mark.slow, pytest.mark.filterwarnings("ignore::FutureWarning")]),
    ]
)
def opened(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """One backend: a function that opens a Parquet file in it."""
    if request.param == "memory":
        return _memory
    if request.param == "spark":
        session = request.getfixturevalue("spark")

        def on_spark(path: Path, **options: Any) -> Any:
            frame = session.read.parquet(str(path))
            return bitsep.scan_spark(frame, **options) if options else frame

        return on_spark
    # Chunks so small that every table has several, none of them the length of a batch.
    monkeypatch.setattr(budget, "_MAX_ROWS", 700)
    if request.param == "spilled":
        monkeypatch.setattr(budget.Budget, "kept", 0)
        return _spilled
    return _stream
