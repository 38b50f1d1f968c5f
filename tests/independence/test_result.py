"""One result as a value: to plain data and back."""

from __future__ import annotations

import json
from typing import Any

import pytest

import bitsep


@pytest.mark.parametrize(
    ("method", "options"), [("sci_f", {}), ("g2", {"min_rows_per_df": 1e6}), ("x2", {}), ("cmi", {"threshold": 0.01})]
)
def test_there_and_back_through_json(method: str, options: dict[str, Any]) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    for x, z in (("xray", ["either"]), (["xray", "tub"], ["either", "bronc"]), ("xray", [])):
        result = bitsep.independence_test(data, x, "smoke", given=z, method=method, **options)
        text = json.dumps(result.to_dict(), allow_nan=False)
        assert bitsep.IndependenceResult.from_dict(json.loads(text)) == result
        assert result.too_few_rows == (method == "g2")
