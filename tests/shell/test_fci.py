"""`bitsep discover --algorithm fci`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bitsep
from bitsep import PAG


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fci") / "alarm.csv"
    bitsep.load_network("alarm").sample(1000, seed=1).drop(columns=["LVFAILURE", "VENTLUNG"]).to_csv(path, index=False)
    return path


def test_summary_files_and_explanation(table: Path, tmp_path: Path, call: Callable[..., Any]) -> None:
    files = [tmp_path / f"graph{ending}" for ending in (".dot", ".graphml", ".json", ".txt")]
    outputs = [argument for file in files for argument in ("--output", file)]
    done = call("discover", table, "--algorithm", "fci", "--max-given", 3, *outputs)
    assert done.code == 0
    assert "(a hidden common cause); found by fci with sci_f" in done.out
    assert "o→" in done.out
    graphs = [PAG.load(file) for file in files]
    assert graphs[0] == bitsep.fci(table, max_given=3).graph
    assert all(graph == graphs[0] for graph in graphs)
    shown = call("discover", table, "--algorithm", "fci", "--variant", "rfci", "--explain", "HR", "HRBP")
    assert "HR → HRBP" in shown.out or "o→" in shown.out


def test_json_and_options(table: Path, call: Callable[..., Any]) -> None:
    done = call("discover", table, "--algorithm", "fci", "--variant", "rfci", "--selection", "--json")
    content = json.loads(done.out)
    assert (content["settings"]["variant"], content["settings"]["selection"]) == ("rfci", True)
    assert isinstance(bitsep.Discovery.from_json(done.out).graph, PAG)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--output", "graph.bnlearn"), "--output: must be a format of graphs with hidden variables"),
        (("--output", "graph.json", "--output", "graph.bif"), "--output: must be a format of graphs with hidden"),
        (("--expected",), "--expected: must not be given with --algorithm fci."),
    ],
)
def test_what_needs_a_dag_is_refused_before_the_search(
    arguments: tuple[str, ...], message: str, table: Path, call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    done = call("discover", table, "--algorithm", "fci", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not list(table.parent.glob("graph.*"))


def test_check_of_a_pag_in_a_file(table: Path, tmp_path: Path, call: Callable[..., Any]) -> None:
    for ending in (".json", ".txt"):
        file = tmp_path / f"graph{ending}"
        assert call("discover", table, "--algorithm", "fci", "--output", file).code == 0
        done = call("check", file, table)
        assert done.code in (0, 1)
        assert "implied independences" in done.out
