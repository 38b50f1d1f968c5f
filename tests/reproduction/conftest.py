"""One tiny run of everything, shared by all tests of the paper's reproduction."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduction.catalogue import EXPERIMENTS, experiment_named
from reproduction.entry import Reproduction, run
from reproduction.folder import Folder
from reproduction.results import Results


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    """All experiments at their tiny size, in one process."""
    return run([], "tiny", tmp_path_factory.mktemp("whole") / "out", 1, False, None)


@pytest.fixture(scope="session")
def results(whole: Reproduction) -> dict[str, Results]:
    """The results of that run."""
    found = {}
    for name in EXPERIMENTS:
        read = Folder(whole.out).read_results(name, experiment_named(name).schema)
        assert read is not None
        found[name] = read
    return found


@pytest.fixture(scope="session")
def figures(whole: Reproduction) -> Path:
    return whole.out / "figures"
