"""Stored results of every release are read, and reproduced; deliberate changes are listed here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bitsep
from releases.make import ROWS, results

FOLDER = Path(__file__).parent
STORED = sorted(path for path in FOLDER.glob("*/*") if path.parent.name[0].isdigit() and path.name != ROWS)
CHANGED: dict[str, str] = {}
"""Files, such as ``0.1.0/boss.json``, that later releases do not reproduce, each with the reason."""


def label(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def without_version(text: str) -> Any:
    content = json.loads(text)
    content.get("settings", {}).pop("bitsep_version", None)
    return content


@pytest.mark.parametrize("path", STORED, ids=label)
def test_stored_results_can_be_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.name == "network.bif":
        assert bitsep.read_bif(path).dag == bitsep.load_network("asia").dag
    elif path.name == "graph.json":
        assert bitsep.PDAG.from_json(text) == bitsep.load_network("asia").cpdag
    elif path.name == "blanket.json":
        assert bitsep.MarkovBlanket.from_json(text).to_json() == text
    elif path.name != "scores.json":
        assert bitsep.Discovery.from_json(text).to_json() == text


@pytest.mark.parametrize("path", [path for path in STORED if label(path) not in CHANGED], ids=label)
def test_stored_results_are_reproduced(path: Path) -> None:
    now, then = results()[path.name](), path.read_text(encoding="utf-8")
    if path.name == "scores.json":
        for name, bits in json.loads(then).items():
            assert json.loads(now)[name] == pytest.approx(bits, abs=1e-6)
    elif path.suffix == ".bif":
        assert now == then
    else:
        assert without_version(now) == without_version(then)


def test_the_present_release_has_stored_results() -> None:
    released = [path for path in STORED if path.parent.name == bitsep.__version__]
    assert len(released) == len(results())
