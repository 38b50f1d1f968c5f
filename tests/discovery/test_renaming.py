"""Nothing that the rule "evidence" finds depends on the names or the order of the columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from bitsep import Discovery, load_network, pc_stable
from bitsep.independence import IndependenceResult
from bitsep.naming import Name


def content(found: Discovery, old: dict[Name, str]) -> dict[str, Any]:
    """All of a discovery, with the old names of the columns; only `to_dag` chooses between equal DAGs by name."""

    def pair(names: Any) -> frozenset[str]:
        return frozenset(old[name] for name in names)

    def tested(result: IndependenceResult | None) -> Any:
        return None if result is None else (pair(result.given), result.score_bits, result.cmi_bits)

    return {
        "directed": {(old[a], old[b]) for a, b in found.graph.directed},
        "undirected": {pair(edge) for edge in found.graph.undirected},
        "separations": {
            pair(p): (tested(s.result), tested(s.runner_up), s.tests_run) for p, s in found.separations.items()
        },
        "edges": {pair(p): (tested(e.weakest), e.tests_run) for p, e in found.edges.items()},
        "conflicts": sorted(conflict.bits or 0.0 for conflict in found.conflicts),
        "ambiguous": {(old[t.center], pair((t.a, t.b)), t.holding, t.lacking) for t in found.ambiguous},
        "tests": found.tests_run,
    }


def check_renamings(data: pd.DataFrame, method: str, number: int) -> None:
    columns = list(data.columns)
    found = pc_stable(data, method=method)
    assert found.graph.is_cpdag
    expected = content(found, {name: name for name in columns})
    rng = np.random.default_rng(1)
    for _ in range(number):
        names = rng.permutation([f"v{i}" for i in range(len(columns))]).tolist()
        other = data.rename(columns=dict(zip(columns, names, strict=True)))[rng.permutation(names)]
        assert content(pc_stable(other, method=method), dict(zip(names, columns, strict=True))) == expected


@pytest.mark.parametrize("method", ["sci_f", "g2_adjusted"])
def test_20_renamings_of_alarm(method: str) -> None:
    check_renamings(load_network("alarm").sample(500, seed=5), method, 20)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["sci_f", "g2_adjusted"])
@pytest.mark.parametrize("name", ["alarm", "hepar2", "insurance"])
def test_100_renamings(name: str, method: str) -> None:
    check_renamings(load_network(name).sample(500, seed=5), method, 100)
