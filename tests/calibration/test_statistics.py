"""The statistics that are compared."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import bitsep
from calibration.cells import Cell
from calibration.statistics import KINDS, power, statistics


def test_x2_and_g2() -> None:
    rng = np.random.default_rng(0)
    z, x, y = rng.integers(0, 4, 80), rng.integers(0, 3, 80), rng.integers(0, 3, 80)
    counts = np.zeros((1, 4, 3, 3), dtype=np.int64)
    np.add.at(counts, (0, z, x, y), 1)
    x2, g2, _ = statistics(counts)[:, 0]
    for value, method in ((x2, "x2"), (g2, "g2")):
        result = bitsep.independence_test({"x": x, "y": y, "z": z}, "x", "y", given="z", method=method)
        assert result.statistic == pytest.approx(value)


def test_the_mean_of_wuci_is_zero() -> None:
    """Over all permutations of one stratum."""
    x = np.array([0, 0, 0, 1, 1, 2])
    orders = np.array(list(permutations([0, 1, 1, 1, 2, 2])))
    counts = np.zeros((len(orders), 1, 3, 3), dtype=np.int64)
    np.add.at(counts, (np.arange(len(orders))[:, None], 0, x, orders), 1)
    assert statistics(counts)[2].mean() == pytest.approx(0, abs=1e-12)
    assert statistics(counts)[2].std() > 0.05


@pytest.mark.parametrize("kind", KINDS)
def test_power(kind: str) -> None:
    shares = power(Cell("uniform", 2, 1, 100), kind, 40)
    assert np.all(shares > 0.15)
    assert np.all(shares < 0.85)
