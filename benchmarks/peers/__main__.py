"""Compare bitsep with other libraries.

python -m benchmarks.peers            # all measurements; writes docs/benchmarks.md, docs/images, benchmarks/results
python -m benchmarks.peers --quick    # a minute; writes into build/bench-quick
python -m benchmarks.peers --only graphs,blankets    # keeps earlier results of the others
python -m benchmarks.peers --page     # only rewrites the page, from the last results
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.peers import history, machine, report
from benchmarks.peers.lab import Lab
from benchmarks.peers.settings import FULL, QUICK, Settings

ROOT = Path(__file__).parents[2]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--quick", action="store_true", help="small sizes, one network")
    asked.add_argument("--only", default=",".join(report.WORK), help="names of the measurements, separated by commas")
    asked.add_argument("--page", action="store_true", help="only rewrite the page")
    chosen = asked.parse_args()
    settings = QUICK if chosen.quick else FULL
    home = ROOT / "build" / "bench-quick" if chosen.quick else ROOT
    numbers = home / "benchmarks" / "results" / "peers.json"
    work = [name.strip() for name in chosen.only.split(",")]
    if unknown := set(work) - set(report.WORK):
        asked.error(f"--only: must be among {', '.join(report.WORK)}, got {', '.join(sorted(unknown))}.")
    if not chosen.page:
        run(settings, work, numbers)
    # Always read from the file, so that the page depends on nothing else.
    report.write(
        json.loads(numbers.read_text(encoding="utf-8")), home / "docs" / "benchmarks.md", home / "docs" / "images"
    )
    print(f"wrote {numbers.relative_to(ROOT)} and {(home / 'docs' / 'benchmarks.md').relative_to(ROOT)}")


def run(settings: Settings, work: list[str], numbers: Path) -> None:
    """Measure, replace the numbers, and append one line to the history.

    If a run is interrupted, both files have what was measured before.
    """
    numbers.parent.mkdir(parents=True, exist_ok=True)
    known = {} if set(work) == set(report.WORK) or not numbers.exists() else json.loads(numbers.read_text("utf-8"))
    sources = history.describe_sources()
    measured: list[str] = []
    found: dict[str, Any] = {}
    try:
        for name, found in _measure(settings, work, known):
            numbers.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            measured.append(name)
    finally:
        if measured:
            history.append(numbers.with_name("history.jsonl"), history.make_entry(found, measured, sources))


def _measure(settings: Settings, work: list[str], known: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield, after each measurement, its name and all results so far, including earlier ones."""
    start = time.monotonic()
    where = machine.describe()
    lab = Lab(settings)
    results: dict[str, Any] = dict(known.get("work", {}))
    try:
        for name in (name for name in report.WORK if name in work):
            results[name] = report.WORK[name].measure(lab)
            yield (
                name,
                {
                    "machine": where,
                    "quick": settings.quick,
                    "repetitions": settings.repetitions,
                    "minutes": known.get("minutes", 0.0) + (time.monotonic() - start) / 60,
                    "work": results,
                },
            )
    finally:
        lab.close()


if __name__ == "__main__":
    main()
