"""Every error is two lines on stderr, exit code 2, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import bitsep

BAD = {
    "no such file": (["discover", "nowhere.csv"], "nowhere.csv"),
    "a directory": (["discover", "."], "directory"),
    "an unknown ending": (["discover", __file__], "extension"),
    "nothing to describe": (["describe", "nowhere.csv"], "nowhere.csv"),
    "no such column to describe": (["describe", "DATA", "--columns", "age"], "'age'"),
    "threads to describe": (["describe", "DATA", "--threads", "0"], "threads"),
    "no such column": (["test", "DATA", "xray", "smoek"], "'smoek'"),
    "the same column twice": (["test", "DATA", "xray", "xray"], "'xray'"),
    "no such method": (["test", "DATA", "xray", "smoke", "-m", "g3"], "'g3'"),
    "no such option of the test": (["test", "DATA", "xray", "smoke", "--option", "depth=3"], "'depth'"),
    "no pair": (["test", "DATA", "xray", "smoke", "--option", "depth"], "'depth'"),
    "alpha out of range": (["discover", "DATA", "--algorithm", "pc_stable", "--alpha", "3"], "alpha"),
    "alpha no number": (["discover", "DATA", "--algorithm", "pc_stable", "--alpha", "small"], "alpha"),
    "threads": (["discover", "DATA", "--threads", "0"], "threads"),
    "max given": (["discover", "DATA", "--algorithm", "pc_stable", "--max-given", "-1"], "max_given"),
    "no such target": (["blanket", "DATA", "lugn"], "'lugn'"),
    "no such algorithm": (["blanket", "DATA", "lung", "--algorithm", "magic"], "'magic'"),
    "no such network": (["sample", "alrm"], "'alrm'"),
    "a negative number of rows": (["sample", "alarm", "-n", "-4"], "-4"),
    "an unknown output": (["sample", "alarm", "-o", "rows.xls"], "rows.xls"),
    "a picture": (["discover", "DATA", "-o", "graph.gif"], "must end in"),
    "an unknown graph format": (["discover", "DATA", "-o", "graph.xyz"], "graph.xyz"),
    "no directory for the output": (["discover", "DATA", "-o", "nowhere/graph.dot"], "nowhere"),
    "no directory for the report": (["discover", "DATA", "--report", "nowhere/graph.html"], "nowhere"),
    "a report that is no HTML": (["discover", "DATA", "--report", "graph.pdf"], "graph.pdf"),
    "a report without an ending": (["discover", "nowhere.csv", "--report", "graph"], ".html"),
    "no arrow": (["discover", "DATA", "--required", "smoke"], "'smoke'"),
    "a line where an arrow is needed": (["discover", "DATA", "--required", "smoke -- lung"], "'smoke -- lung'"),
    "knowledge about a stranger": (["discover", "DATA", "--required", "smoke -> x"], "'x'"),
    "contradictory knowledge": (
        ["discover", "DATA", "--required", "smoke -> lung", "--forbidden", "smoke -> lung"],
        "both required and forbidden",
    ),
    "knowledge that is no JSON": (["discover", "DATA", "--knowledge", "DATA"], "JSON"),
    "knowledge that is not there": (["discover", "DATA", "--knowledge", "nowhere.json"], "nowhere.json"),
    "no such column to exclude": (["discover", "DATA", "--exclude", "age"], "'age'"),
    "no such column to keep": (["discover", "DATA", "--keep", "age"], "'age'"),
    "no such column to keep in a blanket": (["blanket", "DATA", "lung", "--keep", "age"], "'age'"),
    "no such column to keep in a test": (["test", "DATA", "xray", "smoke", "--keep", "age"], "'age'"),
    "no such column to keep in a profile": (["describe", "DATA", "--keep", "age"], "'age'"),
    "everything excluded": (["discover", "DATA", "--columns", "lung", "--exclude", "lung"], "no column"),
    "no such way to discretize": (["discover", "DATA", "--discretize", "evenly"], "'evenly'"),
    "no such target to discretize for": (["discover", "DATA", "--discretize", "mdl:x"], "'x'"),
    "no such weights": (["discover", "DATA", "--weights", "count"], "'count'"),
    "the wrong encoding": (["discover", "DATA", "--encoding", "klingon"], "klingon"),
    "no such option": (["discover", "DATA", "--frobnicate"], "--frobnicate"),
    "an argument too few": (["test", "DATA", "xray"], "Y"),
    "an option without its value": (["discover", "DATA", "--report"], "--report"),
    "no such command": (["frobnicate"], "frobnicate"),
    "no such rule": (["discover", "DATA", "--algorithm", "pc_stable", "--orientation", "magic"], "magic"),
    "no such search": (["discover", "DATA", "--algorithm", "magic"], "magic"),
    "no such score": (["discover", "DATA", "--score", "magic"], "magic"),
    "a stranger to explain": (["discover", "DATA", "--explain", "smoek", "lung"], "--explain: no column 'smoek'"),
    "an excluded column to explain": (
        ["discover", "DATA", "--exclude", "lung", "--explain", "lung", "smoke"],
        "--explain: the column 'lung' is excluded",
    ),
    "a column to explain twice": (["discover", "DATA", "--explain", "lung", "lung"], "two different columns"),
    "an option of another algorithm": (["discover", "DATA", "--method", "g2"], "pc_stable"),
}


@pytest.mark.parametrize("name", BAD)
def test_two_lines(call, asia, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments, word = BAD[name]
    done = call(*(asia if argument == "DATA" else argument for argument in arguments))
    assert done.code == 2
    assert done.out == ""
    what, advice = done.err.splitlines()
    assert what.startswith("error: ")
    assert advice.startswith("hint:  ")
    assert word in done.err
    assert len(advice) > len("hint:  ") + 5
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "content", "option"),
    [
        ("blanket", "x,y\n" + "".join(f"{i}.5,{i % 2}\n" for i in range(60)), "--discretize"),
        ("discover", "x,y\né,ß\n".encode("latin-1"), "--encoding"),
    ],
)
def test_advice_speaks_the_language_of_the_shell(call, tmp_path, command, content, option):
    path = tmp_path / "data.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = call(command, path)
    assert done.code == 2
    assert option in done.err.splitlines()[1]


@pytest.mark.parametrize(
    ("command", "option", "name"),
    [
        ("discover", "--output", "graph.dot"),
        ("discover", "--report", "graph.html"),
        ("pairs", "--plot", "pairs.png"),
    ],
)
def test_outputs_that_cannot_be_written_are_found_before_the_work(
    call, asia, tmp_path, monkeypatch, command, option, name
):
    def refuse(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(bitsep, "discover", None)
    monkeypatch.setattr(bitsep, "pairwise", None)
    monkeypatch.setattr("bitsep.files.os.open", refuse)
    done = call(command, asia, option, tmp_path / name)
    assert done.code == 2
    assert done.err.startswith(f"error: {option}: '{tmp_path / name}' cannot be written: Read-only file system.\n")


@pytest.mark.parametrize(
    ("option", "name"),
    [("--output", "graph.dot"), ("--output", "a.txt"), ("--output", "b.bif"), ("--report", "graph.html")],
)
def test_outputs_that_cannot_be_written_any_more_name_their_option(call, asia, tmp_path, monkeypatch, option, name):
    discover = bitsep.discover

    def slow(*arguments, **options):
        (tmp_path / "folder").rmdir()
        return discover(*arguments, **options)

    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(bitsep, "discover", slow)
    done = call("discover", asia, option, tmp_path / "folder" / name)
    assert done.code == 2
    assert done.err.startswith(f"error: {option}: '{tmp_path / 'folder' / name}' cannot be written: No such file")
    assert "edges" in done.out


def test_an_explanation_of_a_column_that_was_left_out_says_why(call, tmp_path):
    rows = "".join(f"p{i},{i % 2},{i % 3}\n" for i in range(60))
    (tmp_path / "data.csv").write_text(f"person,a,b\n{rows}")
    message, hint = call("discover", tmp_path / "data.csv", "--explain", "person", "a").err.splitlines()
    assert message == "error: explain: the search left out the column 'person'."
    assert "person looks like an identifier: 60 different values" in hint
    assert "--keep" in hint


KNOWLEDGE = {
    '{"required": [["smoke","lung"]': ("is not JSON: Expecting ',' delimiter: line 1 column 31", "Write {"),
    "\udcff{}": ("is not UTF-8 text", "Write {"),
    '{"required": [["smoke"]]}': (", required: each arrow must be a pair (from, to), got ['smoke']", "Write {"),
    '{"required": [[["smoke"], "lung"]]}': (", required: a name must be text or an integer, got ['smoke']", "Write {"),
    '{"tiers": [["smoke"], ["smoke"]]}': (", tiers: 'smoke' occurs twice", "Write {"),
}


@pytest.mark.parametrize("content", KNOWLEDGE)
def test_a_fault_in_a_file_of_knowledge_is_named(call, asia, tmp_path, content):
    path = tmp_path / "known.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    done = call("discover", asia, "--knowledge", path)
    message, hint = done.err.splitlines()
    assert message.startswith(f"error: --knowledge: '{path}'")
    assert KNOWLEDGE[content][0] in message
    assert KNOWLEDGE[content][1] in hint


@pytest.mark.parametrize(
    ("edge", "fault"),
    [
        ("smoke ->", "a name is missing after '->', got 'smoke ->'."),
        ("-> lung", "a name is missing before '->', got '-> lung'."),
        ("smoke -> lung\nxray ->", "line 2: a name is missing after '->', got 'xray ->'."),
        ("smoke -> lung!", "line 1, column 14: cannot read '!'."),
    ],
)
def test_a_fault_in_an_edge_is_named(call, asia, edge, fault):
    assert call("discover", asia, "--required", edge).err.splitlines()[0] == f"error: --required: {fault}"


def test_a_byte_order_mark_is_no_fault(call, asia, tmp_path):
    files = {
        "known.json": '{"required": [["smoke", "lung"]]}',
        "graph.txt": "smoke -> lung\n",
        "graph.json": bitsep.PDAG.from_edge_list("smoke -> lung").to_json(),
        "graph.bnlearn": "[smoke][lung|smoke]",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8-sig")
        arguments = ["discover", asia, "--knowledge"] if name == "known.json" else ["check"]
        done = call(*arguments, tmp_path / name, *([] if name == "known.json" else [asia]))
        assert done.code == 0, done.err


def test_debug_shows_the_traceback(call, asia):
    done = call("test", asia, "xray", "smoek", "--debug")
    assert done.code == 2
    assert done.err.startswith("Traceback ")
    assert "no column 'smoek'" in done.err


@pytest.mark.parametrize("fault", [RuntimeError("impossible"), RecursionError("deep")])
def test_a_fault_of_ours_is_two_lines_and_no_verdict(call, asia, monkeypatch, fault):
    def break_down(*arguments, **options):
        raise fault

    monkeypatch.setattr(bitsep, "independence_test", break_down)
    done = call("test", asia, "xray", "smoke", "--exit-code")
    assert done.code == 70
    assert f"{type(fault).__name__}: {fault}" in done.err
    assert "--debug" in done.err
    assert len(done.err.splitlines()) == 2
    debugged = call("test", asia, "xray", "smoke", "--exit-code", "--debug")
    assert debugged.code == 70
    assert debugged.err.startswith("Traceback ")


PRINTING = {
    "discover": ["discover", "DATA"],
    "discover --json": ["discover", "DATA", "--json"],
    "blanket": ["blanket", "DATA"],
    "test": ["test", "DATA", "xray", "dysp"],
    "sample": ["sample", "asia", "-n", "20000"],
    "info": ["info"],
    "--help": ["discover", "--help"],
}


def run_without_a_reader(*arguments):
    """Run the command with a pipe that nobody reads for its output."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "bitsep", *map(str, arguments)],
        stdout=writing, stderr=subprocess.PIPE, text=True, timeout=50, check=False,
    )  # fmt: skip
    os.close(writing)
    return done


