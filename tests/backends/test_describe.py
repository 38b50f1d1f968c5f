"""The profile of a file, and the sample of rows that it uses, are the same with every backend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bitsep
from bitsep.data.load import encoded
from bitsep.data.profile import relations

Opener = Callable[..., Any]


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    """An identifier, a date, text, numbers, functions and duplicates of other columns, missing values."""
    draw = np.random.default_rng(3)
    rows = 2500
    state = draw.integers(0, 20, rows)
    table = {
        "id": np.arange(rows) + 17,
        "day": np.datetime64("2024-01-01") + draw.integers(0, 90, rows),
        "note": [f"seen {a} times near {b}" for a, b in draw.integers(0, 60, (rows, 2))],
        "price": draw.normal(size=rows),
        "state": state,
        "code": [f"S{one}" for one in state],
        "region": state // 5,
        "sex": draw.choice(["f", "m"], rows),
        "mark": np.where(draw.random(rows) < 0.8, None, "x"),
    }
    path = tmp_path / "messy.parquet"
    pq.write_table(pa.table(table), path, row_group_size=400)
    return path


def test_profile(opened: Opener, messy: Path) -> None:
    found = bitsep.describe(opened(messy, max_float_levels=None))
    assert found.to_json() == bitsep.describe(messy).to_json()
    assert found.unsuitable == ("id", "day", "note")
    kinds = {(alert.column, alert.kind) for alert in found.alerts}
    assert kinds >= {("state", "duplicate"), ("region", "function"), ("price", "many_levels")}


def test_profile_of_a_table_of_frequencies(opened: Opener, tmp_path: Path) -> None:
    path = tmp_path / "frequencies.parquet"
    pq.write_table(pa.table({"a": [*"xxyyzz"], "b": [0, 1] * 3, "Freq": [7, 0, 3, 9, 4, 4]}), path, row_group_size=4)
    found = bitsep.describe(opened(path))
    assert found.to_json() == bitsep.describe(path).to_json()
    assert [alert.kind for alert in found.alerts] == ["frequency"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_profile_of_a_spark_data_frame(spark: Any, messy: Path) -> None:
    assert bitsep.describe(spark.read.parquet(str(messy))).to_json() == bitsep.describe(messy).to_json()


@pytest.mark.parametrize("weights", [None, "weight"])
def test_profile_with_weights_and_missing_values(opened: Opener, awkward: Path, weights: str | None) -> None:
    found = bitsep.describe(opened(awkward, weights=weights))
    assert found.to_json() == bitsep.describe(bitsep.Table(awkward, weights=weights)).to_json()
    assert "empty" in found.unsuitable


def test_profile_from_a_small_sample(opened: Opener, messy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = bitsep.describe(messy)
    monkeypatch.setattr(relations, "SAMPLE_ROWS", 50)
    assert bitsep.describe(opened(messy, max_float_levels=None)).to_json() == expected.to_json()


@pytest.mark.parametrize("weights", [None, "weight"])
@pytest.mark.parametrize("rows", [1, 333, 10**6])
def test_thinned_rows_are_rows_of_the_data(opened: Opener, awkward: Path, rows: int, weights: str | None) -> None:
    counter = encoded(opened(awkward, weights=weights)).counter()
    thinned = counter.thinned(rows)
    assert thinned.native.rows <= rows
    assert thinned.variables == counter.variables
    if rows > counter.n:
        assert thinned.n == counter.n
    for variable in range(len(counter.variables)):
        present = int(thinned.level_counts(variable).sum())
        assert present <= int(counter.level_counts(variable).sum())
        assert thinned.n_levels(variable) == np.count_nonzero(thinned.level_counts(variable))


def test_thinned_and_merged(opened: Opener, awkward: Path) -> None:
    counter = encoded(opened(awkward)).counter()
    merged = counter.merged([("cause", "half"), "text"])
    thinned, expected = merged.thinned(200), counter.thinned(200).merged([("cause", "half"), "text"])
    assert thinned.variables == merged.variables
    assert [thinned.level_counts(v).tolist() for v in range(2)] == [expected.level_counts(v).tolist() for v in range(2)]
