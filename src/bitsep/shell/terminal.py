"""Terminal output: results on stdout, progress and errors on stderr; colors and bars only on a terminal."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from bitsep.naming import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

Report = Callable[[str, int, int], None]
"""Called by the library with (stage, finished, total)."""

_BAR_DELAY_SECONDS = 0.7  # shorter work shows no bar, which would only flash
_PIPE_WIDTH = 100_000  # no line is wrapped in a pipe


def safe(text: object) -> str:
    """Text that cannot control the terminal: control characters are escaped, line breaks kept."""
    return "\n".join(map(one_line, str(text).split("\n")))


def print_json(schema: str, content: Mapping[str, Any]) -> None:
    """Print an object with its schema and the version of that."""
    document = {"schema": schema, "schema_version": 1, **content}
    print_json_text(json.dumps(document, ensure_ascii=False, allow_nan=False, default=str))


def print_json_text(text: str) -> None:
    """Print JSON with the characters escaped that it may contain but that can control the terminal."""
    print("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text), flush=True)


def output() -> Console:
    """The console for results. It uses colors on a terminal, unless NO_COLOR is set."""
    return _console(sys.stdout)


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    # Names can contain anything: brackets are not markup, and numbers and paths are not highlighted.
    width = None if stream.isatty() else _PIPE_WIDTH
    return Console(file=stream, markup=False, highlight=False, emoji=False, width=width, soft_wrap=width is not None)


@contextmanager
def working(label: str) -> Iterator[Report]:
    """A progress bar with the time left; none if stderr is not a terminal or the work is done in a moment."""
    if not sys.stderr.isatty():
        yield lambda stage, finished, total: None
        return
    bar = _bar()
    task = bar.add_task(one_line(label), total=None)
    current = [""]

    def report(stage: str, finished: int, total: int) -> None:
        if stage != current[0]:
            current[0] = stage
            bar.reset(task, total=total or None, completed=0, description=f"{one_line(label)}: {one_line(stage)}")
        bar.update(task, completed=finished, total=total or None)  # 0: unknown

    with _shown_after_delay(bar):
        yield report


def print_cut(columns: Iterable[object]) -> None:
    """Print one line for each column that was divided into intervals."""
    from rich.text import Text

    for column in columns:
        output().print(Text(f"discretized: {safe(column)}"))


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """A progress bar while a file is read; it follows the bytes read by this process where the system counts them."""
    if not sys.stderr.isatty():
        yield
        return
    bar = _bar()
    size = path.stat().st_size if path.is_file() else 0
    before = _bytes_read()
    task = bar.add_task(f"reading {one_line(path.name)}", total=size if size and before is not None else None)
    done = threading.Event()

    def follow() -> None:
        while not done.wait(0.2):
            now = _bytes_read()
            if now is not None and before is not None:
                bar.update(task, completed=min(now - before, size))

    follower = threading.Thread(target=follow, daemon=True)
    follower.start()
    try:
        with _shown_after_delay(bar):
            yield
    finally:
        done.set()
        follower.join()


def _bar() -> Progress:
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
        console=_console(sys.stderr),
        transient=True,
    )


@contextmanager
def _shown_after_delay(bar: Progress) -> Iterator[None]:
    timer = threading.Timer(_BAR_DELAY_SECONDS, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # so that a bar about to start has started before it is stopped
        bar.stop()


def _bytes_read() -> int | None:
    """The bytes this process has read so far, on Linux; None on other systems."""
    try:
        with open("/proc/self/io", encoding="ascii") as counters:
            return int(counters.readline().removeprefix("rchar:"))
    except (OSError, ValueError):
        return None
