"""The measurement of calibrated probabilities, on two small networks."""

from __future__ import annotations

from pathlib import Path

import pytest

from accuracy import confidence, confidence_runs, consensus, recall


def test_runs_are_kept_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib").use("agg")
    kept = tmp_path / "runs.jsonl.gz"
    monkeypatch.setattr(confidence_runs, "RESULTS", kept)
    monkeypatch.setattr(confidence_runs, "BOOTSTRAP", 5)
    arguments = ["--networks", "cancer", "earthquake", "--samples", "1", "--searches", "discover"]
    assert confidence_runs.main(arguments) == 0
    assert len(capsys.readouterr().out.splitlines()) == 6
    assert confidence_runs.main(arguments) == 0  # nothing is left to do
    assert capsys.readouterr().out == ""
    assert len(list(confidence_runs.results(kept))) == 6
    assert confidence.main(["--searches", "discover", "--figure", str(tmp_path / "figure"), "--fit"]) == 0
    printed = capsys.readouterr().out
    assert "| cancer | 1 × 3 |" in printed
    assert "Within .05: precision" in printed
    assert (tmp_path / "figure.png").exists()
    assert consensus.main() == 0
    assert capsys.readouterr().out.count("| `discover` |") == len(consensus.LIMITS)
    assert recall.main(["--samples", "1"]) == 0
    assert "| learning curve of subsamples | " in capsys.readouterr().out
