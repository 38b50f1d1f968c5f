"""Progress of a long computation: a bar in the terminal or in a notebook, a callback of the user, or nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module

ProgressCallback = Callable[[str, int, int], None]
"""Called regularly as ``callback(stage, finished, total)``."""

Step = Callable[[int, int], None]
"""The callback of one stage, called with (finished, total)."""


class Reporter:
    """Makes one callback per stage; None if there is no callback, so that engines do not report."""

    def __init__(self, callback: ProgressCallback | None = None) -> None:
        self._callback = callback

    def stage(self, name: str) -> Step | None:
        """The callback of this stage."""
        callback = self._callback
        if callback is None:
            return None
        return lambda finished, total: callback(name, finished, total)

    def stages(self, name: str) -> Callable[[int], Step | None] | None:
        """The callbacks of numbered stages; the name has a placeholder for the number."""
        return None if self._callback is None else lambda number: self.stage(name.format(number))


_NOTEBOOK_SECONDS = 0.25  # between two updates of a bar in a notebook

SILENT = Reporter()


@contextmanager
def reporter(progress: bool | ProgressCallback) -> Iterator[Reporter]:
    """A reporter for the `progress` argument: True shows a bar in a terminal or a notebook, a callable is called."""
    if callable(progress):
        yield Reporter(progress)
    elif progress and "ipykernel" in sys.modules:
        with _notebook_bar() as callback:
            yield Reporter(callback)
    elif progress and sys.stderr.isatty():
        with _bar() as callback:
            yield Reporter(callback)
    else:
        yield SILENT


@contextmanager
def _bar() -> Iterator[ProgressCallback]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def callback(stage: str, finished: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=finished, total=total)

        yield callback


@contextmanager
def _notebook_bar() -> Iterator[ProgressCallback]:
    """A bar below the cell of a notebook; it disappears at the end."""
    ipython = import_module("IPython.display")
    html, shown = ipython.HTML, ipython.display(ipython.HTML(""), display_id=True)
    last = [0.0]

    def callback(stage: str, finished: int, total: int) -> None:
        now = time.monotonic()
        if now - last[0] >= _NOTEBOOK_SECONDS:
            last[0] = now
            share = f' value="{finished}" max="{total}"' if total else ""
            counted = f"{finished:,} of {total:,}" if total else ""
            shown.update(html(f"{escape(stage)} <progress{share}></progress> {counted}"))

    try:
        yield callback
    finally:
        shown.update(html(""))
