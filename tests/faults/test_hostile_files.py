"""Hostile files end in a clear error, in bounded time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("resource", reason="Windows has no limit of the memory of a process")

from faults.hostile import FILES

Found = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What happened to each file, all read by one process, which may not survive."""
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "faults.hostile", tmp_path_factory.mktemp("hostile")],
        cwd=root, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    return {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_an_error_in_bounded_time_and_memory(found: Found, name: str) -> None:
    assert name in found, "the process ended"
    line = found[name]
    assert line["error"] == "BitsepError", line
    assert len(line["message"]) < 4500
    assert line["seconds"] < 30
    assert line["grown_mb"] < 3000
