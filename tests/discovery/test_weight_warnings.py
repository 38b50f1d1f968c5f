"""The warning about weights that look like those of a survey."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import bitsep


@pytest.mark.parametrize("search", [bitsep.boss, bitsep.pc_stable])
def test_weights_of_about_the_same_size_are_told(search: Any) -> None:
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({f"v{i}": rng.integers(3, size=300) for i in range(5)})
    rows["weight"] = rng.poisson(10, 300) + 1
    found = search(bitsep.Table(rows, weights="weight"))
    total = rows["weight"].sum()
    assert found.warnings[0].startswith(f"The weights make {total:,} rows of 300, and they do not look like numbers")
    assert bitsep.Discovery.from_json(found.to_json()).warnings == found.warnings
    assert not any("weights" in warning for warning in search(bitsep.Table(rows.head(50), weights="weight")).warnings)


def test_tables_of_frequencies_have_no_warning() -> None:
    rows = bitsep.load_network("sachs").sample(20_000, seed=1).iloc[:, :6]
    counts = rows.astype(str).value_counts().reset_index(name="count")
    assert len(counts) > 100
    assert not any("weights" in warning for warning in bitsep.boss(bitsep.Table(counts, weights="count")).warnings)
