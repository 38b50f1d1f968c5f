"""Ways to run the command line: inside this process, through a pipe, and on a terminal of its own."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import bitsep
from bitsep.cli import main

# Takes the terminal as its own before becoming the program, so that Ctrl-C typed there reaches it as a signal, also
# where the tests run in the background, with that signal ignored.
_ON_A_TERMINAL = (
    "import fcntl, os, signal, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.executable, sys.argv[1:])"
)


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Finished]:
    """Run the command inside this process: quick, and enough for whatever is not about terminals."""

    def run(*arguments: object) -> Finished:
        monkeypatch.setattr(sys, "argv", ["bitsep", *map(str, arguments)])
        code = main()
        caught = capsys.readouterr()
        return Finished(code, caught.out, caught.err)

    return run


def pipe(*arguments: object, **environment: str) -> Finished:
    """Run `python -m bitsep` with everything piped."""
    done = subprocess.run(
        [sys.executable, "-m", "bitsep", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=50,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


class Terminal:
    """A program on a pseudo-terminal, 100 columns wide."""

    def __init__(self, *arguments: object, **environment: str) -> None:
        self._master, slave = pty.openpty()
        clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        program = [sys.executable, "-m", "bitsep", *map(str, arguments)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", _ON_A_TERMINAL, *program],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**clean, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40", **environment},
        )
        os.close(slave)
        self.seen = ""

    def read_until(self, text: str | None, seconds: float = 40) -> str:
        """All that was printed so far, up to where `text` appears (None: up to the end of the program)."""
        deadline = time.monotonic() + seconds
        while text is None or text not in self.seen:
            ready, _, _ = select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise AssertionError(
                    f"{text!r} did not appear in {seconds} s; the terminal shows {self.seen[-2000:]!r}"
                )
            try:
                piece = os.read(self._master, 65536)
            except OSError:  # the other side is closed
                piece = b""
            if not piece:
                break
            self.seen += piece.decode("utf-8", "replace")
        return self.seen

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def finish(self) -> tuple[int, str]:
        """Wait for the end; the exit code and all that was printed."""
        seen = self.read_until(None)
        code = self.process.wait(20)
        os.close(self._master)
        return code, seen


@pytest.fixture(scope="session")
def asia(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small table with eight columns."""
    path = tmp_path_factory.mktemp("data") / "asia.csv"
    bitsep.load_network("asia").sample(2000, seed=1).to_csv(path, index=False)
    return path


@pytest.fixture(scope="session")
def alarm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table on which some work takes seconds."""
    path = tmp_path_factory.mktemp("data") / "alarm.csv"
    bitsep.load_network("alarm").sample(2000, seed=1).to_csv(path, index=False)
    return path


HOSTILE = [
    "two words",
    'it\'s "quoted"',
    "Größe",
    "😀",
    "line\nbreak",
    "[red]a[/red]",
    "\x1b[31mred",
    "-->",
    "<script>alert(1)</script>",
    "a,b;c:d",
    "--json",
]
"""Names people give columns, and names nobody should."""


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose columns have hostile names; each is a noisy copy of the one before."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 3, 600)]
    for _ in HOSTILE[1:]:
        columns.append(np.where(rng.random(600) < 0.2, rng.integers(0, 3, 600), columns[-1]))
    path = tmp_path_factory.mktemp("data") / "hostile.csv"
    pd.DataFrame(dict(zip(HOSTILE, columns, strict=True))).to_csv(path, index=False)
    return path
