"""Whole runs: the same bytes whoever does the work, also after a kill; and folders that must not be touched."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from pyarrow.csv import read_csv

import bitsep
from bitsep.errors import ArgumentError, FormatError, ReadError, UnknownMethodError, WriteError
from reproduction.catalog import EXPERIMENTS, chosen
from reproduction.entry import Reproduction, reproduce

SMALL = ["thresholds", "error"]


def tiny(out: Path, names: list[str] = SMALL, threads: int = 1, resume: bool = False) -> Reproduction:
    return reproduce(names, "tiny", out=out, threads=threads, resume=resume)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A finished run of two experiments; nobody may change it."""
    folder = tmp_path_factory.mktemp("complete") / "out"
    tiny(folder)
    before = contents(folder)
    yield folder
    assert contents(folder) == before


def test_all_experiments_in_two_processes_give_the_bytes_of_one(tmp_path: Path, whole: Reproduction) -> None:
    tiny(tmp_path / "two", [], threads=2)
    assert contents(tmp_path / "two") == contents(whole.out)


def test_what_a_reproduction_says_of_itself(whole: Reproduction) -> None:
    assert set(whole.seconds) == {*EXPERIMENTS, "figures"}
    results = {f"results/{name}.{kind}" for name in EXPERIMENTS for kind in ("csv", "json", "parquet")}
    names = {picture.name for experiment in EXPERIMENTS.values() for picture in experiment.pictures}
    figures = {f"figures/{name}.{kind}" for name in names for kind in ("svg", "png")}
    assert set(contents(whole.out)) == {"index.html", "claims.json", "manifest.json", *results, *figures}
    assert sum(whole.outcomes().values()) == len(whole.claims) > 40
    assert json.loads((whole.out / "claims.json").read_text())[0] == whole.claims[0].to_dict()
    assert json.loads(json.dumps(whole.to_dict()))["page"] == str(whole.page)


def test_the_three_forms_of_results_agree(whole: Reproduction) -> None:
    for name in EXPERIMENTS:
        path = whole.out / "results" / name
        from_parquet = pd.read_parquet(path.with_suffix(".parquet"))
        from_csv = read_csv(path.with_suffix(".csv")).to_pandas()  # pandas 2 would round numbers
        pd.testing.assert_frame_equal(from_csv, from_parquet, rtol=0, atol=0, check_dtype=False)
        document = json.loads(path.with_suffix(".json").read_text())
        from_json = pd.DataFrame(document["rows"], columns=list(document["columns"]))
        pd.testing.assert_frame_equal(from_json, from_parquet, rtol=0, atol=0)