@pytest.mark.parametrize("name", PRINTING)
def test_a_broken_pipe_is_no_failure(asia, name):
    done = run_without_a_reader(*(asia if word == "DATA" else word for word in PRINTING[name]))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize(("given", "code"), [([], 1), (["--given", "either"], 0)])
def test_the_exit_code_is_the_verdict_also_where_nobody_reads(asia, options, given, code):
    done = run_without_a_reader("test", asia, "xray", "smoke", *given, "--exit-code", *options)
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("name", PRINTING)
def test_output_to_a_full_disk_is_an_error_and_no_fault(asia, name):
    command = [sys.executable, "-m", "bitsep", *(str(asia) if word == "DATA" else word for word in PRINTING[name])]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=50, check=False)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_closed_output_is_no_failure(asia):
    command = f'"{sys.executable}" -m bitsep discover "{asia}" >&-'
    done = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True, timeout=50, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_that_cannot_be_written_does_not_cost_the_result(call, tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("a:b,c\n" + "0,0\n1,1\n" * 50)
    done = call("discover", data, "-o", tmp_path / "graph.bnlearn")  # no model string can hold a colon
    assert done.code == 2
    assert "1 edge" in done.out
    assert len(done.err.splitlines()) == 2
    assert list(tmp_path.iterdir()) == [data]


def test_a_graph_that_stands_for_no_dag_is_written_as_the_nearest_dag_only_where_the_format_needs_one(call, tmp_path):
    data = tmp_path / "child.csv"
    bitsep.load_network("child").sample(2000, seed=1).to_csv(data, index=False)
    search = ("discover", data, "--algorithm", "pc_stable", "--orientation", "majority", "-o")
    found = bitsep.pc_stable(data, orientation="majority")
    assert found.conflicts == ()
    assert found.graph.consistent_extension() is None
    done = call(*search, tmp_path / "graph.bnlearn")
    assert done.code == 0, done.err
    assert bitsep.DAG.from_modelstring((tmp_path / "graph.bnlearn").read_text().strip()) == found.to_dag()
    decided = done.out.split("Decided for a DAG\n")[1].split("\n\n")[0].splitlines()
    changes = [f"  {d.reason}" for d in found.decisions if d.kind != "undirected"]
    assert changes
    assert decided[: len(changes) + 1] == [
        f"  {len(found.decisions) - len(changes)} undirected edges got a direction.",
        *changes,
    ]
    explained = call(*search, tmp_path / "graph.bnlearn", "--explain", "Age", "Disease")
    assert all(line in explained.out for line in changes)
    for ending in ("txt", "dot", "graphml", "json"):
        done = call(*search, tmp_path / f"graph.{ending}")
        assert done.code == 0, done.err
        assert bitsep.PDAG.load(tmp_path / f"graph.{ending}") == found.graph


def test_too_little_memory_is_an_error_of_its_own(call, asia, monkeypatch):
    """Raised in the reader: with a limit of the system, pyarrow ends the process in some places."""

    def short(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("bitsep.data.readers.csv_file.CsvFile.__init__", short)
    done = call("discover", asia)
    assert done.code == 2
    assert "error: memory: not enough of it is left" in done.err
    assert "hint:  Use --memory" in done.err
