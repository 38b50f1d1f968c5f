"""Means, and the table for experiments: `python -m accuracy.quickly`."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from accuracy import quickly
from accuracy.published import STANDARD
from accuracy.runs import Run, Runs
from accuracy.statistics import Mean


def test_mean_and_standard_error() -> None:
    mean = Mean.of([1.0, 2.0, 4.0])
    assert mean.value == pytest.approx(7 / 3)
    assert mean.error == pytest.approx(statistics.stdev([1, 2, 4]) / 3**0.5)
    assert mean.format() == "2.3 ± 0.9"
    assert Mean.of([5]).error == 0
    assert Mean.sum_of([Mean(1, 3, 10), Mean(2, 4, 3)]) == Mean(3, 5, 3)


def test_the_table() -> None:
    runs = Runs()
    cells = [(one.network, one.rows) for one in STANDARD]
    for network, rows in cells:
        for number in range(3):
            runs.add(Run("boss", network, rows, number, "found", 1.0, 10))
    runs.add(Run("pc_stable", "asia", 1_000, 0, "found", 1.0, 9))
    runs.add(Run("pc_stable", "asia", 1_000, 1, "time-out", 120.0))
    for number, shd in enumerate((1, 2, 3)):
        runs.add(Run("boss", "survey", 100, number, "found", 1.0, shd))
    lines = quickly.table(runs, ["boss", "pc_stable"], [*cells, ("survey", 100)])
    assert lines[0].split() == ["network", "rows", "boss", "pc_stable", "published"]
    assert lines[1].split() == ["asia", "1,000", "10.0", "±", "0.0", "9.0", "±", "0.0", "(1)", "2.3"]
    assert lines[3].split() == ["child", "2,000", "10.0", "±", "0.0", "–", "2.3"]
    assert lines[-3].split() == ["survey", "100", "2.0", "±", "0.6", "–"]
    assert lines[-2].split() == ["sum", "of", "11", "110.0", "±", "0.0", "–", "271.9"]
    assert lines[-1].split() == ["seconds", "in", "all", "36.0", "121.0"]


def test_quickly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--searches", "stand_ins.empty", "stand_ins.chain", "--cells", "cancer:200", "asia:1000", "--samples", "2"]
    asked += ["--first", "5", "--results", str(tmp_path / "runs.jsonl")]
    assert quickly.main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:5] == ["cancer", "200", "4.0", "±", "0.0"]
    assert lines[2].split()[:5] == ["asia", "1,000", "8.0", "±", "0.0"]
    assert lines[3].startswith("sum")
    assert {run.sample for run in Runs(tmp_path / "runs.jsonl")} == {5, 6}
    assert quickly.main([*asked, "--metric", "cpdag_f1"]) == 0
    assert "0.000 ± 0.000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--searches", "bos"], "unknown search 'bos'"),
        (["--searches", "pc_stable", "--cells", "alarm"], "got 'alarm'"),
        (["--searches", "pc_stable", "--cells", "nonsense:5"], "got 'nonsense:5'"),
    ],
)
def test_quickly_with_bad_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        quickly.main(arguments)
    assert message in capsys.readouterr().err
