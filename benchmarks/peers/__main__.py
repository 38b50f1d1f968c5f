"""bitsep beside its peers.

python -m benchmarks.peers            # everything; writes docs/benchmarks.md, docs/images, benchmarks/results
python -m benchmarks.peers --quick    # a minute; writes into build/bench-quick
python -m benchmarks.peers --only graphs,blankets    # the rest stays as it was measured before
python -m benchmarks.peers --page     # the page anew from the numbers of the last run
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
    asked.add_argument("--only", default=",".join(report.WORK), help="which work, by name, separated by commas")
    asked.add_argument("--page", action="store_true", help="only write the page again")
    chosen = asked.parse_args()
    settings = QUICK if chosen.quick else FULL
    home = ROOT / "build" / "bench-quick" if chosen.quick else ROOT
    numbers = home / "benchmarks" / "results" / "peers.json"
    work = [name.strip() for name in chosen.only.split(",")]
    if unknown := set(work) - set(report.WORK):
        asked.error(f"no work called {', '.join(sorted(unknown))}; there is: {', '.join(report.WORK)}")
    if not chosen.page:
        run(settings, work, numbers)
    # Read back in any case, so that the page never depends on more than the file holds.
    report.write(
        json.loads(numbers.read_text(encoding="utf-8")), home / "docs" / "benchmarks.md", home / "docs" / "images"
    )
    print(f"wrote {numbers.relative_to(ROOT)} and {(home / 'docs' / 'benchmarks.md').relative_to(ROOT)}")


def run(settings: Settings, work: list[str], numbers: Path) -> None:
    """Measure, replace the numbers, and append one line to the history beside them.

    Both also hold what was measured before a run was interrupted.
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
    """After each piece of work its name and all that is known, with what was known before."""
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
