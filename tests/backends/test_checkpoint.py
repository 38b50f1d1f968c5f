"""A discovery that is interrupted and started again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bitsep
from bitsep.errors import ArgumentError, FormatError, WriteError
from bitsep.independence.engine import Tasks
from bitsep.independence.native_engine import NativeEngine
from bitsep.independence.rounds import RoundsEngine


class Interrupted(Exception):  # noqa: N818 -- stands for a power cut
    pass


class Watched:
    """Notes the sizes of sets the engines really try, and can pull the plug."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sizes: list[int] = []
        self.stop_at: int | None = None
        for engine in (NativeEngine, RoundsEngine):
            monkeypatch.setattr(engine, "separate", self._watching(engine.separate))

    def _watching(self, separate: Any) -> Any:
        def watched(engine: Any, tasks: Tasks, progress: Any = None) -> Any:
            self.sizes.append(tasks.min_size)
            if len(self.sizes) == self.stop_at:
                raise Interrupted
            return separate(engine, tasks, progress)

        return watched


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


@pytest.mark.parametrize("opened", ["memory", "stream"], indirect=True)
def test_resumes_at_the_last_finished_level(opened: Any, alarm: Path, tmp_path: Path, watched: Watched) -> None:
    expected = bitsep.pc_stable(bitsep.Table(alarm))
    watched.sizes, watched.stop_at = [], 3
    with pytest.raises(Interrupted):
        bitsep.pc_stable(opened(alarm), checkpoint=tmp_path / "work")
    watched.sizes, watched.stop_at = [], None
    found = bitsep.pc_stable(opened(alarm), checkpoint=tmp_path / "work")
    assert watched.sizes[0] == 2
    assert found.to_json() == expected.to_json()
    assert found.tests_run == expected.tests_run


@pytest.mark.parametrize("opened", ["memory", "stream"], indirect=True)
def test_resumes_in_the_bootstrap(opened: Any, awkward: Path, tmp_path: Path, watched: Watched) -> None:
    options = {"columns": ["cause", "text", "number", "yes"]}
    expected = bitsep.pc_stable(bitsep.Table(awkward, **options), bootstrap=3).to_json()
    calls = len(watched.sizes)
    watched.sizes, watched.stop_at = [], calls - 1
    with pytest.raises(Interrupted):
        bitsep.pc_stable(opened(awkward, **options), bootstrap=3, checkpoint=tmp_path)
    watched.sizes, watched.stop_at = [], None
    assert bitsep.pc_stable(opened(awkward, **options), bootstrap=3, checkpoint=tmp_path).to_json() == expected
    assert len(watched.sizes) == 2


def test_stream_that_finished_is_not_counted_again(alarm: Path, tmp_path: Path) -> None:
    bitsep.pc_stable(bitsep.scan_parquet(alarm), checkpoint=tmp_path, threads=1)
    scan = bitsep.scan_parquet(alarm)
    bitsep.pc_stable(scan, checkpoint=tmp_path, threads=1)
    assert scan.counter(1).passes.passes_made == 1  # to see that the data are the same


def test_folder_of_other_data(alarm: Path, tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    bitsep.pc_stable(data, checkpoint=tmp_path)
    for other in (
        lambda: bitsep.pc_stable(data[:499], checkpoint=tmp_path),
        lambda: bitsep.pc_stable(data, alpha=0.01, checkpoint=tmp_path),
        lambda: bitsep.pc_stable(data, method="jic", checkpoint=tmp_path),
        lambda: bitsep.pc_stable(alarm, checkpoint=tmp_path),
    ):
        with pytest.raises(ArgumentError, match="about other data, or of another test"):
            other()


def test_damaged_folder(tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    bitsep.pc_stable(data, checkpoint=tmp_path)
    for path in tmp_path.glob("separate-*.npz"):
        path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(FormatError, match="is damaged"):
        bitsep.pc_stable(data, checkpoint=tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match="cannot be used"):
        bitsep.pc_stable(data, checkpoint=tmp_path / "file" / "folder")


def test_oracle(tmp_path: Path) -> None:
    oracle = bitsep.Oracle(bitsep.load_network("asia"))
    expected = bitsep.pc_stable(oracle).graph
    assert bitsep.pc_stable(oracle, checkpoint=tmp_path).graph == expected
    assert bitsep.pc_stable(oracle, checkpoint=tmp_path).graph == expected
