"""Nothing depends on the order of columns or on the number of threads: the JSON is the same, byte for byte."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bitsep import Knowledge, load_network, markov_blankets, pc_stable
from bitsep.discovery.blankets import ALGORITHMS


@pytest.fixture(scope="module")
def alarm() -> pd.DataFrame:
    return load_network("alarm").sample(800, seed=11)


def permuted(data: pd.DataFrame, seed: int) -> pd.DataFrame:
    return data[np.random.default_rng(seed).permutation(data.columns.to_numpy())]


@pytest.mark.parametrize("method", ["sci_f", "sci_q", "jic", "g2", "g2_adjusted"])
def test_pc_stable_with_every_method(alarm: pd.DataFrame, method: str) -> None:
    texts = {pc_stable(permuted(alarm, seed), method=method, threads=n).to_json() for seed, n in enumerate((1, 2, 8))}
    assert len(texts) == 1


@pytest.mark.parametrize("orientation", ["standard", "conservative", "majority", "evidence"])
def test_pc_stable_with_every_rule(alarm: pd.DataFrame, orientation: str) -> None:
    knowledge = Knowledge(forbidden=[("CVP", "HISTORY")], tiers=[["LVFAILURE", "HYPOVOLEMIA"], ["CO", "BP"]])
    texts = {
        pc_stable(permuted(alarm, seed), max_given=3, orientation=orientation, knowledge=knowledge, threads=n).to_json()
        for seed, n in enumerate((1, 2, 8))
    }
    assert len(texts) == 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_blankets(alarm: pd.DataFrame, algorithm: str) -> None:
    texts = {
        "".join(m.to_json() for m in markov_blankets(permuted(alarm, seed), algorithm=algorithm, threads=n).values())
        for seed, n in enumerate((1, 2, 8))
    }
    assert len(texts) == 1


def test_conflicts_appear_at_all(alarm: pd.DataFrame) -> None:
    """The tests above would say little about conflicts if the data had none."""
    assert pc_stable(alarm).conflicts
