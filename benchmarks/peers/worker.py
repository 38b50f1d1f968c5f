"""Each library runs in a separate process, one at a time, so that caches, threads and settings do not affect others."""

from __future__ import annotations

import ctypes
import gc
import importlib
import multiprocessing
import os
import time
import traceback
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.peers.cores import SETTLING, slowest

LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
ONE_THREAD = dict.fromkeys(LIMITS, "1")


class OutOfTimeError(Exception):
    """A run took longer than its budget; its process was ended."""


class FailedError(Exception):
    """The library raised an error, or its process ended."""


@dataclass(frozen=True)
class Timing:
    """One timed run: wall-clock time, processor time, outcome, peak memory, and the speed of the cores."""

    seconds: float
    cpu_seconds: float
    outcome: Any
    extra_mb: float | None
    peak_mb: float | None
    core_seconds: float | None  # of a short task on the slowest core, right before or after


class Worker:
    """The process of one library."""

    def __init__(self, library: str, environment: Mapping[str, str] | None = None) -> None:
        self.library = library
        self._environment = {**ONE_THREAD, **(environment or {})}
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        with patch.dict(os.environ, self._environment):
            self._process = context.Process(target=_serve, args=(theirs, self.library), daemon=True)
            self._process.start()
        theirs.close()

    def run(
        self,
        job: str,
        frame: Path | None,
        budget: float = 600.0,
        *,
        memory: bool = False,
        cores: bool = False,
        **arguments: Any,
    ) -> Timing:
        """Prepare the job on this frame, then time it once; `budget` is for both, in seconds.

        With `memory`, also find out how much it takes. That makes the run slower: all memory it gets is fresh. With
        `cores`, also how fast all cores are, before and after.
        """
        answer = self._ask(("run", job, frame, (arguments, memory, cores)), budget)
        return Timing(*answer)

    def call(self, function: str, **arguments: Any) -> Any:
        """Call a function of the library's file and return its value."""
        return self._ask(("call", function, None, arguments), 600.0)

    def _ask(self, message: tuple[Any, ...], budget: float) -> Any:
        self._pipe.send(message)
        if not self._pipe.poll(budget):
            self.close()
            self._start()
            raise OutOfTimeError(f"{self.library}: {message[1]} took more than {budget:.0f} s.")
        try:
            kind, value = self._pipe.recv()
        except EOFError:
            self.close()
            self._start()
            raise FailedError(f"{self.library}: its process ended in {message[1]}.") from None
        if kind == "error":
            raise FailedError(f"{self.library} failed in {message[1]}:\n{value}")
        return value

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _serve(pipe: Connection, library: str) -> None:
    """Runs in the process: answers requests until the other side closes the pipe."""
    warnings.simplefilter("ignore")
    module = importlib.import_module(f"benchmarks.peers.libraries.{library}_runs")
    loaded: dict[Path, Any] = {}
    while True:
        try:
            kind, name, path, arguments = pipe.recv()
        except EOFError:
            return
        try:
            if kind == "call":
                pipe.send(("done", getattr(module, name)(**arguments)))
                continue
            given, memory, cores = arguments
            pipe.send(("done", _timed(getattr(module, name), _frame(loaded, path), given, memory, cores)))
        except Exception:
            pipe.send(("error", traceback.format_exc()))


def _frame(loaded: dict[Path, Any], path: Path) -> Any:
    import pandas as pd

    if path not in loaded:
        loaded.clear()
        loaded[path] = pd.read_pickle(path)
    return loaded[path]


def _timed(make: Any, frame: Any, arguments: dict[str, Any], memory: bool, cores: bool) -> tuple[Any, ...]:
    job = make(frame, **arguments)
    gc.collect()
    before = _reset_peak() if memory else None
    core_before = slowest() if cores else 0.0
    ready = () if job.ready is None else (job.ready(),)
    cpu, start = time.process_time(), time.perf_counter()
    outcome = job.run(*ready)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    core = None
    if cores:
        time.sleep(SETTLING)
        core = max(core_before, slowest())
    peak = _memory("VmHWM") if memory else None
    extra = None if before is None or peak is None else peak - before
    return seconds, cpu, job.describe(outcome), extra, peak, core


def _reset_peak() -> float | None:
    """Reset the peak memory (Linux); returns the memory in use now, in MB."""
    try:
        # The run must not reuse memory that was freed before, which would hide its use.
        ctypes.CDLL("libc.so.6").malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except (OSError, AttributeError):
        return None
    return _memory("VmRSS")


def _memory(field: str) -> float | None:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(field)), None)
