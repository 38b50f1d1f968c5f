"""Run the fuzz targets of native/fuzz, built by the preset `fuzz`, one after the other.

python tools/fuzz.py --seconds 60            # divided among the targets, with new seeds, which are printed
python tools/fuzz.py --seconds 600 --record  # adds executions and seeds to native/fuzz/runs.jsonl
python tools/fuzz.py --only math scores      # some targets
python tools/fuzz.py --total                 # prints the executions recorded so far, by target
python tools/fuzz.py --merge                 # copies inputs of build/fuzz that reach new code to native/fuzz/corpus

Inputs that reach new code are kept in build/fuzz; an input that fails is written there, too, and its name printed.
The exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORPUS, RECORD, WORK = ROOT / "native/fuzz/corpus", ROOT / "native/fuzz/runs.jsonl", ROOT / "build/fuzz"
TARGETS = [path.stem.removesuffix("_fuzz") for path in sorted((ROOT / "native/fuzz").glob("*_fuzz.cpp"))]
LENGTHS = {"math": 24, "scores": 40, "tests": 40, "search": 40, "skeleton": 16}  # bytes of an input; others: 64
# Less memory is kept back after it was freed than by default, so that it stays in the caches of the processor.
SANITIZER_OPTIONS = {"ASAN_OPTIONS": "quarantine_size_mb=2:malloc_context_size=8"}
MOST_KEPT = 25  # inputs of a target in the repository


def main() -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="of all targets together")
    parser.add_argument("--only", nargs="+", default=TARGETS, choices=TARGETS, metavar="TARGET")
    parser.add_argument("--seed", type=int, help="by default a new one for each run")
    parser.add_argument("--build", type=Path, default=ROOT / "build/native/fuzz", help="where the programs are")
    parser.add_argument("--sanitizers", default="address, undefined", help="what is recorded about the build")
    parser.add_argument("--record", action="store_true", help="add the runs to native/fuzz/runs.jsonl")
    parser.add_argument("--total", action="store_true", help="only print what is recorded")
    parser.add_argument("--merge", action="store_true", help="only update native/fuzz/corpus")
    asked = parser.parse_args()
    if asked.total:
        print_total()
        return 0
    if asked.merge:
        for target in asked.only:
            merge(target, asked.build)
        return 0
    results = [run(target, asked) for target in asked.only]
    return 0 if all(results) else 1


def run(target: str, asked: argparse.Namespace) -> bool:
    """Run one target; whether nothing failed."""
    seed = asked.seed or random.SystemRandom().randrange(1, 2**31)
    seconds = max(1, round(asked.seconds / len(asked.only)))
    work = WORK / target
    work.mkdir(parents=True, exist_ok=True)
    command = [
        asked.build / f"{target}_fuzz", f"-max_total_time={seconds}", f"-seed={seed}", "-timeout=60", "-reload=0",
        f"-max_len={LENGTHS.get(target, 64)}", "-entropic_scale_per_exec_time=1", "-print_final_stats=1",
        f"-artifact_prefix={WORK}/{target}-", work, *([CORPUS / target] if (CORPUS / target).is_dir() else []),
    ]  # fmt: skip
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=os.environ | SANITIZER_OPTIONS,
    )
    found = re.search(r"number_of_executed_units: *(\d+)", done.stderr)
    executions = int(found[1]) if found else 0
    print(f"{target}: {executions:,} executions in {seconds} s, seed {seed}", flush=True)
    if done.returncode != 0:
        print(done.stderr[-4000:], file=sys.stderr)
        return False
    if asked.record:
        line = {
            "target": target,
            "seed": seed,
            "executions": executions,
            "seconds": seconds,
            "sanitizers": asked.sanitizers,
        }
        with RECORD.open("a") as file:
            file.write(json.dumps(line) + "\n")
    return True


def print_total() -> None:
    """Print executions by target and of all."""
    by_target: dict[str, list[int]] = defaultdict(list)
    for line in RECORD.read_text().splitlines():
        one = json.loads(line)
        by_target[one["target"]].append(one["executions"])
    for target, executions in sorted(by_target.items()):
        print(f"{target}: {sum(executions):,} executions in {len(executions)} runs")
    print(f"all: {sum(map(sum, by_target.values())):,}")


def merge(target: str, build: Path) -> None:
    """Keep inputs of all lengths that reach code which the others do not."""
    kept = CORPUS / target
    kept.mkdir(parents=True, exist_ok=True)
    command = [build / f"{target}_fuzz", "-merge=1", kept, WORK / target]
    subprocess.run(list(map(str, command)), capture_output=True, check=True)
    paths = sorted(kept.iterdir(), key=lambda path: (path.stat().st_size, path.name))
    for path in set(paths) - {paths[i * len(paths) // MOST_KEPT] for i in range(MOST_KEPT)}:
        path.unlink()


if __name__ == "__main__":
    sys.exit(main())
