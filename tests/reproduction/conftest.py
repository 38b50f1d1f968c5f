"""One tiny run of everything, shared by all tests of the reproduction."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from reproduction.catalog import EXPERIMENTS
from reproduction.entry import Reproduction, reproduce
from reproduction.folder import Folder


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    """All experiments at their tiny size, in one process."""
    return reproduce(size="tiny", out=tmp_path_factory.mktemp("whole") / "out", threads=1)


@pytest.fixture(scope="session")
def results(whole: Reproduction) -> dict[str, pd.DataFrame]:
    """The results of that run."""
    found = {}
    for name in EXPERIMENTS:
        read = Folder(whole.out).read_results(name)
        assert read is not None
        found[name] = read
    return found


@pytest.fixture(scope="session")
def figures(whole: Reproduction) -> Path:
    return whole.out / "figures"
