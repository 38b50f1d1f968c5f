"""Builds a commit or the working tree and installs it into a separate folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "compare"


class BuildError(Exception):
    """A commit is unknown or does not build."""


def commit_of(name: str) -> str:
    """The full hash of a commit, branch or tag."""
    found = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode:
        raise BuildError(f"BASE: not a commit of this repository; expected a hash, branch or tag, got {name!r}.")
    return found.stdout.strip()


def build_commit(commit: str) -> Path:
    """The folder in which a commit is installed; it is built only once, since a commit does not change."""
    folder = WORK / commit
    installed = folder / "installed"
    if not installed.exists():
        shutil.rmtree(folder, ignore_errors=True)
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(folder / "source", filter="data")
        _install(folder / "source", folder)
        installed.touch()
    return folder / "site"


def build_working_tree() -> Path:
    """The folder in which the working tree is installed; every call rebuilds what has changed."""
    folder = WORK / "working-tree"
    shutil.rmtree(folder / "site", ignore_errors=True)
    _install(ROOT, folder)
    return folder / "site"


def python_command(site: Path) -> tuple[list[str], dict[str, str]]:
    """Command and environment of a Python that imports from `site` and from the libraries of this environment.

    Without the `site` module (-S), as that would run the hooks of this environment's editable installation, which
    redirect `import bitsep` to the working tree.
    """
    paths = [str(site), str(ROOT), *dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))]
    return [sys.executable, "-S", "-P"], {"PYTHONPATH": os.pathsep.join(paths)}


def _install(source: Path, folder: Path) -> None:
    made = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"),
            f"--config-settings=build-dir={folder / 'cmake'}",
            *("--target", str(folder / "site"), str(source)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        raise BuildError(f"{source} does not build:\n{made.stdout}{made.stderr}")
