"""The options about data files: dialects of CSV, the standard input, other formats, and errors of two lines."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pandas as pd
import pytest

import bitsep

COMMANDS = [("test", "smoke", "lung"), ("blanket", "lung"), ("discover",)]


def two_lines(done):
    assert done.code == 2, done.out
    error, hint = done.err.splitlines()
    assert error.startswith("error: ")
    assert hint.startswith("hint:  ")
    return done.err


@pytest.fixture
def european(asia, tmp_path):
    """The table with semicolons, numbers with decimal commas, a comment and no header."""
    frame = pd.read_csv(asia)
    frame["share"] = [("1.234,5", "0,25", "7")[i % 3] for i in range(len(frame))]
    path = tmp_path / "european.csv"
    path.write_text("# made by a program\n" + frame.to_csv(index=False, header=False, sep=";"))
    return path, list(frame.columns)


@pytest.mark.parametrize("separator", [";", "\t", "|"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_command_finds_the_delimiter(call, asia, tmp_path, command, separator):
    pd.read_csv(asia).to_csv(tmp_path / "other.csv", index=False, sep=separator)
    name, *columns = command
    done = call(name, tmp_path / "other.csv", *columns, "--json")
    assert done.code == 0, done.err
    assert done.out == call(name, asia, *columns, "--json").out
    given = "\\t" if separator == "\t" else separator
    assert done.out == call(name, tmp_path / "other.csv", *columns, "--json", "--delimiter", given).out


@pytest.mark.parametrize("memory", [(), ("--memory", "100MB")], ids=["memory", "stream"])
def test_a_file_of_another_dialect(call, european, memory):
    path, names = european
    dialect = ["--decimal", ",", "--thousands", ".", "--no-header", "--comment", "#", *memory]
    place = {name: f"column_{i + 1}" for i, name in enumerate(names)}
    done = call("test", path, place["share"], place["smoke"], "--json", *dialect)
    assert done.code == 0, done.err
    assert json.loads(done.out)["x"] == "column_9"
    done = call("discover", path, *dialect, "--exclude", place["share"], "--json")
    assert set(json.loads(done.out)["variables"]) == set(place.values()) - {place["share"]}


@pytest.mark.parametrize("path", ["-", "/dev/stdin"])
@pytest.mark.parametrize("options", [(), ("--exclude", "asia"), ("--memory", "100MB")], ids=str)
def test_standard_input(asia, path, options):
    done = subprocess.run(
        [sys.executable, "-m", "bitsep", "discover", path, *options],
        input=asia.read_text(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"standard input: {7 if 'asia' in options else 8} variables, 2,000 rows\n")


def test_other_formats(call, asia, tmp_path):
    frame = pd.read_csv(asia)
    frame.to_excel(tmp_path / "asia.xlsx", index=False)
    frame.to_feather(tmp_path / "asia.feather")
    frame.to_json(tmp_path / "asia.jsonl", orient="records", lines=True)
    expected = call("discover", asia, "--json", "--exclude", "asia").out
    for name in ("asia.xlsx", "asia.feather", "asia.jsonl"):
        done = call("discover", tmp_path / name, "--json", "--exclude", "asia")
        assert done.out == expected, done.err


@pytest.mark.parametrize(
    ("raw", "options", "words"),
    [
        (b"", [], ["is empty", "the program that wrote it"]),
        (b"a,b\n", [], ["a header line but no rows", "--no-header"]),
        (b"a,b,a\n1,2,3\n", [], ["columns 1 and 3", "the same name 'a'", "Rename"]),
        (b"a,b\n1,2\n3\n", [], ["line 3: expected 2 fields", "--delimiter"]),
        (b"# by a, program\na,b,c\n1,2,3\n", [], ["line 2: expected 2 fields", '--comment "#"']),
        (b'a,b\n1.5,x\n"2,5",y\n', [], ["'a' has numbers of two styles", "--decimal and --thousands"]),
        (b"a,b\n" + b"".join(b"%d.5,1\n" % i for i in range(99)) + b"none,1\n", [], ["changes from", "--missing"]),
        (bytes(range(256)) * 4, [], ["line 1: a NUL byte", "--encoding"]),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(128, 256)), [], ["is not utf-8 text", "--encoding"]),
        (b"a,b\n1,2\n", ["--delimiter", ";"], ["must occur in the first line", "has ',', got ';'", "Leave it out"]),
        (b"a,b\n1,2\n", ["--delimiter", "tab"], ["delimiter: must be one ASCII character", "got 'tab'"]),
        (b"a,b\n1,2\n", ["--decimal", ";"], ["decimal: must be '.' or ','"]),
        (b"a,b\n1,2\n", ["--thousands", "."], ["thousands: must not be the decimal separator"]),
    ],
    ids=lambda value: None,
)
def test_bad_files(call, tmp_path, raw, options, words):
    (tmp_path / "bad.csv").write_bytes(raw)
    for memory in ([], ["--memory", "100MB"]):
        err = two_lines(call("discover", tmp_path / "bad.csv", *options, *memory))
        assert all(word in err for word in words), err


@pytest.mark.parametrize("command", ["discover", "blanket"])
def test_too_many_columns_for_a_search(call, tmp_path, command):
    n = 100_000
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"v{i}" for i in range(n)) + "\n" + ("0," * (n - 1) + "1\n") + ("1," * (n - 1) + "0\n"))
    err = two_lines(call(command, path))
    assert "at most 10,000 are possible, got 100,000" in err
    assert "--columns" in err
    done = call(command, path, "--columns", "v1", "--columns", "v99999", "--json")
    assert done.code == 0, done.err
    assert call("test", path, "v1", "v99999").code == 0


@pytest.mark.parametrize(
    "arguments", [("test", "smoke", "xray", "--given", "lung,tub"), ("discover", "--columns", "lung, tub")], ids=str
)
def test_names_in_one_option(call, asia, arguments):
    name, *rest = arguments
    assert "repeat the option" in two_lines(call(name, asia, *rest))


@pytest.mark.parametrize(("method", "meant"), [("chi2", "x2"), ("gsq", "g2"), ("G_sq", "g2"), ("mi", "cmi")])
def test_names_of_tests_in_other_libraries(call, asia, method, meant):
    assert f"Did you mean '{meant}'?" in two_lines(call("test", asia, "smoke", "lung", "-m", method))


def test_a_column_of_times_has_short_texts(call, tmp_path):
    frame = pd.DataFrame({"t": pd.date_range("2020-01-01", periods=5), "x": range(5)})
    assert "datetime" not in repr(bitsep.Table(frame))
    frame.to_parquet(tmp_path / "t.parquet")
    err = two_lines(call("discover", tmp_path / "t.parquet", "--weights", "t"))
    assert "got 2020-01-01 00:00:00 in row 1" in err


def test_a_bad_standard_input(call, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1,2\n3\n")))
    assert "'standard input', line 3" in two_lines(call("discover", "-"))


@pytest.mark.parametrize("address", ["https://x.y/z.csv", "http://x.y/z.csv", "s3://bucket/z.parquet"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_addresses(call, command, address):
    name, *columns = command
    assert f"'{address}'" in two_lines(call(name, address, *columns))


@pytest.fixture
def gaps(tmp_path):
    """y is known where x is 1, and there it is a copy of z."""
    path = tmp_path / "gaps.csv"
    rows = [(i % 4 == 0, i // 4 % 2 if i % 4 == 0 else "", i // 4 % 2) for i in range(800)]
    path.write_text("x,y,z\n" + "".join(f"{int(x)},{y},{z}\n" for x, y, z in rows))
    return path


def test_missing_as_level(call, gaps):
    def rows(*options):
        done = call("test", gaps, "y", "x", "--json", *options)
        return json.loads(done.out)["n"] if done.code == 0 else done.err

    assert rows() == 200
    assert rows("--missing-as-level", "y") == rows("--missing-as-level", "*") == 800
    assert rows("--missing-as-level", "z") == 200  # not part of this test
    assert "--missing-as-level: no column 'Y'" in rows("--missing-as-level", "Y")
    for command in (["discover", gaps, "--json"], ["pairs", gaps, "--json"], ["blanket", gaps, "y", "--json"]):
        assert call(*command, "--missing-as-level", "y").out != call(*command).out
    assert json.loads(call("discover", gaps, "--json", "--missing-as-level", "*").out)["settings"]["missing_as_level"]


def test_min_rows_share_and_min_effect(call, gaps):
    line = "y is missing in 75% of the rows. It is not used as a parent (min_rows_share 0.5). Use it with"
    assert f"Restricted\n  {line} --min-rows-share 0 or --missing-as-level y." in call("discover", gaps).out
    assert "Restricted" not in call("discover", gaps, "--min-rows-share", "0.2").out
    assert "restricted: y is missing in 75% of the rows" in call("blanket", gaps, "z").out
    found = json.loads(call("discover", gaps, "--json", "--min-effect", "2").out)
    assert (found["edges"], found["settings"]["min_effect"]) == ([], 2.0)
    for option in ("--min-rows-share", "--min-effect"):
        assert call("discover", gaps, option, "-1").code == 2
