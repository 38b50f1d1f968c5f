"""No result of the stored corpus has changed, in memory and in chunks (Spark: `tests/backends/test_spark_corpus.py`).

The corpus was made on x86-64 Linux with glibc, on a processor with FMA. Where the platform is the same (`platform` in
the stored files) all bits are compared, elsewhere numbers to 6 significant digits; `digests.py` says why. Where a
result changes on purpose, `python -m tests.corpus.make` rewrites the corpus.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus import cases, results
from corpus.comparison import differences, stored_families
from corpus.make import REGRET, contents

NETWORKS = results.network_names()


@pytest.mark.parametrize("network", NETWORKS)
def test_results_in_memory_are_those_stored(network: str) -> None:
    found = list(contents(network))
    assert {(sample, family) for sample, family, _ in found} == stored_families(network)
    assert differences(network, found) == []


@pytest.mark.parametrize("network", NETWORKS)
def test_results_in_chunks_are_those_stored(network: str, tmp_path: Path) -> None:
    found = []
    for sample in cases.samples(network):
        with results.in_chunks(sample.write(tmp_path), sample.weights, memory=8_000_000) as data:
            questions = cases.Questions(network, results.variables(data))
            families = [*cases.independence_families(data, questions), *cases.graph_families(data, ["sci_f"])]
            if sample.small:
                families += cases.blanket_families(data, questions, ["sci_f"])
            found += [(sample.title, family, records) for family, records in families]
    assert differences(network, found) == []


def test_regrets_are_those_stored() -> None:
    assert differences(REGRET, contents(REGRET)) == []
