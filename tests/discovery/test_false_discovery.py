"""The false discovery rate of the edges of PC-stable."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep.discovery.false_discovery import largest_level
from bitsep.errors import ArgumentError
from bitsep.report.repeat import snippet


@pytest.fixture(scope="module")
def alarm() -> pd.DataFrame:
    return bitsep.load_network("alarm").sample(1000, seed=1)


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.3])
def test_the_level_satisfies_the_rule(alarm: pd.DataFrame, rate: float) -> None:
    found = bitsep.pc_stable(alarm, "x2_calibrated", fdr=rate)
    level = found.settings["alpha"]
    pairs = 37 * 36 // 2
    unit = rate / (pairs * sum(1 / k for k in range(1, pairs + 1)))
    assert level <= unit * len(found.skeleton) * (1 + 1e-9)
    assert level == pytest.approx(unit * round(level / unit))
    same = bitsep.pc_stable(alarm, "x2_calibrated", alpha=level)
    assert same.graph == found.graph
    largest = max(evidence.weakest.p_value for evidence in found.edges.values())  # type: ignore[union-attr,type-var]
    assert largest is not None
    assert largest <= level


def test_fewer_edges_with_a_lower_rate(alarm: pd.DataFrame) -> None:
    sizes = [len(bitsep.pc_stable(alarm, "g2_adjusted", fdr=rate).skeleton) for rate in (0.001, 0.05, 0.5)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_pairs_that_knowledge_decides_do_not_count(alarm: pd.DataFrame) -> None:
    few = alarm[["CVP", "PCWP", "HISTORY", "LVFAILURE"]]
    knowledge = bitsep.Knowledge(
        required=[("LVFAILURE", "HISTORY")], forbidden=[("CVP", "HISTORY"), ("HISTORY", "CVP")]
    )
    found = bitsep.pc_stable(few, "x2_calibrated", fdr=0.05, knowledge=knowledge)
    tested = len(found.skeleton) - 1
    assert found.settings["alpha"] == pytest.approx(0.05 * tested / (4 * (1 + 1 / 2 + 1 / 3 + 1 / 4)))
    every = bitsep.Knowledge(forbidden=[("CVP", "PCWP"), ("PCWP", "CVP")])
    assert not bitsep.pc_stable(few[["CVP", "PCWP"]], "x2_calibrated", fdr=0.05, knowledge=every).skeleton


def test_levels() -> None:
    unit = 0.05 / (100 * sum(1 / k for k in range(1, 101)))
    assert largest_level(0.05, 100, lambda alpha: 0) == pytest.approx(unit)
    assert largest_level(0.05, 100, lambda alpha: 100) == pytest.approx(100 * unit)
    asked: list[float] = []
    steps = {100: 60, 60: 40, 40: 38, 38: 38}
    level = largest_level(0.05, 100, lambda alpha: asked.append(alpha) or steps[round(alpha / unit)])  # type: ignore[func-returns-value]
    assert level == pytest.approx(38 * unit)
    assert asked == sorted(asked, reverse=True)


def test_independent_columns_have_no_edges() -> None:
    rng = np.random.default_rng(1)
    data = {f"x{i}": rng.integers(0, 3, 500) for i in range(12)}
    found = bitsep.pc_stable(data, "x2_calibrated", fdr=0.05)
    assert not found.skeleton
    assert found.settings["alpha"] == pytest.approx(0.05 / (66 * math.fsum(1 / k for k in range(1, 67))))
    assert not bitsep.pc_stable({"x": [0, 1]}, "x2_calibrated", fdr=0.05).skeleton


def test_json_and_repeat(alarm: pd.DataFrame) -> None:
    found = bitsep.discover(alarm[list(alarm)[:8]], "pc_stable", method="x2_calibrated", fdr=0.05)
    assert json.loads(found.to_json())["settings"]["fdr"] == 0.05
    back = bitsep.Discovery.from_json(found.to_json())
    assert back == found
    code = snippet(found, None)
    assert "    fdr=0.05,\n" in code
    assert "alpha=" not in code
    assert "fdr=" not in snippet(bitsep.pc_stable(alarm[list(alarm)[:8]], "x2_calibrated"), None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fdr": 0}, "fdr: must lie between 0 and 1, both excluded, got 0."),
        ({"fdr": 1.0}, "fdr: must lie between 0 and 1"),
        ({"fdr": "5%"}, "fdr: must lie between 0 and 1"),
        ({"fdr": 0.05, "alpha": 0.05}, "alpha, fdr: at most one can be given"),
        ({"fdr": 0.05, "method": "sci_f"}, "fdr: needs a built-in test with p-values, got 'sci_f'."),
        ({"fdr": 0.05, "checkpoint": "folder"}, "checkpoint, fdr: cannot be combined"),
        ({"fdr": 0.05, "method": "none"}, "method: unknown test 'none'."),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    data = {"x": [0, 1] * 10, "y": [0, 1] * 10}
    with pytest.raises(bitsep.BitsepError, match=message):
        bitsep.pc_stable(data, **{"method": "x2_calibrated", **options})
    with pytest.raises(ArgumentError, match="fdr: needs data, got Oracle"):
        bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia")), "x2_calibrated", fdr=0.05)


@pytest.mark.slow
def test_the_rate_holds_in_samples_of_a_network() -> None:
    """Over 40 samples; the standard error of the mean is below 0.01."""
    network = bitsep.load_network("child")
    truth = {frozenset(edge) for edge in network.edges}
    shares = []
    for seed in range(40):
        edges = bitsep.pc_stable(
            network.sample(2000, seed=seed), "x2_calibrated", fdr=0.2, orientation="standard"
        ).skeleton
        shares.append(len(edges - truth) / max(1, len(edges)))
    assert np.mean(shares) <= 0.2
