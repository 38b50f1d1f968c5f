"""Compare the speed of the working tree with that of a commit.

Usage: python -m benchmarks.compare BASE [--only TEXT …] [--repetitions N] [--rounds N] [--list]

Exit code 0: the geometric mean of the ratios is at most 1.05 and none is above 1.10; 1: otherwise, or a case failed
in the working tree; 2: a build failed. A case that fails in the base is left out: it may have been added later.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.compare.builds import BuildError, build_commit, build_working_tree, commit_of
from benchmarks.compare.cases import all_cases
from benchmarks.compare.data import write_data
from benchmarks.compare.ratios import as_text, compare, geometric_mean, passes
from benchmarks.compare.turns import take_turns

REPETITIONS = 51
ROUNDS = 6


def main() -> int:
    arguments = _arguments()
    chosen = [
        name
        for name in (case.name for case in all_cases())
        if not arguments.only or any(text in name for text in arguments.only)
    ]
    if not chosen:
        print(f"--only: no case has any of {arguments.only} in its name; --list shows all names.", file=sys.stderr)
        return 2
    if arguments.list:
        print("\n".join(chosen))
        return 0
    start = time.monotonic()
    try:
        commit = commit_of(arguments.base)
        print(f"base: {commit}", flush=True)
        base, new = build_commit(commit), build_working_tree()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"built in {time.monotonic() - start:.0f} s", flush=True)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bitsep-compare-") as data:
        write_data(Path(data))
        measured = take_turns(base, new, Path(data), chosen, arguments.repetitions, arguments.rounds)
    compared, on_clock, failed = [], [], False
    for name, times in measured.items():
        if times.error is not None:
            print(f"{name}: not compared, because it failed in {times.error}", file=sys.stderr)
            failed = failed or times.error.label == "new"
            continue
        compared.append(compare(name, [one.cpu_ns for one in times.base], [one.cpu_ns for one in times.new]))
        on_clock.append(compare(name, [one.clock_ns for one in times.base], [one.clock_ns for one in times.new]))
    if not compared:
        return 1
    print(as_text(compared))
    print(f"wall clock      {geometric_mean(on_clock):.3f}  (geometric mean, disturbed by other programs)")
    print(f"{max(len(times.base) for times in measured.values())} repetitions, {time.monotonic() - start:.0f} s")
    return 0 if passes(compared) and not failed else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-compare", description="Compare the speed of two builds.")
    parser.add_argument("base", help="commit to compare the working tree with")
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="only cases whose name contains one of these texts")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help=f"per case (default {REPETITIONS})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"starts of new processes (default {ROUNDS})")
    parser.add_argument("--list", action="store_true", help="print the names of the cases and exit")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
