"""The measurements of estimates and of checks, on one small network."""

from __future__ import annotations

import pytest

from accuracy import checks, estimates


def figures(line: str) -> list[float]:
    return [float(cell.strip().rstrip("%")) for cell in line.strip("|").split("|")[2:] if cell.strip()]


def test_estimates(capsys: pytest.CaptureFixture[str]) -> None:
    assert estimates.main(["--networks", "cancer", "--rows", "500", "--samples", "2"]) == 0
    head, _, true, found, ratio = capsys.readouterr().out.splitlines()
    assert head.count("|") == true.count("|") == 10
    assert all(0 < bits < 0.1 for bits in (*figures(true), *figures(found)))  # bits per row beyond the truth
    assert figures(ratio)[0] == 1


def test_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert checks.main(["--networks", "earthquake", "--rows", "2000", "--samples", "4", "--changed", "2"]) == 0
    *_, cell, mean, of_all = capsys.readouterr().out.splitlines()
    assert figures(cell) == figures(mean) == figures(of_all)
    assert figures(cell)[0] >= 75
    assert figures(cell)[3] == 100
