"""ARCHITECTURE.md and CITATION.cff say what is so."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


TOP = (
    *("src", "native", "tests", "tools", "docs"),
    *("accuracy", "benchmarks", "calibration", "differential", "fuzz", "reproduction"),
)


def test_the_order_of_layers_is_the_one_that_is_checked() -> None:
    parser = configparser.ConfigParser()
    parser.read(ROOT / ".importlinter", encoding="utf-8")
    checked = re.findall(r"\w+", parser["importlinter:contract:layers"]["layers"])
    sentence = re.search(r"Imports go one way, from left to right: (.*?);", TEXT, re.DOTALL)
    assert sentence is not None
    assert ["__main__", *re.findall(r"`(\w+)`", sentence[1])] == checked


def test_every_file_and_folder_it_names_is_there() -> None:
    tops = [ROOT / top for top in TOP]
    places = {"/" + path.relative_to(ROOT).as_posix() for top in tops for path in (top, *top.rglob("*"))}
    names = {name for name in re.findall(r"`([\w./]+)`", TEXT) if re.search(r"/|\.(py|pyi|cpp|hpp|inl|md)$", name)}
    assert len(names) > 40
    missing = [name for name in names if not any(place.endswith("/" + name.rstrip("/")) for place in places)]
    assert not missing


def test_a_version_that_is_not_released_has_no_date_of_release() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    version = re.search(r"^version: (\S+)$", cited, re.MULTILINE)
    assert version is not None
    assert ("date-released" in cited) == (f"## {version[1]} (unreleased)" not in changelog)
