"""The command line: `python -m calibration.u_statistic`."""

from __future__ import annotations

import pytest

from calibration import u_statistic
from calibration.cells import Cell


def test_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [Cell(margins, 2, 4, 50) for margins in ("uniform", "skewed", "real")]
    monkeypatch.setattr(u_statistic, "all_cells", lambda: cells)
    assert u_statistic.main(["--runs", "100"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 2 + 9
    assert "Too lax" not in printed
