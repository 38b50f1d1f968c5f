"""Ctrl-C, SIGTERM and kill -9: a search ends soon, nothing is half-written, and a checkpoint continues."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import bitsep
from faults.searches import CHECKPOINTED, SEARCHES, alarm

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")]
ROOT = Path(__file__).parents[1]

# Runs a search again and again; prints a line before each run, but for a first one: while modules are imported, Python
# may lose the exception of a signal handler.
FOREVER = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from faults.searches import SEARCHES, alarm, asia
name = sys.argv[1]
SEARCHES[name](asia(200), threads=2)
data = asia(20_000) if name in ("check", "expected_accuracy") else alarm(20_000)
while True:
    print("go", flush=True)
    SEARCHES[name](data, threads=2)
"""


Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a process that runs Python code; the processes of a test that fails are killed."""
    processes = []

    def started(code: str, *arguments: object, **options: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", code, *map(str, arguments)],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
        )  # fmt: skip
        processes.append(process)
        return process

    yield started
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.parametrize("name", SEARCHES)
def test_ctrl_c_ends_every_search(start: Start, name: str) -> None:
    process = start(FOREVER, name)
    assert process.stdout is not None
    assert process.stdout.readline() == "go\n"
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    _, errors = process.communicate(timeout=120)
    assert "KeyboardInterrupt" in errors, errors[-2000:]
    assert process.returncode in (1, -signal.SIGINT, 130)
    assert time.monotonic() - begin < 20  # much less on an idle machine


WITH_CHECKPOINT = """
import sys
from faults.searches import SEARCHES, alarm
data = alarm(3000)
print("go", flush=True)
sys.stdout.write(SEARCHES[sys.argv[1]](data, threads=2, checkpoint=sys.argv[2]))
"""


@pytest.mark.parametrize("name", CHECKPOINTED)
def test_a_killed_search_continues_from_its_checkpoint(start: Start, name: str, tmp_path: Path) -> None:
    """Killed some time after its first answer is stored, twice; the third process ends it."""
    folder = tmp_path / "work"
    stored: list[int] = []
    for kill in (signal.SIGKILL, signal.SIGTERM):
        process = start(WITH_CHECKPOINT, name, folder)
        assert process.stdout is not None
        assert process.stdout.readline() == "go\n"
        before = len(list(folder.rglob("*.npz")))
        limit = time.monotonic() + 60
        while len(list(folder.rglob("*.npz"))) <= before and process.poll() is None and time.monotonic() < limit:
            time.sleep(0.002)
        process.send_signal(kill)
        process.communicate(timeout=60)
        stored.append(len(list(folder.rglob("*.npz"))))
    assert stored[0] > 0
    process = start(WITH_CHECKPOINT, name, folder)
    found, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert found.removeprefix("go\n") == SEARCHES[name](alarm(3000))


# Writes the same two contents in turns until it is killed.
WRITING = """
import sys
import bitsep
from bitsep.files import write_file
networks = [bitsep.load_network(name) for name in ("asia", "alarm")]
found = [bitsep.pc_stable(network.sample(300, seed=1)) for network in networks]
write = {"bif": lambda k, path: networks[k].to_bif(path), "json": lambda k, path: found[k].graph.save(path),
         "html": lambda k, path: found[k].save_report(path), "svg": lambda k, path: found[k].save_picture(path)}
for form in write:
    for k in range(2):
        write[form](k, f"{sys.argv[1]}/whole-{k}.{form}")
print("go", flush=True)
while True:
    for form in write:
        for k in range(2):
            write[form](k, f"{sys.argv[1]}/file.{form}")
"""


@pytest.mark.parametrize("writers", [1, 2])
def test_killed_writers_leave_whole_files(start: Start, tmp_path: Path, writers: int) -> None:
    """Also two processes that write the same files: each file is one of the two contents, never a mixture."""
    rng = random.Random(1)
    for _ in range(2):
        processes = [start(WRITING, tmp_path) for _ in range(writers)]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "go\n"
        time.sleep(0.3 + rng.random())
        for process in processes:
            process.kill()
            process.communicate()
        for form in ("bif", "json", "html", "svg"):
            path = tmp_path / f"file.{form}"
            if path.exists():
                whole = {(tmp_path / f"whole-{k}.{form}").read_bytes() for k in range(2)}
                assert path.read_bytes() in whole, form
    assert (tmp_path / "file.bif").exists()


# Prints a line as soon as it handles signals.
SHELL = """
import contextlib, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import bitsep.cli
handling = bitsep.cli.raising_stopped
@contextlib.contextmanager
def announced():
    with handling():
        print("go", flush=True)
        yield
bitsep.cli.raising_stopped = announced
sys.argv[0] = "bitsep"
sys.exit(bitsep.cli.main())
"""


def test_one_signal_at_any_moment_ends_the_shell(start: Start, tmp_path: Path) -> None:
    """One of 24 processes each, at random moments from the first imports to the search.

    The standard input is stored in a temporary file, which is deleted; the old output stays.
    """
    rows = tmp_path / "rows.csv"
    alarm(1000).to_csv(rows, index=False)
    seed = random.SystemRandom().randrange(2**32)
    rng = random.Random(seed)
    for k in range(24):
        kill, code, word = rng.choice([(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")])
        folder = tmp_path / str(k)
        temporary = folder / "temporary"
        temporary.mkdir(parents=True)
        (folder / "graph.json").write_text("old")
        with rows.open("rb") as stream:
            command = ("discover", "-", "--bootstrap", 20_000, "-o", folder / "graph.json")
            process = start(SHELL, *command, stdin=stream, env={**os.environ, "TMPDIR": str(temporary)})
            assert process.stdout is not None
            assert process.stdout.readline() == "go\n"
            seconds = 4 * rng.random() ** 2
            limit = time.monotonic() + 60
            while k % 4 == 0 and not os.listdir(temporary) and time.monotonic() < limit:
                time.sleep(0.01)
            time.sleep(seconds)
            process.send_signal(kill)
            _, errors = process.communicate(timeout=60)
        case = (seed, k, word, seconds)
        assert (process.returncode, errors) == (code, f"{word}\n"), case
        assert os.listdir(temporary) == [], case
        assert (folder / "graph.json").read_text() == "old", case
        assert sorted(os.listdir(folder)) == ["graph.json", "temporary"], case


def test_a_checkpoint_survives_two_processes_that_fill_it_at_once(start: Start, tmp_path: Path) -> None:
    processes = [start(WITH_CHECKPOINT, "boss", tmp_path / "work") for _ in range(2)]
    found = {process.communicate(timeout=120)[0].removeprefix("go\n") for process in processes}
    assert [process.returncode for process in processes] == [0, 0]
    assert found == {SEARCHES["boss"](alarm(3000))}
    assert not list((tmp_path / "work").rglob(".bitsep-*"))
    assert json.loads((tmp_path / "work" / "identity.json").read_text())["bitsep"] == bitsep.__version__
