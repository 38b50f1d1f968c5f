"""`bitsep check`: every graph format, text, JSON, explanations, and errors."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import bitsep

DAG = bitsep.load_network("asia").dag


def written(folder, ending):
    path = folder / f"graph{ending}"
    if ending.startswith(".bif"):
        bitsep.load_network("asia").to_bif(path)
    elif ending == ".bnlearn":
        path.write_text(DAG.to_modelstring() + "\n", encoding="utf-8")
    else:
        DAG.save(path)
    return path


@pytest.mark.parametrize(
    "ending", [".dot", ".gv", ".graphml", ".json", ".txt", ".edges", ".bnlearn", ".bif", ".bif.gz"]
)
def test_graphs_in_every_format(call, asia, tmp_path, ending):
    done = call("check", written(tmp_path, ending), asia)
    assert done.code == 0, done.err
    assert done.out == f"{bitsep.check(DAG, asia)}\n"


def test_the_json_of_a_search_is_a_graph(call, asia, tmp_path):
    (tmp_path / "found.json").write_text(call("discover", asia, "--json").out, encoding="utf-8")
    done = call("check", tmp_path / "found.json", asia, "--json")
    assert json.loads(done.out) == json.loads(bitsep.check(bitsep.discover(asia).graph, asia).to_json())


def test_options_and_explanations(call, asia, tmp_path):
    changed = bitsep.DAG(DAG.variables, DAG.edges - {("smoke", "bronc")})
    changed.save(tmp_path / "changed.dot")
    done = call("check", tmp_path / "changed.dot", asia, "--explain", "-m", "x2", "--alpha", "0.01")
    assert done.out == f"{bitsep.check(changed, asia, 'x2', 0.01).explain()}\n"
    assert "bronc and smoke should be independent, but are not" in done.out


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("graph.pdf", "", "graph: the name of a graph must end in"),
        ("cycle.txt", "a -> b\nb -> a\n", "edges: each pair can have one edge"),
        ("cycle3.txt", "smoke -> lung\nlung -> xray\nxray -> smoke\n", "cannot have a directed cycle"),
        ("cycle4.txt", "lung -> xray\nxray -> lung\n", "Correct 'cycle4.txt'."),
        ("sign.txt", "lung => xray\n", "Correct 'sign.txt'. Put names that are not plain words in double quotes."),
        ("other.txt", "smoke -> rain\n", "graph: no column 'rain'"),
        ("graph.json", "{}", "schema"),
    ],
)
def test_bad_graphs(call, asia, tmp_path, name, content, message):
    (tmp_path / name).write_text(content, encoding="utf-8")
    done = call("check", tmp_path / name, asia)
    assert done.code == 2
    assert message in done.err


def test_a_missing_file_and_a_test_without_p_values(call, asia, tmp_path):
    for ending in (".dot", ".json", ".bif", ".bnlearn"):
        done = call("check", tmp_path / f"none{ending}", asia)
        assert done.code == 2
        assert "cannot be read" in done.err
    done = call("check", written(tmp_path, ".dot"), asia, "-m", "sci_f")
    assert done.code == 2
    assert "method: must be a test with p-values" in done.err


def test_intervals_come_from_the_json_of_a_search(call, tmp_path):
    rows = np.random.default_rng(1).normal(size=(400, 2))
    for month, values in (("january", rows[:200]), ("february", rows[200:])):
        pd.DataFrame(values, columns=["a", "b"]).to_csv(tmp_path / f"{month}.csv", index=False)
    found = call("discover", str(tmp_path / "january.csv"), "-o", str(tmp_path / "graph.json"), "--json").out
    (tmp_path / "found.json").write_text(found)
    february = str(tmp_path / "february.csv")
    assert call("check", str(tmp_path / "found.json"), february).code == 0
    error = call("check", str(tmp_path / "graph.json"), february)
    assert error.code == 2
    assert "A graph file has no intervals; the file of `bitsep discover --json` has" in " ".join(error.err.split())
