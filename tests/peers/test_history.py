"""The history of `make bench-peers`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from benchmarks.peers import __main__ as peers
from benchmarks.peers import history, machine, report
from benchmarks.peers.settings import QUICK

MACHINE = {"date": "2026-11-16", "processor": "a processor", "cores": 2}
SOURCES = {"commit": "0123abcd", "changed": False}
STORED = Path(__file__).parents[2] / "benchmarks" / "results" / "history.jsonl"


def measuring(seconds: float) -> Callable[[Any], Any]:
    return lambda lab: [{"network": "asia", "n": 100, "measured": {"bitsep": {"seconds": [1.0], "median": seconds}}}]


def interrupted(lab: Any) -> Any:
    raise KeyboardInterrupt


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Two kinds of work that take no time."""
    kinds = {"graphs": SimpleNamespace(measure=measuring(1.0)), "large": SimpleNamespace(measure=measuring(2.0))}
    monkeypatch.setattr(report, "WORK", kinds)
    monkeypatch.setattr(machine, "describe", lambda: dict(MACHINE))
    monkeypatch.setattr(history, "describe_sources", lambda: dict(SOURCES))
    return kinds


def test_each_run_appends_one_line_and_replaces_the_numbers(work: dict[str, Any], tmp_path: Path) -> None:
    numbers = tmp_path / "results" / "peers.json"
    peers.run(QUICK, ["graphs", "large"], numbers)
    first = (tmp_path / "results" / "history.jsonl").read_text(encoding="utf-8")
    work["graphs"].measure = measuring(3.0)
    peers.run(QUICK, ["graphs", "large"], numbers)
    both = (tmp_path / "results" / "history.jsonl").read_text(encoding="utf-8")
    assert both.startswith(first)
    lines = history.read(tmp_path / "results" / "history.jsonl")
    assert [line["figures"]["graphs/network=asia n=100/measured/bitsep"] for line in lines] == [1.0, 3.0]
    assert json.loads(numbers.read_text(encoding="utf-8"))["work"]["graphs"] == measuring(3.0)(None)


def test_a_run_of_one_part_appends_only_what_it_measured(work: dict[str, Any], tmp_path: Path) -> None:
    numbers = tmp_path / "peers.json"
    peers.run(QUICK, ["graphs", "large"], numbers)
    peers.run(QUICK, ["large"], numbers)
    last = history.read(tmp_path / "history.jsonl")[-1]
    assert set(last["figures"]) == {"large/network=asia n=100/measured/bitsep"}
    assert set(json.loads(numbers.read_text(encoding="utf-8"))["work"]) == {"graphs", "large"}


def test_an_interrupted_run_appends_what_it_had_measured(work: dict[str, Any], tmp_path: Path) -> None:
    work["large"].measure = interrupted
    with pytest.raises(KeyboardInterrupt):
        peers.run(QUICK, ["graphs", "large"], tmp_path / "peers.json")
    (line,) = history.read(tmp_path / "history.jsonl")
    assert set(line["figures"]) == {"graphs/network=asia n=100/measured/bitsep"}


def test_a_run_interrupted_at_once_appends_nothing(work: dict[str, Any], tmp_path: Path) -> None:
    work["graphs"].measure = interrupted
    with pytest.raises(KeyboardInterrupt):
        peers.run(QUICK, ["graphs", "large"], tmp_path / "peers.json")
    assert not (tmp_path / "history.jsonl").exists()


def test_a_line_holds_date_commit_machine_and_figures() -> None:
    found = {
        "machine": MACHINE,
        "repetitions": 5,
        "work": {
            "growth": [
                {"n": 10, "same": True, "measured": {"1": {"median": 0.123456789, "whole_seconds": [3.0, 1.0]}}}
            ],
            "inner_loop": {"two_threads": 1.76, "bytes": 4, "kernels": [{"name": "avx2", "stream": 2e9}]},
            "blankets": {"median": 1.0},
        },
    }
    assert history.make_entry(found, ["growth", "inner_loop"], SOURCES) == {
        "schema_version": 1,
        "date": "2026-11-16",
        "commit": "0123abcd",
        "changed": False,
        "machine": {"processor": "a processor", "cores": 2},
        "repetitions": 5,
        "figures": {
            "growth/n=10/measured/1": 0.123457,
            "growth/n=10/measured/1/whole cores": 2.0,
            "inner_loop/two_threads": 1.76,
            "inner_loop/kernels/name=avx2/stream": 2e9,
        },
    }


def test_changes_of_measured_sources_are_noted_and_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        done = subprocess.run(["git", *identity, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    for name in ("src/code.py", "docs/page.md"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1\n", encoding="utf-8")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "Begin")
    monkeypatch.setattr(history, "ROOT", tmp_path)
    monkeypatch.setattr(history, "commit_of", lambda name: git("rev-parse", name))
    (tmp_path / "docs" / "page.md").write_text("2\n", encoding="utf-8")
    assert history.describe_sources() == {"commit": git("rev-parse", "HEAD"), "changed": False}
    (tmp_path / "src" / "code.py").write_text("2\n", encoding="utf-8")
    assert history.describe_sources()["changed"] is True


def test_the_stored_history_can_be_read_and_is_in_the_order_of_its_dates() -> None:
    lines = history.read(STORED)
    assert lines
    assert all(line["schema_version"] == history.SCHEMA_VERSION and line["figures"] for line in lines)
    dates = [line["date"] for line in lines]
    assert dates == sorted(dates)
