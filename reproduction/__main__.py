"""`python -m reproduction`: run the paper's experiments, and print which of its claims hold."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from bitsep.errors import BitsepError
from reproduction.catalog import EXPERIMENTS
from reproduction.claims import Verdict
from reproduction.entry import Report, Reproduction, reproduce
from reproduction.page import tally

_SIGNS = {
    "holds": ("✓", "green"),
    "partly": ("~", "yellow"),
    "does not hold": ("✗", "red"),
    "misprint": ("!", "yellow"),
    "not decided": ("?", "yellow"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, 2 for bad input, 130 when interrupted."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.list:
        titles = {name: experiment.title for name, experiment in EXPERIMENTS.items()}
        lines = [f"{name:<20}{title}" for name, title in titles.items()]
        print(json.dumps(titles, ensure_ascii=False) if asked.json else "\n".join(lines))
        return 0
    try:
        with _bars() as progress:
            made = reproduce(
                asked.names, "quick" if asked.quick else "full", out=asked.out, threads=asked.threads,
                resume=asked.resume, progress=progress,
            )  # fmt: skip
    except BitsepError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("interrupted; --resume continues", file=sys.stderr)
        return 130
    if asked.json:
        print(json.dumps(made.to_dict(), ensure_ascii=False))
    else:
        _print(made)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m reproduction", description=__doc__)
    parser.add_argument("names", metavar="EXPERIMENT", nargs="*", help="experiments to run; all by default")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("build/reproduction"), help="output folder")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="fewer repetitions: a minute or two instead of half an hour; single verdicts may differ",
    )
    parser.add_argument("--resume", action="store_true", help="continue a run that was stopped")
    parser.add_argument("--list", action="store_true", help="list the experiments and exit")
    parser.add_argument("--threads", metavar="N", type=int, help="worker processes; one per processor by default")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


@contextmanager
def _bars() -> Iterator[Report]:
    """A progress bar per experiment on stderr; rich shows none where that is not a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {}

        def callback(stage: str, finished: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=finished)

        yield callback


def _print(made: Reproduction) -> None:
    console = Console(highlight=False)
    for verdict in sorted(made.claims, key=lambda verdict: verdict.claim.ours):
        sign, color = _SIGNS[verdict.outcome]
        console.print(Text(f"{sign} ", style=f"bold {color}") + Text(_stated(verdict)))
        if verdict.difference:
            console.print(Text(f"  {verdict.difference}", style="dim"))
    for line in tally(made.claims):
        console.print(Text(line, style="bold"))
    console.print(f"Everything is on {made.page}")


def _stated(verdict: Verdict) -> str:
    where = "not in the paper" if verdict.claim.ours else f"paper, {verdict.claim.section}"
    return f"{verdict.claim.statement} ({where})"


if __name__ == "__main__":
    sys.exit(main())
