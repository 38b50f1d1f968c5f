"""Numbers are divided into the same intervals on every backend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bitsep

Opener = Callable[..., Any]


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(1)
    dose = rng.gamma(2, size=1500).round(3)
    columns = {
        "dose": pa.array([None if i % 50 == 7 else value for i, value in enumerate(dose)]),
        "price": rng.integers(0, 3000, 1500),
        "cured": rng.random(1500) < np.tanh(dose / 3),
        "hour": rng.integers(0, 24, 1500),
        "weight": rng.integers(0, 3, 1500),
    }
    path = tmp_path_factory.mktemp("numbers") / "numbers.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=400)
    return path


@pytest.mark.parametrize("method", ["auto", "mdl:cured", "equal-width:3;dose=1,2"])
@pytest.mark.parametrize("weights", [None, "weight"])
def test_discover(opened: Opener, numbers: Path, method: str, weights: str | None) -> None:
    options = {"columns": ["dose", "price", "cured", "hour"], "weights": weights}
    expected = bitsep.discover(bitsep.Table(numbers, **options), discretize=method, bootstrap=1)
    found = bitsep.discover(opened(numbers, **options), discretize=method, bootstrap=1)
    assert [column.column for column in found.discretized] == ["dose", "price"]
    assert found.to_json() == expected.to_json()
    assert found.data is not None
    assert expected.data is not None
    assert found.data.fingerprint() == expected.data.fingerprint()


def test_missing_values_as_a_level_of_intervals(opened: Opener, numbers: Path) -> None:
    data = bitsep.discretize(opened(numbers), "dose=1,2").with_missing_level(["dose"]).select(["dose", "cured"])
    assert [str(level) for level in data.levels("dose")] == ["(-inf, 1.0]", "(1.0, 2.0]", "(2.0, inf]", "⟨missing⟩"]
    expected = bitsep.discretize(bitsep.Table(numbers), "dose=1,2").with_missing_level(["dose"])
    assert data.level_counts("dose").tolist() == expected.level_counts("dose").tolist()
    assert data.discretized == expected.discretized
    assert "with_missing_level" in data.origin.code
    assert "bitsep.discretize" in data.origin.code
