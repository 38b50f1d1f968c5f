"""The command line: `python -m calibration`."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration import __main__ as command
from calibration import quick
from calibration.cells import Cell, Sizes
from calibration.figures import failures
from calibration.results import measure


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three cells that take a second."""
    cells = [Cell("uniform", 2, 4, 50), Cell("skewed", 2, 1, 50), Cell("real", 2, 1, 50)]
    monkeypatch.setattr(command, "all_cells", lambda: cells)
    monkeypatch.setattr(command, "Sizes", lambda: Sizes(300, 30, 99))


def test_a_run_and_its_continuation(small: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--out", str(tmp_path)]
    results = tmp_path / "calibration" / "results" / "cells.jsonl"
    assert command.main([*asked, "--only", "uniform/*"]) == 0
    first = results.read_text(encoding="utf-8")
    assert len(first.splitlines()) == 1
    results.write_text(first + '{"cell": {"margi', encoding="utf-8")  # a process that was killed
    assert command.main(asked) == 0
    assert "1 of 2  skewed/2x2x1/50" in capsys.readouterr().out
    assert first in results.read_text(encoding="utf-8")
    assert command.main([*asked, "--only", "real/*", "--again"]) == 0
    assert "1 of 1  real/2x2x1/50" in capsys.readouterr().out
    assert len(results.read_text(encoding="utf-8").splitlines()) == 3
    page = (tmp_path / "docs" / "calibration.md").read_text(encoding="utf-8")
    assert "**Cells** 3 of 192" in page
    assert "| 2, 4, 50 | 0." in page
    lines = (tmp_path / "docs" / "calibration-cells.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 3 * 10
    assert (tmp_path / "docs" / "images" / "calibration.svg").exists()


def test_unknown_cells(small: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--out", str(tmp_path), "--only", "even/*"])
    assert "--only: must name cells such as skewed/3x3x16/200, got even/*." in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("cell", quick.CELLS, ids=lambda cell: cell.name)
def test_x2_calibrated_keeps_its_level_and_power(cell: Cell) -> None:
    assert failures(measure(cell, quick.SIZES)) == []
