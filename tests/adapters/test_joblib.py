"""Searches in the workers of joblib, which scikit-learn uses: processes of loky, and threads."""

from __future__ import annotations

import pytest

import bitsep

joblib = pytest.importorskip("joblib")


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_searches_in_joblib(backend: str) -> None:
    frames = [bitsep.load_network("asia").sample(rows, seed=1) for rows in (200, 300, 400, 500)]
    expected = [bitsep.pc_stable(frame, threads=2).to_json() for frame in frames]
    calls = [joblib.delayed(bitsep.pc_stable)(frame, threads=2) for frame in frames]
    assert [found.to_json() for found in joblib.Parallel(n_jobs=2, backend=backend)(calls)] == expected
