"""The time to encode data as a Table, and to describe them.

Run with::

    pytest benchmarks/bench_tables.py --benchmark-only -o addopts=--import-mode=importlib \\
        -o python_files='bench_*.py' -o python_functions='bench_*'

(the project's own pytest options switch the benchmark plugin off). The CSV benchmarks also time pyarrow, in turns, and
keep the ratio in ``extra_info["ratio_to_pyarrow"]``: a Table is compared with reading and dictionary encoding, and a
profile with ``read_csv`` alone. ``python -m benchmarks.bench_tables`` prints the ratios of the profiles.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.real_tables import write_csv

from bitsep import describe
from bitsep.data import Table

N_COLUMNS = 37
LEVELS = (["LOW", "NORMAL", "HIGH"], ["TRUE", "FALSE"], ["ZERO", "LOW", "NORMAL", "HIGH"])


def categoricals(n: int, *, canonical: bool) -> pd.DataFrame:
    """Alarm's shape: 37 categorical columns of two to four levels, in canonical order or not."""
    rng = np.random.default_rng(0)
    columns = {}
    for i in range(N_COLUMNS):
        levels = sorted(LEVELS[i % 3]) if canonical else LEVELS[i % 3]
        columns[f"v{i}"] = pd.Categorical.from_codes(rng.integers(0, len(levels), n), levels)
    return pd.DataFrame(columns)


def write_million(folder: Path) -> Path:
    path = folder / "million.csv"
    frame = categoricals(10**6, canonical=False)
    pa.csv.write_csv(pa.table({name: frame[name].astype(str) for name in frame}), path)
    return path


@pytest.fixture(scope="module")
def csv_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_million(tmp_path_factory.mktemp("csv"))


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def pyarrow_encodes(path: Path) -> None:
    table = pa.csv.read_csv(path)
    for column in table.columns:
        column.dictionary_encode()


def bench_csv_of_a_million_rows(benchmark: Any, csv_path: Path) -> None:
    # In turns, so that other programs slow both down equally.
    ours, theirs = zip(
        *[(seconds(lambda: Table(csv_path)), seconds(lambda: pyarrow_encodes(csv_path))) for _ in range(5)], strict=True
    )
    benchmark.extra_info["pyarrow_seconds"] = min(theirs)
    benchmark.extra_info["ratio_to_pyarrow"] = min(ours) / min(theirs)
    table = benchmark.pedantic(Table, args=(csv_path,), rounds=3)
    assert table.n == 10**6


def ratio_of_the_profile(path: Path, turns: int = 5) -> tuple[float, float]:
    """The seconds of a profile, from the file, and their ratio to pyarrow's read_csv: minima of several turns."""
    ours, theirs = zip(
        *[(seconds(lambda: describe(path)), seconds(lambda: pa.csv.read_csv(path))) for _ in range(turns)], strict=True
    )
    return min(ours), min(ours) / min(theirs)


def bench_profile_of_a_million_rows(benchmark: Any, csv_path: Path) -> None:
    _, benchmark.extra_info["ratio_to_pyarrow"] = ratio_of_the_profile(csv_path)
    profile = benchmark.pedantic(describe, args=(csv_path,), rounds=3)
    assert profile.n == 10**6


def bench_profile_of_flights(benchmark: Any, tmp_path: Path) -> None:
    path = write_csv("flights", tmp_path)
    _, benchmark.extra_info["ratio_to_pyarrow"] = ratio_of_the_profile(path)
    profile = benchmark.pedantic(describe, args=(path,), rounds=3)
    assert profile.n == 336_776


@pytest.mark.parametrize("canonical", [True, False], ids=["canonical", "reordered"])
@pytest.mark.parametrize("n", [1_000, 10**6])
def bench_pandas_categoricals(benchmark: Any, n: int, canonical: bool) -> None:
    frame = categoricals(n, canonical=canonical)
    table = benchmark(Table, frame)
    assert len(table.names) == N_COLUMNS


def bench_four_columns_of_a_wide_frame(benchmark: Any) -> None:
    frame = categoricals(10**6, canonical=False)
    benchmark(Table, frame, columns=["v0", "v1", "v2", "v3"])


def bench_numpy_of_a_million_rows(benchmark: Any) -> None:
    data = np.random.default_rng(0).integers(0, 4, (10**6, N_COLUMNS))
    benchmark.pedantic(Table, args=(data,), rounds=3)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for path in (write_csv("flights", Path(folder)), write_million(Path(folder))):
            time_of_ours, ratio = ratio_of_the_profile(path)
            print(f"profile of {path.name}: {time_of_ours:.2f} s, {ratio:.2f} times pyarrow's read_csv")
