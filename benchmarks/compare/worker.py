"""The process of one build: reads the name of a case from standard input and writes its times.

Usage: python -m benchmarks.compare.worker SITE DATA     SITE: where the build is installed; DATA: folder of the data
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
import traceback
from pathlib import Path

from benchmarks.compare.cases import Case, all_cases

import bitsep


def main(site: Path, data: Path) -> None:
    # Only answers are written to standard output; everything else that is printed goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if not Path(bitsep.__file__).resolve().is_relative_to(site.resolve()):
        raise SystemExit(f"bitsep is imported from {bitsep.__file__}; expected it in {site}.")
    cases = {case.name: case for case in all_cases()}
    gc.freeze()  # so that garbage collection before every run skips the imported modules
    for line in sys.stdin:
        try:
            cpu, clock = timed(cases[json.loads(line)], data)
            answer: dict[str, int | str] = {"cpu_ns": cpu, "clock_ns": clock}
        except Exception:
            answer = {"error": traceback.format_exc()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def timed(case: Case, data: Path) -> tuple[int, int]:
    """Processor time, which other programs disturb least, and wall-clock time."""
    run = case.prepare(data)
    gc.collect()
    gc.disable()
    clock, cpu = time.perf_counter_ns(), time.process_time_ns()
    run()
    cpu, clock = time.process_time_ns() - cpu, time.perf_counter_ns() - clock
    gc.enable()
    return cpu, clock


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
