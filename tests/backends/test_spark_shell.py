"""The shell on Spark prints the same bytes as in memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bitsep

pytestmark = pytest.mark.slow


def test_discover_on_spark(tmp_path: Path):
    data = tmp_path / "asia.csv"
    bitsep.load_network("asia").sample(500, seed=1).to_csv(data, index=False)
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "-m", "bitsep", "discover", str(data), "--json"]
    in_memory, on_spark = (
        subprocess.run([*command, *more], env=environment, capture_output=True, text=True, check=True).stdout
        for more in ([], ["--spark", "local[1]"])
    )
    assert on_spark == in_memory
