"""Entropies of counts, by their definition."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bitsep.complexity import entropy_bits


@pytest.mark.parametrize("counts", [[1], [2, 2], [4, 0], [1, 2, 3], [5, 0, 7, 1], [0, 0], [1000, 1]])
def test_the_entropy_of_counts(counts: list[int]) -> None:
    n = sum(counts)
    expected = -math.fsum(count * math.log2(count / n) for count in counts if count)
    assert float(entropy_bits(counts)) == pytest.approx(expected, abs=1e-9, rel=1e-9)


def test_every_axis() -> None:
    table = np.random.default_rng(1).integers(0, 5, (3, 4))
    for axis in (0, 1):
        columns = np.moveaxis(table, axis, -1)
        assert entropy_bits(table, axis).tolist() == [float(entropy_bits(column)) for column in columns]
