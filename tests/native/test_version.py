"""The version is written in three places, and is the same in all of them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import bitsep

ROOT = Path(__file__).parents[2]


def test_one_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.M)
    assert cited is not None
    assert bitsep.__version__ == project == cited.group(1)


def test_the_changelog_knows_it():
    assert f"## {bitsep.__version__} " in (ROOT / "CHANGELOG.md").read_text()
