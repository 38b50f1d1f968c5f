"""Compare every statistic and every score, in every setting, with the slow twins on random and awkward tables.

python -m differential                        # 20 seconds in memory, with a new seed, which is printed
python -m differential --cases 1000000        # until so many comparisons are made
python -m differential --backend stream       # on the stream; --backend spark
python -m differential --kinds many_levels    # some kinds of tables
python -m differential --record               # adds the run to differential/results/runs.jsonl

A case is one statistic or score of one question about one table, in one setting: kernel, way of counting, number of
threads, counts made elsewhere. Answers must equal the twin's up to rounding, and each other to the last bit. A case
that differs is made smaller and written to tests/differential/found; the tests try these cases from then on. The exit
code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from differential import backends, memory
from differential.shrink import shrink
from differential.tables import KINDS, Case, random_case

ROOT = Path(__file__).parents[1]
RECORD, FOUND = ROOT / "differential/results/runs.jsonl", ROOT / "tests/differential/found"
SPARK_TESTS = range(11)  # each takes a job per table

Compare = Callable[[Case], tuple[int, int, list[str]]]


def main() -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(
        "python -m differential", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--cases", type=int, help="instead of the seconds")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--backend", choices=["memory", "stream", "spark"], default="memory")
    parser.add_argument("--kinds", nargs="+", choices=sorted(KINDS), help="the kinds of tables")
    parser.add_argument("--record", action="store_true", help="add the run to differential/results/runs.jsonl")
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    with backends.spark() if asked.backend == "spark" else nullcontext(backends.stream) as opened:
        if asked.backend == "memory":
            return run(asked, memory.compare)
        tests = SPARK_TESTS if asked.backend == "spark" else None
        return run(asked, lambda case: backends.compare(case, opened, tests))


def run(asked: argparse.Namespace, compare: Compare) -> int:
    """Compare until the time is over or enough cases are tried."""
    draw, began = random.Random(asked.seed), time.perf_counter()
    tables = cases = twins = failures = 0

    def goes_on() -> bool:
        return cases < asked.cases if asked.cases else time.perf_counter() - began < asked.seconds

    while goes_on():
        case = random_case(draw, tuple(asked.kinds) if asked.kinds else None)
        compared, values, wrong = compare(case)
        tables, cases, twins = tables + 1, cases + compared, twins + values
        if wrong:
            failures += 1
            keep(case, wrong, compare)
            if failures >= 5:
                break
    seconds = round(time.perf_counter() - began)
    counted = f"{cases:,} cases, {twins:,} values of twins, {tables:,} tables"
    print(f"{asked.backend}: {counted}, {failures} differ, {seconds} s")
    if asked.record:
        line: dict[str, Any] = {"backend": asked.backend, "seed": asked.seed, "kinds": asked.kinds, "cases": cases,
                                "twins": twins, "tables": tables, "differ": failures, "seconds": seconds}  # fmt: skip
        RECORD.parent.mkdir(exist_ok=True)
        with RECORD.open("a") as file:
            file.write(json.dumps(line) + "\n")
    return 1 if failures else 0


def keep(case: Case, wrong: list[str], compare: Compare) -> None:
    """Print what differs and write the case, made smaller, to a file."""
    print("\n".join(wrong[:10]), file=sys.stderr)
    smaller = shrink(case, lambda one: bool(compare(one)[2])) if case.rows < 2000 else case
    FOUND.mkdir(parents=True, exist_ok=True)
    text = json.dumps(smaller.as_dict())
    path = FOUND / f"{case.kind}-{abs(hash(text)) % 10**8}.json"
    path.write_text(text + "\n")
    print(f"Wrote {path}: {compare(smaller)[2][:3]}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
