"""What the commands print and write, and that JSON says what the library says."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep.shell.app import app
from bitsep.shell.data import Source

COMMANDS = sorted(str(command.name) for command in app.registered_commands)


def test_the_commands_are_those_of_the_design():
    assert COMMANDS == ["blanket", "check", "describe", "discover", "info", "pairs", "sample", "test"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(call, command):
    done = call(command, "--help")
    assert done.code == 0
    assert f"$ bitsep {command}" in done.out
    assert "--json" in done.out
    assert done.err == ""


def test_version(call):
    assert call("--version").out == f"bitsep {bitsep.__version__}\n"


def test_test_json_is_the_result(call, asia):
    done = call("test", asia, "xray", "smoke", "--given", "either", "-g", "dysp", "--method", "g2", "--json")
    result = bitsep.independence_test(asia, "xray", "smoke", given=["either", "dysp"], method="g2")
    assert json.loads(done.out) == {"schema": "bitsep.test", "schema_version": 1, **result.to_dict()}
    assert done.code == 0


def test_test_prints_verdict_and_bits(call, asia):
    out = call("test", asia, "xray", "smoke").out
    assert out.startswith("xray ⊥ smoke\n")
    assert "dependent" in out
    assert "bits" in out


@pytest.mark.parametrize(("given", "code"), [((), 1), (("--given", "either"), 0)])
def test_exit_code_tells_the_verdict(call, asia, given, code):
    assert call("test", asia, "xray", "smoke", *given, "--exit-code").code == code
    assert call("test", asia, "xray", "smoke", *given).code == 0


def test_permutations(call, asia):
    done = call("test", asia, "xray", "smoke", "--permutations", "99", "--seed", "3", "--sequential", "--json")
    result = bitsep.independence_test(asia, "xray", "smoke", permutations=99, seed=3, sequential=True)
    assert json.loads(done.out) == {"schema": "bitsep.test", "schema_version": 1, **result.to_dict()}
    refused = call("test", asia, "xray", "smoke", "--permutations", "0")
    assert (refused.code, "permutations: must be an integer of at least 1, got 0." in refused.err) == (2, True)


def test_options_of_the_test(call, asia):
    done = call("test", asia, "xray", "smoke", "--method", "cmi", "--option", "threshold=0.5", "--json")
    assert json.loads(done.out)["threshold_bits"] == pytest.approx(0.5 * 2000)


def test_discover_json_round_trip(call, asia):
    done = call("discover", asia, "--json", "--bootstrap", 3, "--seed", 7, "--threads", 1)
    found = bitsep.discover(asia, bootstrap=3, seed=7)
    assert done.out == found.to_json() + "\n"
    assert bitsep.Discovery.from_json(done.out) == found


@pytest.mark.parametrize("algorithm", ["boss", "hill_climb", "pc_stable"])
def test_discover_summary_lists_every_edge_with_its_bits(call, asia, algorithm):
    out = call("discover", asia, "--algorithm", algorithm).out
    found = bitsep.discover(asia, algorithm)
    assert f"{len(found.variables)} variables, 2,000 rows" in out
    for a, sign, b in found.graph.edge_lines():
        evidence = found.edges[frozenset((a, b))]
        ends = (a, b) if algorithm == "pc_stable" else (evidence.parent, evidence.child)
        shown = [ends[0], sign, ends[1]]
        (line,) = [line for line in out.splitlines() if line[:1].strip() and line.split()[:3] == shown]
        assert f"{evidence.strength_bits:,.2f}" in line
        if algorithm == "pc_stable":
            assert f"{evidence.margin_bits:+,.2f}" in line
    assert "Weakest edges" in out
    assert "Nearly an edge" in out
    for warning in found.warnings:
        assert warning in out


def test_hill_climbing_from_a_graph_in_a_file(call, asia, tmp_path):
    network = bitsep.load_network("asia")
    network.dag.save(tmp_path / "start.dot")
    climb = ("discover", asia, "--algorithm", "hill_climb", "--tabu", 0, "--json", "--start")
    expected = bitsep.hill_climb(asia, start=network, tabu=0)
    assert call(*climb, tmp_path / "start.dot").out == expected.to_json() + "\n"
    refused = call("discover", asia, "--start", tmp_path / "start.dot")
    assert (refused.code, "start: boss has no such argument; it belongs to hill_climb." in refused.err) == (2, True)
    bitsep.DAG(["smoke", "rain"], [("rain", "smoke")]).save(tmp_path / "other.txt")
    refused = call(*climb, tmp_path / "other.txt")
    assert (refused.code, "start: no column 'rain'." in refused.err) == (2, True)
    refused = call(*climb, tmp_path / "start.xyz")
    assert (refused.code, "--start: the name of a graph must end in" in refused.err) == (2, True)
    refused = call(*climb, tmp_path / "missing.json")
    assert (refused.code, "--start: " in refused.err) == (2, True)


def test_discover_with_next_to_nothing(call, tmp_path):
    (tmp_path / "one.csv").write_text("a\n1\n2\n")
    assert call("discover", tmp_path / "one.csv").out.startswith("one.csv: 1 variable, 2 rows\n0 edges")
    (tmp_path / "constant.csv").write_text("a,b\n1,1\n1,1\n")
    out = call("discover", tmp_path / "constant.csv").out
    assert "constant" in out.partition("Warnings")[2]
    assert "Nearly" not in out


def test_discover_with_bootstrap_shows_support(call, asia):
    assert "%" in call("discover", asia, "--bootstrap", 4).out


def test_discover_explains(call, asia):
    done = call("discover", asia, "--explain", "xray", "smoke")
    assert done.out.strip() == bitsep.discover(asia).explain("xray", "smoke")


@pytest.mark.parametrize("ending", [".dot", ".graphml", ".json", ".txt"])
def test_graph_files_hold_the_graph(call, asia, tmp_path, ending):
    path = tmp_path / f"graph{ending}"
    assert call("discover", asia, "--output", path).out.endswith(f"written: {path}\n")
    assert bitsep.PDAG.load(path) == bitsep.discover(asia).graph
    assert list(tmp_path.iterdir()) == [path]


def test_model_string_is_a_member_of_the_class(call, tmp_path):
    data = tmp_path / "data.csv"
    bitsep.load_network("cancer").sample(5000, seed=1).to_csv(data, index=False)
    call("discover", data, "-o", tmp_path / "graph.bnlearn")
    dag = bitsep.DAG.from_modelstring((tmp_path / "graph.bnlearn").read_text().strip())
    assert dag.cpdag() == bitsep.discover(data).graph


@pytest.mark.parametrize("ending", [".bif", ".bif.gz"])
def test_a_bif_file_has_the_probabilities(call, asia, tmp_path, ending):
    path = tmp_path / f"graph{ending}"
    assert call("discover", asia, "-o", path).out.endswith(f"written: {path}\n")
    assert bitsep.read_bif(path) == bitsep.Network.fit(bitsep.discover(asia))


def test_report_is_a_page(call, asia, tmp_path):
    done = call("discover", asia, "--report", tmp_path / "graph.html")
    assert done.code == 0, done.err
    assert "<html" in (tmp_path / "graph.html").read_text(encoding="utf-8").lower()
    assert [path.name for path in tmp_path.iterdir()] == ["graph.html"]


def test_knowledge_from_options_and_file(call, asia, tmp_path):
    file = tmp_path / "known.json"
    file.write_text(json.dumps({"tiers": [["asia", "smoke"], ["xray"]], "forbidden": [["dysp", "bronc"]]}))
    done = call(
        "discover", asia, "--json", "--knowledge", file, "--required", "asia -> tub", "--forbidden", '"lung" -- smoke'
    )
    known = bitsep.Knowledge(
        required=[("asia", "tub")],
        forbidden=[("dysp", "bronc"), ("lung", "smoke"), ("smoke", "lung")],
        tiers=[["asia", "smoke"], ["xray"]],
    )
    assert done.out == bitsep.discover(asia, knowledge=known).to_json() + "\n"


def test_columns_and_exclude(call, asia):
    some = json.loads(call("discover", asia, "--columns", "lung", "--columns", "smoke", "--json").out)
    assert some["variables"] == ["lung", "smoke"]
    rest = json.loads(call("discover", asia, "--exclude", "lung", "--json").out)
    assert rest["variables"] == ["asia", "bronc", "dysp", "either", "smoke", "tub", "xray"]


def test_exclude_never_reads_the_column(call, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b,x\n" + "".join(f"{i % 2},{i % 2},{i / 4}\n" for i in range(200)) + "0,0,unknown\n")
    assert call("discover", path).code == 2
    assert call("discover", path, "--exclude", "x").code == 0


def test_the_summary_tells_rows_from_their_weights(call, tmp_path):
    path = tmp_path / "counts.csv"
    pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "count": [40, 5, 5, 40]}).to_csv(path, index=False)
    assert "2 variables, 4 rows (total weight 90)\n" in call("discover", path, "--weights", "count").out
    assert "2 variables, 4 rows\n" in call("discover", path, "--exclude", "count").out


def test_weights_and_missing(call, tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("a,b,count\n0,0,40\n1,1,50\n0,1,9\n1,0,11\n-9,0,5\n")
    done = call("test", path, "a", "b", "--weights", "count", "--missing", "-9", "--json")
    assert json.loads(done.out)["n"] == 110


def test_discretize(call, tmp_path):
    rng = np.random.default_rng(3)
    x = rng.normal(size=500)
    frame = pd.DataFrame({"x": x, "y": x + rng.normal(size=500), "label": x > 0.3})
    path = tmp_path / "data.csv"
    frame.to_csv(path, index=False)
    refused = call("test", path, "x", "y")
    assert refused.code == 2
    assert "continuous" in refused.err
    for how, sizes in (("equal-frequency", [5, 5, 1]), ("equal-width:3", [3, 3, 1])):
        assert json.loads(call("test", path, "x", "y", "--discretize", how, "--json").out)["domain_sizes"] == sizes
    by_label = json.loads(call("test", path, "x", "label", "--discretize", "mdl:label", "--json").out)
    assert by_label["domain_sizes"] == [2, 2, 1]


def test_memory_gives_the_same_result(call, asia, tmp_path):
    rows = pd.read_csv(asia)
    for part in range(2):
        rows[part::2].to_parquet(tmp_path / f"{part}.parquet")
    expected = call("discover", asia, "--json", "--exclude", "lung").out
    for source in (tmp_path, tmp_path / "*.parquet", asia):
        assert call("discover", source, "--memory", "100MB", "--json", "--exclude", "lung").out == expected
    assert call("discover", tmp_path, "--memory", "1KB").code == 2


def test_blanket(call, asia):
    found = bitsep.markov_blanket(asia, "either")
    assert json.loads(call("blanket", asia, "either", "--json").out) == json.loads(found.to_json())
    assert ", ".join(map(str, found.neighbors)) in call("blanket", asia, "either").out
    every = json.loads(call("blanket", asia, "--json").out)["blankets"]
    assert every["either"]["members"] == list(found.members)
    assert len(every) == 8


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_sample_is_what_the_library_draws(call, tmp_path, ending):
    path = tmp_path / f"rows{ending}"
    assert call("sample", "asia", "-n", 50, "--seed", 3, "-o", path).code == 0
    rows = pd.read_csv(path, dtype=str) if ending == ".csv" else pd.read_parquet(path)
    expected = bitsep.load_network("asia").sample(50, seed=3)
    assert rows.astype(str).to_dict("list") == expected.astype(str).to_dict("list")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_sample_from_a_file_to_the_screen(call, tmp_path):
    bitsep.load_network("cancer").to_bif(tmp_path / "mine.bif")
    out = call("sample", tmp_path / "mine.bif", "-n", 3).out
    assert out.splitlines()[0] == "Cancer,Dyspnoea,Pollution,Smoker,Xray"
    assert len(out.splitlines()) == 4


def test_sample_json(call, tmp_path):
    facts = json.loads(call("sample", "cancer", "-n", 3, "-o", tmp_path / "c.csv", "--json").out)
    assert facts["variables"] == list(bitsep.load_network("cancer").variables)


@pytest.mark.parametrize("command", ["test", "discover", "blanket"])
def test_every_command_that_reads_data_has_the_same_options_for_them(call, command):
    text = call(command, "--help").out
    for option in fields(Source):
        assert f"--{option.name.replace('_', '-')}" in text


def test_test_reads_no_column_that_was_excluded(call, asia):
    assert json.loads(call("test", asia, "xray", "smoke", "--exclude", "lung", "--json").out)["n"] == 2000
    done = call("test", asia, "xray", "smoke", "--exclude", "smoke")
    assert (done.code, "column 'smoke' is needed" in done.err) == (2, True)


def test_every_json_has_a_schema_and_its_version(call, asia):
    for command in (["test", asia, "xray", "smoke"], ["discover", asia], ["blanket", asia], ["blanket", asia, "lung"],
                    ["sample", "cancer", "-o", asia.with_name("c.csv")], ["info"]):  # fmt: skip
        document = json.loads(call(*command, "--json").out)
        assert document["schema"].startswith("bitsep.")
        assert document["schema_version"] >= 1


def test_info(call):
    facts = json.loads(call("info", "--json").out)
    assert facts["version"] == bitsep.__version__
    assert facts["kernel"] in facts["available_kernels"]
    out = call("info").out
    for word in ("kernel", "threads", "python", "polars", "sci_f", "alarm"):
        assert word in out


def test_files_get_the_permissions_of_any_new_file(call, tmp_path):
    (tmp_path / "other").touch()
    call("sample", "asia", "-n", 2, "-o", tmp_path / "rows.csv")
    assert Path(tmp_path / "rows.csv").stat().st_mode == (tmp_path / "other").stat().st_mode
