"""Data shared by the adapter tests. Hosts are imported inside tests only: `make test` collects these files too."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import bitsep


@pytest.fixture(scope="session")
def network():
    return bitsep.load_network("alarm")


@pytest.fixture(scope="session")
def alarm(network) -> pd.DataFrame:
    """2,000 rows of Alarm."""
    return network.sample(2000, seed=1)


@pytest.fixture(scope="session")
def codes(alarm) -> np.ndarray:
    """The same as integers, columns in the same order."""
    return np.column_stack([alarm[name].cat.codes for name in alarm]).astype(np.int64)


@pytest.fixture(scope="session")
def mixed() -> np.ndarray:
    """400 rows, five columns: chains 0 → 1 → 2 and 3 → 4 with noise; three levels each."""
    rng = np.random.default_rng(7)

    def noisy(column, share):
        return np.where(rng.random(400) < share, rng.integers(0, 3, 400), column)

    a, d = rng.integers(0, 3, 400), rng.integers(0, 3, 400)
    b = noisy(a, 0.3)
    return np.column_stack([a, b, noisy(b, 0.3), d, noisy(d, 0.8)])
