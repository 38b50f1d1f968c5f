"""The tasks of a run, and the worker processes that do them.

All that a task makes goes to files, so it leaves the same bytes whichever process does it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bitsep.errors import BitsepError
from reproduction.catalog import EXPERIMENTS
from reproduction.experiment import Size
from reproduction.folder import Folder
from reproduction.style import render


def run_chunk(out: Path, name: str, size: Size, index: int) -> None:
    """Write the rows of one chunk of an experiment."""
    experiment = EXPERIMENTS[name]
    Folder(out).write_part(name, index, experiment.run_chunk(experiment.sizes[size], index))


def draw_figure(out: Path, name: str, figure: str) -> None:
    """Write one figure of an experiment whose results are complete."""
    experiment, folder = EXPERIMENTS[name], Folder(out)
    [picture] = [picture for picture in experiment.pictures if picture.name == figure]
    svg, png = render(picture.draw, folder.read_results(name))
    folder.write(f"figures/{figure}.svg", svg)
    folder.write(f"figures/{figure}.png", png)


@contextmanager
def workers(count: int) -> Iterator[ProcessPoolExecutor | None]:
    """A pool of processes, or None for one: then tasks are done in this process."""
    if count == 1:
        yield None
        return
    # Spawned, not forked: the native threads of this process would be missing in a copy of it.
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_start_worker) as pool:
        try:
            yield pool
        except BrokenProcessPool as error:
            raise BitsepError("A worker process was ended; --resume continues with what is finished.") from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def completed(pool: ProcessPoolExecutor | None, task: Callable[..., None], calls: Iterable[Any]) -> Iterator[None]:
    """Do the task with each tuple of arguments, in any order; yields after each."""
    if pool is None:
        for arguments in calls:
            task(*arguments)
            yield
    else:
        for future in as_completed([pool.submit(task, *arguments) for arguments in calls]):
            future.result()
            yield


def _start_worker() -> None:
    """Let the process end at once on Ctrl-C (files are written in full or not at all), and together with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
