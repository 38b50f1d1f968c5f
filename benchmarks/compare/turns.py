"""Times both builds in turns, each in a separate process."""

from __future__ import annotations

import json
import os
import random
import subprocess
import threading
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.compare.builds import ROOT, python_command

LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "ARROW_IO_THREADS")
TIMEOUT_SECONDS = 120.0
WARM_UPS = 1


class WorkerError(Exception):
    """A case failed in one of the builds, or its process ended."""

    def __init__(self, label: str, message: str) -> None:
        super().__init__(f"{label}: {message}")
        self.label = label


@dataclass(frozen=True)
class Time:
    """The times of one run."""

    cpu_ns: int
    clock_ns: int


@dataclass
class Times:
    """The times of one case in pairs: entries i of both lists were measured directly one after the other."""

    base: list[Time] = field(default_factory=list)
    new: list[Time] = field(default_factory=list)
    error: WorkerError | None = None


class Worker:
    """The process of one build, pinned to one core if the system supports it."""

    def __init__(self, label: str, site: Path, data: Path, hash_seed: int) -> None:
        command, environment = python_command(site)
        self._label = label
        self._command = [*command, "-m", "benchmarks.compare.worker", str(site), str(data)]
        self._environment = {**dict.fromkeys(LIMITS, "1"), "PYTHONHASHSEED": str(hash_seed), **environment}
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            env={**os.environ, **self._environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(self._process.pid, {max(os.sched_getaffinity(0))})

    def time(self, case: str) -> Time:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        clock = threading.Timer(TIMEOUT_SECONDS, self._process.kill)
        clock.start()
        line = ""
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(case) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        clock.cancel()
        if not line:
            self.close()
            self._start()
            raise WorkerError(self._label, f"the process ended, or took over {TIMEOUT_SECONDS:.0f} s.")
        answer = json.loads(line)
        if "error" in answer:
            raise WorkerError(self._label, answer["error"])
        return Time(**answer)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def take_turns(
    base: Path, new: Path, data: Path, cases: Iterable[str], repetitions: int, rounds: int
) -> dict[str, Times]:
    """Time every case at least `repetitions` times in both builds, spread over `rounds`.

    Each round starts two new processes: where the parts of a program happen to lie in memory decides a few percent of
    its speed, for as long as it runs. Which build goes first is random in every turn.
    """
    rng = random.Random(1)
    measured = {case: Times() for case in cases}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", flush=True)
        with ExitStack() as stack:
            pair = []
            for label, site in (("base", base), ("new", new)):
                pair.append(Worker(label, site, data, hash_seed=number + 1))
                stack.callback(pair[-1].close)
            for case, times in measured.items():
                if times.error is None:
                    _measure(case, times, (pair[0], pair[1]), -(-repetitions // rounds), rng)
    return measured


def _measure(case: str, times: Times, pair: tuple[Worker, Worker], repetitions: int, rng: random.Random) -> None:
    try:
        for worker in pair * WARM_UPS:
            worker.time(case)
        for _ in range(repetitions):
            first = rng.randrange(2)
            taken = {first: pair[first].time(case), 1 - first: pair[1 - first].time(case)}
            times.base.append(taken[0])
            times.new.append(taken[1])
    except WorkerError as error:
        times.error = error
