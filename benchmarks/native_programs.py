"""The programs in `native/bench`, built by the CMake preset `bench`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def output_of(program: str) -> str:
    """What a program prints; raises `CalledProcessError` or `OSError` where it cannot be built or run."""
    tools = os.environ | {"PATH": f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"}  # cmake, ninja
    built = ["cmake", "--workflow", "--preset", "bench"]
    subprocess.run(built, cwd=ROOT, env=tools, capture_output=True, text=True, check=True)
    made = [ROOT / "build" / "native" / "bench" / program]
    return subprocess.run(made, capture_output=True, text=True, check=True).stdout
