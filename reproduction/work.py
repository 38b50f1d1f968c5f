"""Spreading tasks over processes.

Workers are plain processes that read tasks as lines of JSON and answer one line each (`reproduction.worker`). They do
not import the caller's main module, as `multiprocessing` would, so a script or a notebook needs no precautions. All
they make goes to files, so a task leaves the same bytes whoever does it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

from bitsep import errors
from bitsep.errors import BitsepError

Task = Mapping[str, Any]
Done = Callable[[], None]
Perform = Callable[[Sequence[Task], Done], None]


def do(task: Task) -> None:
    """One task: the rows of a chunk, or a figure."""
    from reproduction.catalogue import experiment_named
    from reproduction.folder import Folder
    from reproduction.style import render

    experiment = experiment_named(task["experiment"])
    folder = Folder(task["folder"])
    if "index" in task:
        rows = experiment.run_chunk(experiment.sizes[task["size"]], task["index"])
        folder.write_part(experiment.name, task["index"], rows)
        return
    results = folder.read_results(experiment.name, experiment.schema)
    [picture] = [picture for picture in experiment.pictures if picture.name == task["picture"]]
    svg, png = render(picture.draw, results)
    folder.write(f"figures/{picture.name}.svg", svg)
    folder.write(f"figures/{picture.name}.png", png)


@contextmanager
def workers(count: int) -> Iterator[Perform]:
    """A function that does all of a list of tasks, in `count` processes, or here if that is 1."""
    if count == 1:
        yield _here
        return
    crew = _Crew(count)
    try:
        yield crew.perform
    finally:
        crew.dismiss()


def _here(tasks: Sequence[Task], done: Done) -> None:
    for task in tasks:
        do(task)
        done()


class _Crew:
    def __init__(self, count: int) -> None:
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="bitsep-worker")
        self._mine = threading.local()  # each thread talks to a process of its own
        self._processes: list[subprocess.Popen[str]] = []
        self._lock = threading.Lock()

    def perform(self, tasks: Sequence[Task], done: Done) -> None:
        def one(task: Task) -> None:
            self._hand_over(task)
            with self._lock:
                done()

        futures = [self._threads.submit(one, task) for task in tasks]
        try:
            finished, _ = wait(futures, return_when=FIRST_EXCEPTION)
            for future in finished:
                future.result()
        finally:
            for future in futures:
                future.cancel()

    def _hand_over(self, task: Task) -> None:
        process = getattr(self._mine, "process", None)
        if process is None:
            process = self._mine.process = _start()
            with self._lock:
                self._processes.append(process)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            answer = ""
        if not answer:
            raise BitsepError(f"a worker ended with code {process.wait()}. What is finished is kept: resume to go on")
        if failure := json.loads(answer):
            kind = getattr(errors, failure["kind"], BitsepError)  # as it would have been raised here
            raise kind(f"{task['experiment']}: {failure['message']}")

    def dismiss(self) -> None:
        """End the processes, busy or not: files are renamed into place, so nothing is left half-written."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.kill()
        self._threads.shutdown(wait=True)  # nobody reads from a pipe any more
        for process in self._processes:
            process.kill()
            process.communicate()


def _start() -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "reproduction.worker"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=environment,
    )  # fmt: skip
