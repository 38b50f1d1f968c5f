"""Runs the libraries in turns and measures them."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.peers.data import Frames
from benchmarks.peers.settings import Settings
from benchmarks.peers.worker import FailedError, OutOfTimeError, Worker

# Long runs vary less and are repeated less often: seconds of the first run, and the number of runs.
REPETITIONS_BY_SECONDS = ((10.0, 1), (2.0, 3))

SLOWED = 1.15  # a core shared with another guest is slower by more than this factor


@dataclass(frozen=True)
class Entry:
    """One of the programs that take turns."""

    label: str
    library: str
    job: str
    arguments: dict[str, Any] = field(default_factory=dict)
    environment: tuple[tuple[str, str], ...] = ()
    budget: float = 600.0


class Lab:
    """Starts one process per library and measures them in turns."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._folder = tempfile.TemporaryDirectory(prefix="bitsep-bench-")
        self.frames = Frames(Path(self._folder.name))
        self._workers: dict[tuple[str, tuple[tuple[str, str], ...]], Worker] = {}
        self._start = time.monotonic()

    def say(self, text: str) -> None:
        print(f"[{time.monotonic() - self._start:6.1f} s] {text}", flush=True)

    def worker(self, library: str, environment: tuple[tuple[str, str], ...] = ()) -> Worker:
        """The process of this library, started and warmed up at the first call."""
        key = (library, environment)
        if key not in self._workers:
            worker = Worker(library, dict(environment))
            worker.run("warm_up", self.frames.of_network("asia", 200, 200))
            self._workers[key] = worker
        return self._workers[key]

    def dismiss(self, library: str) -> None:
        """End the processes of this library to free their memory."""
        for key in [key for key in self._workers if key[0] == library]:
            self._workers.pop(key).close()

    def turns(
        self, what: str, frame: Path, entries: Sequence[Entry], repetitions: int | None = None, whole: int = 0
    ) -> dict[str, Any]:
        """Run A, B, A, B …; returns per label the seconds of every run, their median, and the last outcome.

        With `whole`, also the seconds of the runs for which all cores ran at full speed; stops when every entry has
        that many of these.
        """
        wanted = {entry.label: repetitions or self.settings.repetitions for entry in entries}
        measured: dict[str, dict[str, Any]] = {}
        for turn in range(max(wanted.values())):
            for entry in entries:
                if turn < wanted[entry.label]:
                    wanted[entry.label] = min(wanted[entry.label], self._one(frame, entry, measured, whole > 0))
            if whole and _find_whole(list(measured.values())) >= whole:
                break
        for one in measured.values():
            if "seconds" in one:
                one["median"] = statistics.median(one["seconds"])
        shown = ", ".join(
            f"{label} {one['median']:.4g} s" if "median" in one else f"{label} left out"
            for label, one in measured.items()
        )
        self.say(f"{what}: {shown}")
        return measured

    def _one(self, frame: Path, entry: Entry, measured: dict[str, dict[str, Any]], cores: bool) -> int:
        """Run one entry once; returns how many runs it may have in all."""
        worker = self.worker(entry.library, entry.environment)
        try:
            first = entry.label not in measured
            timing = worker.run(entry.job, frame, entry.budget, memory=first, cores=cores, **entry.arguments)
        except OutOfTimeError:
            measured[entry.label] = {"left_out": f"more than {entry.budget:.0f} s"}
            return 0
        except FailedError as error:
            if entry.library == "bitsep":
                raise
            # A library that fails must not end a long measurement, but the page has to show it.
            self.say(str(error))
            measured[entry.label] = {"left_out": "failed: " + str(error).strip().splitlines()[-1]}
            return 0
        one = measured.setdefault(entry.label, {"seconds": [], "cpu_seconds": []})
        one["seconds"].append(timing.seconds)
        one["cpu_seconds"].append(timing.cpu_seconds)
        if timing.core_seconds is not None:
            one.setdefault("core_seconds", []).append(timing.core_seconds)
        one["outcome"] = timing.outcome
        one.setdefault("extra_mb", timing.extra_mb)  # of the first run: later ones reuse its memory
        one.setdefault("peak_mb", timing.peak_mb)
        return next((runs for limit, runs in REPETITIONS_BY_SECONDS if one["seconds"][0] > limit), 10**9)

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
        self._folder.cleanup()


def _find_whole(measured: Sequence[dict[str, Any]]) -> int:
    """Select the runs right before and after which all cores had nearly the best speed ever measured.

    Returns the smallest number of such runs of an entry.
    """
    made = [one for one in measured if "core_seconds" in one]
    best = min((taken for one in made for taken in one["core_seconds"]), default=0.0)
    for one in made:
        runs = zip(one["seconds"], one["core_seconds"], strict=True)
        one["whole_seconds"] = [seconds for seconds, taken in runs if taken < SLOWED * best]
    return min((len(one["whole_seconds"]) for one in made), default=0)
