"""The command line: `python -m reproduction`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reproduction.__main__ import main
from reproduction.catalog import EXPERIMENTS


def test_the_experiments_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list", "--json"]) == 0
    titles = json.loads(capsys.readouterr().out)
    assert titles == {name: experiment.title for name, experiment in EXPERIMENTS.items()}
    assert main(["--list"]) == 0
    out = capsys.readouterr().out
    assert all(name in out and title in out for name, title in titles.items())


def test_a_run_and_its_continuation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["thresholds", "--quick", "--threads", "1", "--out", str(tmp_path / "out")]
    assert main([*asked, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert Path(made["page"]).exists()
    assert main([*asked, "--resume"]) == 0
    assert " statements of the paper, " in " ".join(capsys.readouterr().out.split())
    with pytest.raises(SystemExit, match="2"):
        main(asked)
    assert "holds a finished reproduction" in capsys.readouterr().err


def test_an_unknown_experiment(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["nonsense"])
    assert "'nonsense'" in capsys.readouterr().err
