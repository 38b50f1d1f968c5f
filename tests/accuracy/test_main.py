"""The command line: `python -m accuracy`."""

from __future__ import annotations

from pathlib import Path

import pytest

from accuracy import __main__ as command
from accuracy import plan, quick
from accuracy.plan import Series
from accuracy.quick import Range
from accuracy.runs import Run, Runs
from accuracy.searches import parse


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> list[Series]:
    """A plan that takes a second."""
    series = [Series(parse(f"stand_ins.{name}"), "cancer", (200,), 2) for name in ("empty", "chain")]
    monkeypatch.setattr(command, "full_plan", lambda: series)
    monkeypatch.setattr(quick, "plan", lambda: series)
    return series


def test_a_run_and_its_continuation(small: list[Series], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--out", str(tmp_path), "--processes", "1"]
    assert command.main([*asked, "--only", "*/stand_ins.empty"]) == 0
    results = tmp_path / "accuracy" / "results" / "runs.jsonl"
    first = results.read_text(encoding="utf-8")
    assert len(first.splitlines()) == 2
    assert command.main(asked) == 0
    both = results.read_text(encoding="utf-8")
    assert first in both
    assert len(both.splitlines()) == 4
    assert "cancer/stand_ins.chain" not in capsys.readouterr().out
    assert command.main([*asked, "--list"]) == 0
    assert "cancer/stand_ins.chain  2 of 2 runs  finished" in capsys.readouterr().out
    assert command.main([*asked, "--only", "cancer/*chain", "--again"]) == 0
    assert "chain: SHD" in capsys.readouterr().err
    assert (tmp_path / "docs" / "accuracy.md").exists()


def test_the_page_alone(small: list[Series], tmp_path: Path) -> None:
    Runs(tmp_path / "accuracy" / "results" / "runs.jsonl").add(
        Run("boss", "asia", 200, 0, "found", 1.0, 3, 0.5, 0.5, 0.5)
    )
    assert command.main(["--out", str(tmp_path), "--page"]) == 0
    assert "bitsep BOSS" in (tmp_path / "docs" / "accuracy.md").read_text(encoding="utf-8")


def test_peers_that_are_not_installed_are_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("accuracy.searches.PEERS", {"absent_library": "Absent"})
    monkeypatch.setattr("accuracy.searches.SEARCHES_OF_PEERS", {"absent_library": ("ges",)})
    series = [Series(parse(name), "cancer", (200,), 1) for name in ("absent_library.ges", "stand_ins.empty")]
    monkeypatch.setattr(command, "full_plan", lambda: series)
    assert command.main(["--out", str(tmp_path)]) == 0
    assert "Left out: Absent is not installed." in capsys.readouterr().err


def test_a_search_of_bitsep_must_exist(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("accuracy.searches.SEARCHES_OF_BITSEP", ("future",))
    monkeypatch.setattr(command, "full_plan", lambda: [Series(parse("future"), "cancer", (200,), 1)])
    with pytest.raises(SystemExit, match="2"):
        command.main(["--out", str(tmp_path)])
    assert "bitsep has no function 'future'" in capsys.readouterr().err


def test_unknown_names(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(["--only", "nonsense/*"])
    assert "--only: must name networks and searches of the benchmark, got nonsense/*." in capsys.readouterr().err


def test_the_quick_run_checks_its_ranges(
    small: list[Series], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--quick", "--out", str(tmp_path)]
    right = Range("stand_ins.empty", "cancer", 200, "shd", 4, 4)
    monkeypatch.setattr(quick, "RANGES", (right,))
    assert command.main(asked) == 0
    monkeypatch.setattr(quick, "RANGES", (right, Range("stand_ins.empty", "cancer", 200, "cpdag_f1", 0.5, 1)))
    assert command.main(asked) == 1
    assert "stand_ins.empty, cancer, 200 rows: CPDAG F1 must lie in [0.5, 1], got 0.000." in capsys.readouterr().err


def test_the_quick_run_reports_failures_and_missing_dags() -> None:
    runs = Runs()
    runs.add(Run("boss", "asia", 200, 0, "failed", 1.0, message="ValueError: bad"))
    runs.add(Run("boss", "asia", 200, 1, "found", 1.0, 3, to_dag=False))
    assert quick.outside_ranges(runs)[-2:] == [
        "boss, asia, 200 rows, sample 0: ValueError: bad",
        "boss, asia, 200 rows, sample 1: to_dag() gives no DAG.",
    ]


def test_every_range_is_measured() -> None:
    cells = {(series.search.text, series.network, rows) for series in quick.plan() for rows in series.sizes}
    assert quick.RANGES
    assert {(one.search, one.network, one.rows) for one in quick.RANGES} <= cells
    assert {one.search for one in quick.RANGES} == set(quick.SEARCHES)
    assert plan.DEFAULT in quick.SEARCHES
