"""A case on the stream or on Spark: the public functions against the twins."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import bitsep
from bitsep.data import budget
from bitsep.scores.families import score_families
from differential.questions import (
    SCORES,
    TESTS,
    close,
    complete,
    differences,
    expected_score,
    expected_test,
    native_score,
    rounding,
)
from differential.tables import Case
from twins.large import significance_floor

Open = Callable[[Path, str | None], Any]


def write(case: Case, folder: Path) -> Path:
    """The case as a Parquet file."""
    columns: dict[str, Any] = {f"v{i:02}": pa.array(column, pa.int64()) for i, column in enumerate(case.columns)}
    if case.weights is not None:
        columns["weight"] = pa.array(case.weights, pa.int64())
    path = folder / "case.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=7)
    return path


def stream(path: Path, weights: str | None) -> Any:
    """A scan of the file."""
    return bitsep.scan_parquet(path, memory="64MB", weights=weights)


@contextmanager
def small_chunks() -> Iterator[None]:
    """Read files in chunks so small that nearly every table has several."""
    earlier = budget._MAX_ROWS
    budget._MAX_ROWS = 256
    try:
        yield
    finally:
        budget._MAX_ROWS = earlier


@contextmanager
def spark() -> Iterator[Open]:
    """A session of Spark on this machine."""
    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.files.maxPartitionBytes", "1k")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    try:
        yield lambda path, weights: bitsep.scan_spark(session.read.parquet(str(path)), weights=weights)
    finally:
        session.stop()


def compare(case: Case, opened: Open, tests: range | list[int] | None = None) -> tuple[int, int, list[str]]:
    """The tests (by default all) and scores of a case; comparisons, twins asked, what differs."""
    names = [f"v{i:02}" for i in range(len(case.columns))]
    asked = [query for query in case.queries if complete(case, (query[0], query[1], *query[2]))]
    families = [family for family in case.families if complete(case, (family[0], *family[1]))]
    compared, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder, small_chunks():
        data = opened(write(case, Path(folder)), None if case.weights is None else "weight")
        for test in TESTS if tests is None else [TESTS[number] for number in tests]:
            queries = [(names[x], names[y], tuple(names[z] for z in given)) for x, y, given in asked]
            options = dict(test.options) | ({} if test.alpha is None else {"alpha": test.alpha})
            found = bitsep.evaluate(data, queries, method=test.method, **options) if queries else []
            for query, result in zip(asked, found, strict=True):
                compared += 1
                wanted = expected_test(case, query, test)
                if wanted is not None:
                    values = {name: getattr(result, name) for name in wanted if name != "information_bits"}
                    values["information_bits"] = result.cmi_bits * result.n
                    rounded = rounding(case, query, test)
                    wrong += [f"{test} of {query}: {one}" for one in differences(values, wanted, rounded)]
        counter = data.counter()
        for name, sample_size in SCORES if families else []:
            places = [
                (counter.places[names[y]], tuple(sorted(counter.places[names[p]] for p in ps))) for y, ps in families
            ]
            lengths = score_families(counter, native_score(name, sample_size), places)
            for family, bits, rows in zip(families, lengths.bits, lengths.rows, strict=True):
                compared += 1
                score = expected_score(case, family, name, sample_size)
                slack = max(2e-9, 4 * significance_floor(int(rows)) if rows > 1 << 20 else 0.0)
                if score is not None and (rows != score[1] or not close(float(bits), score[0], slack)):
                    wrong.append(f"{name} of {family}: {bits!r}, {rows} rows, twin {score}")
    return compared, compared, wrong
