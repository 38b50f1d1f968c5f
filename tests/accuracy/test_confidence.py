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
    networks = ["cancer", "earthquake", "sparse cancer", "independent cancer"]
    arguments = ["--networks", *networks, "--samples", "1", "--searches", "discover"]
    assert confidence_runs.main(arguments) == 0
    assert len(capsys.readouterr().out.splitlines()) == 12
    assert confidence_runs.main(arguments) == 0  # nothing is left to do
    assert capsys.readouterr().out == ""
    assert len(list(confidence_runs.results(kept))) == 12
    assert confidence.main(["--searches", "discover", "--figure", str(tmp_path / "figure"), "--fit"]) == 0
    printed = capsys.readouterr().out
    assert "| cancer | 1 × 3 |" in printed
    assert "| **sparse …, pooled** | 3 |" in printed
    assert "Within .05: precision" in printed
    assert (tmp_path / "figure.png").exists()
    assert consensus.main() == 0
    assert capsys.readouterr().out.count("| `discover` |") == len(consensus.LIMITS)
    assert recall.main(["--samples", "1"]) == 0
    assert "| learning curve of subsamples | " in capsys.readouterr().out


def test_permuted_columns_have_the_edges_of_the_network_or_none() -> None:
    drawn = confidence_runs.draw_any("cancer", 500, 1)
    sparse = confidence_runs.draw_any("sparse cancer", 500, 1)
    assert list(sparse.frame.columns[:5]) == list(drawn.frame.columns)
    assert (len(sparse.truth.variables), sparse.truth.edges) == (20, drawn.truth.edges)
    independent = confidence_runs.draw_any("independent cancer", 500, 1)
    assert (len(independent.truth.variables), independent.truth.edges) == (5, frozenset())
    for column in drawn.frame:
        copy = independent.frame[f"{column}0"]
        assert sorted(copy) == sorted(drawn.frame[column])
        assert list(copy) != list(drawn.frame[column])