_KILLED = """
import os, signal, sys
from reproduction.entry import reproduce

def stop(stage, finished, total):
    if stage == "error" and finished == 5:
        os.kill(os.getpid(), signal.SIGKILL)

reproduce(["thresholds", "error"], "tiny", out=sys.argv[1], threads=int(sys.argv[2]), progress=stop)
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_killed_run_resumes_to_the_same_bytes(tmp_path: Path, complete: Path, threads: int) -> None:
    out = tmp_path / "out"
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(out), str(threads)], check=False)
    assert killed.returncode == -9
    assert len(list((out / "parts" / "error").glob("*.json"))) >= 5
    assert not (out / "index.html").exists()
    tiny(out, resume=True)
    assert contents(out) == contents(complete)


@pytest.fixture
def copied(tmp_path: Path, complete: Path) -> Path:
    """A finished run that may be changed."""
    return Path(shutil.copytree(complete, tmp_path / "copied"))


def test_what_a_kill_left_half_written_goes(copied: Path, complete: Path) -> None:
    out = copied
    for name in ("index.html", "results/error.parquet", "figures/error.png"):
        (out / name).unlink()
    (out / "results" / ".draft-12345-error.json").write_text("{")
    tiny(out, resume=True)
    assert contents(out) == contents(complete)


def test_resuming_a_finished_run_changes_nothing(copied: Path, complete: Path) -> None:
    assert tiny(copied, resume=True).outcomes() == tiny(copied, resume=True).outcomes()
    assert contents(copied) == contents(complete)


def test_resume_may_start(tmp_path: Path) -> None:
    tiny(tmp_path / "out", ["thresholds"], resume=True)
    assert (tmp_path / "out" / "index.html").exists()


def test_progress_is_reported_per_experiment(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    reproduce(["thresholds"], "tiny", out=tmp_path / "out", threads=1, progress=lambda *step: seen.append(step))
    assert seen == [("thresholds", i, 3) for i in range(4)] + [("figures", 0, 1), ("figures", 1, 1)]


def test_experiments_come_in_the_order_of_the_paper() -> None:
    assert [experiment.name for experiment in chosen(["error", "thresholds", "error"])] == SMALL
    assert [experiment.name for experiment in chosen([])] == list(EXPERIMENTS)


# --- bad input


def test_unknown_experiment(tmp_path: Path) -> None:
    with pytest.raises(UnknownMethodError, match=r"one of thresholds, error, .* got 'treshold'"):
        reproduce(["treshold"], out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_that_make_no_sense(tmp_path: Path, threads: int) -> None:
    with pytest.raises(ArgumentError, match="threads"):
        reproduce(["thresholds"], out=tmp_path / "out", threads=threads)
    assert not (tmp_path / "out").exists()


def test_a_finished_run_is_not_overwritten(complete: Path) -> None:
    with pytest.raises(ArgumentError, match="holds a finished reproduction"):
        tiny(complete)


def test_an_unfinished_run_is_not_overwritten(copied: Path) -> None:
    (copied / "index.html").unlink()
    before = contents(copied)
    with pytest.raises(ArgumentError, match="holds an unfinished reproduction"):
        tiny(copied)
    assert contents(copied) == before


def test_resume_on_other_experiments(complete: Path) -> None:
    with pytest.raises(ArgumentError, match=r"other settings \(experiments.error: present there, absent now"):
        tiny(complete, ["thresholds"], resume=True)


def test_resume_on_another_size(complete: Path) -> None:
    with pytest.raises(ArgumentError, match="size: tiny there, quick now"):
        reproduce(SMALL, "quick", out=complete, resume=True)


def test_resume_on_another_version(complete: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reproduction.entry.__version__", "9.9")
    with pytest.raises(ArgumentError, match=rf"bitsep_version: {bitsep.__version__} there, 9.9 now"):
        tiny(complete, resume=True)


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    for resume in (False, True):
        with pytest.raises(ArgumentError, match="is not empty and has no manifest"):
            tiny(tmp_path, resume=resume)
    assert contents(tmp_path) == {"thesis.tex": b"precious"}


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("precious")
    with pytest.raises(ReadError, match="is a file"):
        tiny(tmp_path / "out")
    with pytest.raises(ReadError, match="out"):
        tiny(tmp_path / "out" / "below")
    assert contents(tmp_path) == {"out": b"precious"}


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("reproduction.folder.tempfile.TemporaryFile", refuse)
    with pytest.raises(WriteError, match=r"cannot write to .*Permission denied"):
        tiny(tmp_path / "out")


def test_a_damaged_manifest(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"bitsep_')
    with pytest.raises(FormatError, match=r"manifest.json is damaged"):
        tiny(tmp_path, resume=True)
    assert contents(tmp_path) == {"manifest.json": b'{"bitsep_'}


@pytest.mark.parametrize("kept", [0, 10, 1000])
def test_damaged_results(copied: Path, kept: int) -> None:
    path = copied / "results" / "error.parquet"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(FormatError, match=r"error.parquet is damaged. Delete it and resume"):
        tiny(copied, resume=True)


def test_a_failure_in_a_worker_keeps_its_kind(copied: Path) -> None:
    (copied / "results" / "error.parquet").unlink()
    (copied / "parts").mkdir()
    (copied / "parts" / "error").write_text("in the way")
    with pytest.raises(WriteError, match="out: cannot write"):
        tiny(copied, threads=2, resume=True)
