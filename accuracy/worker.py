"""Runs searches in a process that can be stopped."""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import os
import signal
import time
import warnings
from multiprocessing.connection import Connection
from typing import Any

from accuracy import samples
from accuracy.metrics import measure, measure_sid
from accuracy.runs import Run
from accuracy.searches import Search, parse
from bitsep import DAG, PDAG

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "LOKY_MAX_CPU_COUNT"), "1"
)
"""Environment variables for the processes: one thread each."""

MEMORY_SHARE = 0.4
"""The share of the memory that a process may use: a search that needs more fails, and the benchmark continues."""

SID_LIMIT = 60.0
"""Seconds for the structural intervention distance of one graph; with more, the run has none."""

MESSAGE_LENGTH = 200


class ClosedError(Exception):
    """The worker was closed during a run."""


class Worker:
    """A process that runs searches, one at a time. It is started when needed, and again after a time-out."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Any = None
        self._library = ""
        self._closed = False

    def run(self, search: Search, network: str, rows: int, number: int, limit: float) -> Run:
        """Run a search on a sample; it is stopped after `limit` seconds.

        The limit does not include drawing the sample and comparing the graph with the truth.
        """
        if self._library != search.library:
            self._stop()
        if self._process is None:
            self._start(search.library)
        key = (search.text, network, rows, number)
        start = time.perf_counter()
        try:
            self._pipe.send(key)
            self._pipe.recv()  # "started"
            start = time.perf_counter()
            if not self._pipe.poll(limit):
                self._stop()
                return Run(*key, "time-out", limit, version=search.version)
            self._pipe.recv()  # "ended"
            figures = self._pipe.recv()
            if self._pipe.poll(SID_LIMIT):
                figures |= self._pipe.recv()
            else:
                self._stop()
            return Run(*key, **figures, version=search.version)
        except (EOFError, OSError):
            if self._closed:
                raise ClosedError from None
            self._stop()
            seconds = time.perf_counter() - start
            return Run(*key, "failed", seconds, message="The process ended.", version=search.version)

    def _start(self, library: str) -> None:
        # Spawned, not forked: the native threads of this process would be missing in a copy of it.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, library), daemon=True)
        self._process.start()
        theirs.close()
        self._library = library

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def close(self) -> None:
        """End the process, from any thread; a run that waits for it raises `ClosedError`."""
        self._closed = True
        if self._process is not None:
            self._process.kill()


def _serve(pipe: Connection, library: str) -> None:
    """Runs in the process: answers requests until the other side closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    warnings.simplefilter("ignore")
    _limit_memory()
    if library != "bitsep":
        _silence()
    warm: set[str] = set()
    while True:
        try:
            text, network, rows, number = pipe.recv()
        except EOFError:
            return
        search = parse(text)
        if text not in warm:
            _warm_up(search)
            warm.add(text)
        _answer(pipe, search, samples.draw(network, rows, number))


def _warm_up(search: Search) -> None:
    """Import what is imported lazily, so that the first run is not slower than the others."""
    with contextlib.suppress(Exception):  # an error is reported by the run
        search.prepare()(samples.draw("cancer", 100, 0).frame)


def _answer(pipe: Connection, search: Search, sample: samples.Sample) -> None:
    """Send "started" right before the search, "ended" right after it, then the outcome with its figures, then the SID,
    which can take very long."""
    pipe.send("started")
    start = time.perf_counter()
    try:
        found = search.prepare()(sample.frame)
    except Exception as error:
        pipe.send("ended")
        pipe.send(_failure(error, time.perf_counter() - start))
        pipe.send({})
        return
    seconds = time.perf_counter() - start
    pipe.send("ended")
    graph = found if isinstance(found, DAG | PDAG) else found.graph
    figures = measure(graph, sample.truth)
    pipe.send({"outcome": "found", "seconds": seconds, "to_dag": _gives_dag(found), **figures})
    pipe.send(measure_sid(graph, sample.truth))


def _failure(error: Exception, seconds: float) -> dict[str, Any]:
    message = " ".join(f"{type(error).__name__}: {error}".split())
    return {"outcome": "failed", "seconds": seconds, "message": message[:MESSAGE_LENGTH]}


def _gives_dag(found: Any) -> bool | None:
    """Whether a result of bitsep gives a DAG, too; None for graphs of other libraries."""
    if isinstance(found, DAG | PDAG) or not hasattr(found, "to_dag"):
        return None
    try:
        return isinstance(found.to_dag(), DAG)
    except Exception:
        return False


def _limit_memory() -> None:
    if importlib.util.find_spec("resource") is None:  # Windows
        return
    import resource

    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = int(MEMORY_SHARE * memory)
    with contextlib.suppress(ValueError, OSError):  # a lower limit is set already, or the system has none
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _silence() -> None:
    """Discard what the library prints."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
