"""One result as a value: to plain data and back."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep.errors import FormatError


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


@dataclass(frozen=True)
class Fixed:
    """A test that has made up its mind."""

    judgment: bitsep.Judgment
    name: str = "fixed"

    def judge(self, counts: Any) -> bitsep.Judgment:
        return self.judgment


@pytest.mark.parametrize(
    "judgment",
    [
        bitsep.Judgment(threshold_bits=math.inf),
        bitsep.Judgment(threshold_bits=-math.inf),
        bitsep.Judgment(score_bits=math.inf),
        bitsep.Judgment(score_bits=-math.inf),
    ],
)
def test_infinities_of_ones_own_test(judgment: bitsep.Judgment) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    result = bitsep.independence_test(data, "xray", "smoke", method=Fixed(judgment))
    assert "inf" in str(result)
    assert not result.too_few_rows
    assert bitsep.IndependenceResult.from_dict(result.to_dict()) == result
    found = bitsep.pc_stable(data, method=Fixed(judgment), max_given=0)
    back = bitsep.Discovery.from_json(found.to_json())
    assert back == found
    assert back.explain("xray", "smoke") == found.explain("xray", "smoke")


def test_odd_names_are_text_in_plain_values() -> None:
    data = pd.DataFrame({2.5: [0, 1] * 10, "nothing": [0, 0, 1, 1] * 5, 7: [1] * 20, True: [0, 1, 1, 1] * 5})
    result = bitsep.independence_test(data, 2.5, [7, "nothing"], given=[True])
    plain = json.loads(json.dumps(result.to_dict()))
    assert (plain["x"], plain["y"], plain["given"]) == ("2.5", [7, "nothing"], ["True"])
    numbers = bitsep.independence_test(np.array([[0, 1], [1, 0], [1, 1]]), np.int64(0), 1).to_dict()
    assert json.loads(json.dumps(numbers))["x"] == 0


def test_foreign_fields_are_an_error() -> None:
    with pytest.raises(FormatError, match="to_dict"):
        bitsep.IndependenceResult.from_dict({})
