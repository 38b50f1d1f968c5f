"""`bitsep discover FILE` on real tables: what is left out, and edges that the subject requires or forbids."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bitsep
import real_tables
from bitsep.cli import main
from real.expected import EXPECTED

_SECONDS = 20  # of processor time: at most 10 seconds on two cores

LARGE = [pytest.param(name, marks=pytest.mark.slow) for name, one in EXPECTED.items() if one.large]
SMALL = [name for name, one in EXPECTED.items() if not one.large]


class Shell:
    """Runs `bitsep discover` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._monkeypatch, self._capsys, self._folder = monkeypatch, capsys, folder

    def discover(self, name: str, *options: str) -> str:
        path = real_tables.write_csv(name, self._folder)
        self._monkeypatch.setattr(sys, "argv", ["bitsep", "discover", str(path), *options])
        begin = time.process_time()
        code = main()
        spent = time.process_time() - begin
        caught = self._capsys.readouterr()
        assert code == 0, caught.err
        assert spent < _SECONDS
        return caught.out


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> Shell:
    return Shell(monkeypatch, capsys, folder)


def edges_of(content: dict[str, Any]) -> set[frozenset[str]]:
    return {frozenset(edge[:2]) for kind in ("directed", "undirected") for edge in content["graph"][kind]}


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_discover(name: str, shell: Shell) -> None:
    expected = EXPECTED[name]
    found = json.loads(shell.discover(name, "--json", *expected.options))
    assert [alert["column"] for alert in found["left_out"]] == expected.left_out
    edges = edges_of(found)
    missing = {pair: why for pair, why in expected.required.items() if frozenset(pair) not in edges}
    wrong = {pair: why for pair, why in expected.forbidden.items() if frozenset(pair) in edges}
    assert (missing, wrong) == ({}, {})
    assert edges


@pytest.mark.parametrize("name", ["UCBAdmissions", "HairEyeColor"])
def test_tables_of_frequencies_have_no_graph_without_weights(name: str, shell: Shell) -> None:
    out = shell.discover(name)
    assert "0 edges" in out
    assert out.count("use it as the weights of the rows (weights=, --weights in the shell)") == 1


def test_the_chain_with_an_identifier_keeps_its_two_edges() -> None:
    draw = np.random.default_rng(1)
    x = draw.integers(0, 2, 5000)
    y = np.where(draw.random(5000) < 0.85, x, 1 - x)
    z = np.where(draw.random(5000) < 0.85, y, 1 - y)
    for id_ in (np.arange(5000), draw.integers(0, 5000, 5000)):
        found = bitsep.discover(pd.DataFrame({"x": x, "y": y, "z": z, "id": id_}))
        assert found.skeleton == {frozenset("xy"), frozenset("yz")}
        assert [alert.column for alert in found.left_out] == ["id"]


def test_every_table_has_expectations() -> None:
    assert set(EXPECTED) == set(real_tables.NAMES)
    assert sum(bool(one.required) for one in EXPECTED.values()) >= 20
