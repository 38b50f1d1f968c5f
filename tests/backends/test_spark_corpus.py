"""No result of the stored corpus has changed on Spark. See `tests/corpus`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corpus import cases, results
from corpus.comparison import differences

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::FutureWarning")]


@pytest.mark.parametrize("network", ["asia", "alarm", "child"])
def test_results_on_spark_are_those_stored(spark: Any, network: str, tmp_path: Path) -> None:
    sample = cases.samples(network)[0]
    data = results.on_spark(spark, sample.write(tmp_path), sample.weights)
    questions = cases.Questions(network, results.variables(data))
    found = [
        *cases.independence_families(data, questions),
        *cases.graph_families(data, ["sci_f"]),
        *cases.one_blanket_families(data, questions),
    ]
    assert differences(network, [(sample.title, family, records) for family, records in found]) == []
