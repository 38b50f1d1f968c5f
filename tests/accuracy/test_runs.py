"""The results, and the file of results."""

from __future__ import annotations

from pathlib import Path

import pytest

from accuracy.runs import Run, Runs
from bitsep.errors import FormatError

RUN = Run(
    "boss", "asia", 100, 0, "found", 0.123456789, shd=2, cpdag_f1=2 / 3, skeleton_f1=1.0, arrow_f1=0.5, to_dag=True
)


def test_the_file_is_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "runs.jsonl"
    runs = Runs(path)
    runs.add(RUN)
    runs.add(Run("boss", "asia", 100, 1, "time-out", 120.0))
    again = Runs(path)
    assert [run.outcome for run in again.of("boss", "asia", 100)] == ["found", "time-out"]
    (first, _) = again.of("boss", "asia", 100)
    assert first.cpdag_f1 == 0.66667
    assert first.seconds == 0.12346
    assert first.sid_lower is None
    assert again.of("boss", "asia", 200) == []


def test_an_incomplete_last_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    Runs(path).add(RUN)
    complete = path.read_text(encoding="utf-8")
    path.write_text(complete + complete[:20], encoding="utf-8")
    runs = Runs(path)
    assert len(list(runs)) == 1
    runs.add(RUN)
    assert path.read_text(encoding="utf-8") == complete * 2


@pytest.mark.parametrize("line", ["nonsense", '{"search": "boss"}', '{"color": 1}'])
def test_a_damaged_file_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(RUN.to_json() + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 2 of"):
        Runs(path)


def test_discarded_runs_leave_the_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    runs = Runs(path)
    for search in ("discover", "boss"):
        for number in (1, 0):
            runs.add(Run(search, "asia", 100, number, "time-out", 120.0))
    assert runs.discard(lambda run: run.search == "boss") == 2
    assert [(run.search, run.sample) for run in Runs(path)] == [("discover", 0), ("discover", 1)]
    assert runs.discard(lambda run: run.search == "boss") == 0
