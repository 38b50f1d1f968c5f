"""The reproduction and the accuracy benchmark use public names of bitsep, with few exceptions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import bitsep

ROOT = Path(__file__).parents[1]
# Graphs are compared there, and the coefficients of probabilities and of recall are fitted there.
FOR_ACCURACY = {
    "bitsep.assessment.expected",
    "bitsep.discovery.calibration",
    "bitsep.discovery.consensus",
    "bitsep.graphs",
}
PUBLIC = {"bitsep", "bitsep.errors", *(f"bitsep.{name}" for name in bitsep.__all__)}


@pytest.mark.parametrize(("folder", "public"), [("reproduction", PUBLIC), ("accuracy", PUBLIC | FOR_ACCURACY)])
def test_only_public_names_are_imported(folder: str, public: set[str]) -> None:
    imported = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module == "bitsep":
                imported |= {f"bitsep.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module)
    mine = {name for name in imported if name.partition(".")[0] == "bitsep"}
    assert mine
    assert mine <= public
