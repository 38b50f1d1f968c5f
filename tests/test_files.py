"""Files are written in full or not at all, by every writer there is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bitsep
from bitsep.errors import ArgumentError, BitsepError, UnsupportedTypeError, WriteError
from bitsep.files import check_place, whole_file, write_file
from bitsep.shell.files import write_model_string

WRITERS = {
    "graph.dot": "bitsep.load_network('alarm').dag.save(path)",
    "graph.json": "bitsep.load_network('alarm').cpdag.save(path)",
    "network.bif": "bitsep.load_network('alarm').to_bif(path)",
    "network.bif.gz": "bitsep.load_network('alarm').to_bif(path)",
    "page.html": "bitsep.pc_stable(bitsep.load_network('asia').sample(500)).save_report(path)",
    "graph.bnlearn": "write_model_string(bitsep.load_network('alarm').dag, Path(path))",
    "rows.csv": "run('sample', 'alarm', '-n', '500', '-o', path)",
    "rows.parquet": "run('sample', 'alarm', '-n', '500', '-o', path)",
    "graph.txt": "run('discover', data, '-o', path)",
}
"""Every way to write a file, by the name of the file."""

# The system lets a file grow to 200 bytes only, as if the disk were full then.
_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
import bitsep
from bitsep.cli import main
from bitsep.shell.files import write_model_string
path, data = sys.argv[1:]
def run(*arguments):
    sys.argv = ["bitsep", *arguments, "--debug"]
    main()
bitsep.pc_stable(bitsep.load_network("asia").sample(100)).graph.to_dot()
resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
try:
    {statement}
except bitsep.errors.WriteError as error:
    sys.exit(f"WriteError: {{error}}")
"""


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose graph takes more than 200 bytes."""
    path = tmp_path_factory.mktemp("data") / "asia.csv"
    frame = bitsep.load_network("asia").sample(1000, seed=1)
    frame.rename(columns=lambda name: f"{name} with a rather long name").to_csv(path, index=False)
    return path


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file_untouched(tmp_path: Path, chain: Path, name: str) -> None:
    target = tmp_path / name
    target.write_text("old")
    script = _FULL_DISK.format(statement=WRITERS[name])
    done = subprocess.run(
        [sys.executable, "-c", script, target, chain], capture_output=True, text=True, timeout=60, check=False
    )
    assert "WriteError: " in done.stderr, done.stderr
    assert f"{str(target)!r} cannot be written: " in done.stderr
    assert "File too large" in done.stderr
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == [name]


def test_a_full_disk_during_a_checkpoint_leaves_no_damaged_answer(tmp_path: Path) -> None:
    statement = "bitsep.pc_stable(bitsep.load_network('alarm').sample(500), checkpoint=path)"
    done = subprocess.run(
        [sys.executable, "-c", _FULL_DISK.format(statement=statement), tmp_path / "work", "-"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "WriteError: checkpoint: " in done.stderr, done.stderr
    assert not list((tmp_path / "work").glob("*.npz"))
    data = bitsep.load_network("alarm").sample(500)
    assert bitsep.pc_stable(data, checkpoint=tmp_path / "work").to_json() == bitsep.pc_stable(data).to_json()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "file.txt").write_text("old")
    return tmp_path


@pytest.mark.parametrize("interruption", [ValueError, KeyboardInterrupt])
def test_an_interrupted_writer_leaves_the_old_file_untouched(folder: Path, interruption: type[BaseException]) -> None:
    def write() -> None:
        with whole_file(folder / "file.txt") as draft:
            draft.write_text("half")
            raise interruption

    with pytest.raises(interruption):
        write()
    assert (folder / "file.txt").read_text() == "old"
    assert os.listdir(folder) == ["file.txt"]


def test_an_interruption_while_the_draft_is_created_leaves_no_draft(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    before = sorted(folder.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr("bitsep.files.os.close", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write_file(folder / "new.txt", b"new")
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("protected", [".", "file.txt"])
def test_what_is_read_only_stays_as_it_is(folder: Path, protected: str) -> None:
    """In a process of an ordinary user: root may write everywhere."""
    (folder / protected).chmod(0o500)
    code = (
        "import os, sys\n"
        "from bitsep.errors import WriteError\n"
        "from bitsep.files import write_file\n"
        "if os.geteuid() == 0:\n"
        "    os.chown(sys.argv[1], 65534, 65534), os.chown(sys.argv[1] + '/file.txt', 65534, 65534)\n"
        "    os.chdir(sys.argv[1]), os.setuid(65534)\n"
        "os.chdir('.')\n"
        "try:\n"
        "    write_file('file.txt', b'new')\n"
        "except WriteError as error:\n"
        "    print(error)\n"
    )
    try:
        done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
        assert "Permission denied" in done.stdout or "read-only" in done.stdout
        assert (folder / "file.txt").read_text() == "old"
    finally:
        (folder / protected).chmod(0o700)


def test_a_folder_that_refuses_new_files_leaves_the_old_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(WriteError, match=r"output: .*file.txt' cannot be written: Read-only file system\."):
        write_file(folder / "file.txt", b"new", "output")
    assert (folder / "file.txt").read_text() == "old"


def test_a_write_error_is_an_os_error_and_an_error_of_ours(tmp_path: Path) -> None:
    for kind in (OSError, BitsepError):
        with pytest.raises(kind, match="No such file or directory"):
            bitsep.DAG(["a"]).save(tmp_path / "nowhere" / "graph.dot")


def test_replaced_files_keep_their_permissions_and_new_ones_have_the_usual(folder: Path) -> None:
    (folder / "file.txt").chmod(0o640)
    write_file(folder / "file.txt", b"new")
    assert (folder / "file.txt").stat().st_mode & 0o777 == 0o640
    (folder / "other").touch()
    write_file(folder / "fresh.txt", b"new")
    assert (folder / "fresh.txt").stat().st_mode == (folder / "other").stat().st_mode


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "link.txt").symlink_to("file.txt")
    write_file(folder / "link.txt", b"new")
    assert (folder / "link.txt").is_symlink()
    assert (folder / "file.txt").read_text() == "new"


def test_the_check_of_a_place_leaves_nothing(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    for name in ("file.txt", "new.txt"):
        check_place(folder / name)
    check_place("/dev/null")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_devices_are_written_to_and_not_replaced() -> None:
    write_file("/dev/null", b"nothing")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("save", [bitsep.DAG.save, lambda graph, path: write_file(path, b"", "path")])
def test_a_directory_is_no_file(tmp_path: Path, save: Callable[[bitsep.DAG, Path], None]) -> None:
    (tmp_path / "graph.dot").mkdir()
    with pytest.raises(WriteError, match=r"path: .*graph.dot' is a directory. Name a file in it\."):
        save(bitsep.DAG(["a"]), tmp_path / "graph.dot")
    with pytest.raises(WriteError, match="is a directory"):
        check_place(tmp_path)


def test_text_that_utf8_cannot_hold_leaves_the_old_file(folder: Path) -> None:
    (folder / "file.txt").rename(folder / "graph.bnlearn")
    with pytest.raises(UnsupportedTypeError, match="surrogate"):
        write_model_string(bitsep.DAG(["\ud800"]), folder / "graph.bnlearn")
    assert (folder / "graph.bnlearn").read_text() == "old"


@pytest.mark.parametrize("path", [None, 3, b"a.json", [], object()])
def test_a_path_of_another_type(path: Any) -> None:
    graph, data = bitsep.DAG(["x"], []), {"x": [0, 1], "y": [0, 1]}
    network = bitsep.load_network("asia")
    for argument, call in {
        "path": lambda: graph.save(path),
        "target": lambda: network.to_bif(path),
        "checkpoint": lambda: bitsep.pc_stable(data, checkpoint=path),
    }.items():
        if argument != "checkpoint" or path is not None:
            with pytest.raises(UnsupportedTypeError, match=f"{argument}: must be a path, got"):
                call()
    with pytest.raises(UnsupportedTypeError, match="path: must be a path, got"):
        bitsep.DAG.load(path)


def test_a_path_with_a_null_character() -> None:
    for write in (bitsep.DAG(["x"], []).save, bitsep.load_network("asia").to_bif, bitsep.DAG.load):
        with pytest.raises(ArgumentError, match="a path cannot have a null character"):
            write("a\0.json")
