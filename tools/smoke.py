"""Run the test suite with the installed bitsep, without the sources, to check that the wheel is complete.

Usage: python tools/smoke.py [PROJECT] [FOLDER …]     folders of tests; by default those without further dependencies
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDERS = ("complexity", "data", "discovery", "graphs", "independence", "networks")


def main(arguments: list[str]) -> int:
    project = Path(arguments[0] if arguments else ".").resolve()
    folders = arguments[1:] or FOLDERS
    found = importlib.util.find_spec("bitsep")
    if found is None or found.origin is None or project / "src" in Path(found.origin).parents:
        print(f"bitsep: must be installed from a wheel, got {found and found.origin}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        # Run a copy: next to src/ the tests would import the sources, which have no native module.
        shutil.copytree(project / "tests", Path(scratch, "tests"), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(project / "pyproject.toml", scratch)
        tests = [f"tests/{folder}" for folder in folders]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "not slow", "-p", "no:cacheprovider", *tests]
        return subprocess.run(command, cwd=scratch, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
