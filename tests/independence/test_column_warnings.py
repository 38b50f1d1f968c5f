"""A single test warns about columns that a search would leave out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import bitsep

N = 5000


def with_id() -> dict[str, Any]:
    draw = np.random.default_rng(0)
    x = draw.integers(0, 2, N)
    return {"x": x, "y": np.where(draw.random(N) < 0.85, x, 1 - x), "id": np.arange(N)}


def test_single_tests_leave_nothing_out_but_warn() -> None:
    result = bitsep.independence_test(with_id(), "x", "id")
    assert result.n == N
    warning = "id looks like an identifier: 5,000 different values in 5,000 rows. The verdict may mean little."
    assert result.warnings == (warning,)
    assert warning in str(result)
    assert warning in result._repr_html_()
    assert bitsep.IndependenceResult.from_dict(result.to_dict()) == result
    assert bitsep.independence_test(with_id(), "x", "y", given=["id"]).warnings == (warning,)
    assert bitsep.independence_test(with_id(), "x", "y").warnings == ()
    scan = bitsep.scan(pa.table(with_id()), memory="64MB")
    assert bitsep.independence_test(scan, "x", "id") == result


def test_a_variable_with_one_level_in_the_rows_used() -> None:
    data = {"x": ["a", "b", "a", "b", "c"], "y": [1, 1, 1, 1, 2], "z": [0, 1, 0, 1, None]}
    assert bitsep.independence_test(data, "x", "y").warnings == ()
    [warning] = bitsep.independence_test(data, "x", "y", "z").warnings
    assert warning == "y has only one level in the 4 rows used."
    [warning] = bitsep.independence_test(data, "z", ["y", "x"], method="cmi").warnings
    assert warning.startswith("cmi without a threshold calls all variables dependent; give threshold=")
    assert bitsep.independence_test(data, "z", "x", method="cmi", threshold=0.01).warnings == ()
