"""How long bootstrap samples take: 1,000 of PC-stable and 200 of the recommended search, Alarm, 10,000 rows.

Usage: python -m benchmarks.bootstrap [--threads 2] [--repetitions 3]     prints a table of docs/confidence.md

Elapsed time depends on what else the machine does; the processor time, divided by the number of threads, hardly does.
The search of the table itself is included.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import bitsep

CASES = (("pc_stable", 1000), ("discover", 200), ("hill_climb", 200))
ROWS = 10_000


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    asked = parser.parse_args()
    table = bitsep.Table(bitsep.load_network("alarm").sample(ROWS, seed=1))
    print(f"| search | bootstrap samples | seconds | processor seconds | the same / {asked.threads} |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for search, samples in CASES:
        find = getattr(bitsep, search)
        find(table, bootstrap=2, threads=asked.threads)  # the first call loads modules
        elapsed, used = [], []
        for _ in range(asked.repetitions):
            begin, begin_used = time.perf_counter(), time.process_time()
            find(table, bootstrap=samples, threads=asked.threads)
            elapsed.append(time.perf_counter() - begin)
            used.append(time.process_time() - begin_used)
        share = median(used) / asked.threads
        print(f"| `{search}` | {samples:,} | {median(elapsed):.1f} | {median(used):.1f} | {share:.1f} |", flush=True)


if __name__ == "__main__":
    main()
