"""Measure how close learned graphs come to known networks.

python -m accuracy                          # runs what is missing, then writes docs/accuracy.md
python -m accuracy --only 'alarm/*' '*/boss'    # networks and searches, with wildcards
python -m accuracy --only '*/discover' --again  # discards the results of these and measures them again
python -m accuracy --page                   # only rewrites the page, from the results
python -m accuracy --list                   # what there is to run, and how much of it is done
python -m accuracy --quick                  # a few small networks, into build/accuracy-quick; checks the figures

Every run is written to accuracy/results/runs.jsonl at once: a run that was stopped continues where it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from accuracy import page, quick
from accuracy.plan import Series, full_plan, is_given_up
from accuracy.progress import report
from accuracy.runner import MAX_PROCESSES, run_all
from accuracy.runs import Runs
from bitsep.errors import BitsepError

ROOT = Path(__file__).parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code: 0, 1 if figures lie outside their ranges, 130 if interrupted."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    home = asked.out or (ROOT / "build" / "accuracy-quick" if asked.quick else ROOT)
    try:
        plan = [series for series in (quick.plan() if asked.quick else full_plan()) if _is_wanted(series, asked.only)]
        if not plan:
            parser.error(f"--only: must name networks and searches of the benchmark, got {' '.join(asked.only)}.")
        runs = Runs(home / "accuracy" / "results" / "runs.jsonl")
        if asked.list:
            print("\n".join(_state(series, runs) for series in plan))
            return 0
        if not asked.page:
            _measure(plan, runs, asked.again, asked.processes)
    except BitsepError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("Interrupted; the same command continues.", file=sys.stderr)
        return 130
    print(f"Wrote {page.write(runs, home / 'docs', quick=asked.quick)}.")
    wrong = quick.outside_ranges(runs) if asked.quick and not asked.only else []
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m accuracy", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="NETWORK/SEARCH", help="run only these")
    parser.add_argument("--again", action="store_true", help="discard the results of what is run")
    parser.add_argument("--page", action="store_true", help="only write the page")
    parser.add_argument("--list", action="store_true", help="list what there is to run")
    parser.add_argument("--quick", action="store_true", help="small networks and samples; checks the figures")
    parser.add_argument("--processes", type=int, choices=range(1, MAX_PROCESSES + 1), default=MAX_PROCESSES)
    parser.add_argument("--out", type=Path, metavar="DIR", help="where accuracy/results and docs are written")
    return parser


def _is_wanted(series: Series, patterns: Sequence[str]) -> bool:
    names = (series.search.text, series.search.text.partition(":")[0])
    return not patterns or any(fnmatchcase(f"{series.network}/{name}", one) for one in patterns for name in names)


def _measure(plan: Sequence[Series], runs: Runs, again: bool, processes: int) -> None:
    """Run what is missing. Other libraries that are not installed are left out; a search of bitsep must exist."""
    left_out = sorted({series.search.missing or "" for series in plan if series.search.is_peer} - {""})
    for reason in left_out:
        print(f"Left out: {reason}", file=sys.stderr)
    plan = [series for series in plan if not (series.search.is_peer and series.search.missing)]
    for series in plan:
        if not series.search.is_peer:
            series.search.prepare()  # raises an error if the search does not exist
    if again:
        unwanted = {(series.search.text, series.network) for series in plan}
        runs.discard(lambda run: (run.search, run.network) in unwanted)
    try:
        run_all(plan, runs, processes, report)
    finally:
        runs.rewrite()


def _state(series: Series, runs: Runs) -> str:
    cells = [runs.of(series.search.text, series.network, rows) for rows in series.sizes]
    done = sum(map(len, cells))
    if any(map(is_given_up, cells)):
        note = "given up after time-outs"
    elif all(series.next_sample(cell) is None for cell in cells):
        note = "finished"
    else:
        note = series.search.missing or ""
    wanted = len(series.sizes) * series.samples
    return f"{series.network}/{series.search.text}  {done} of {wanted} runs  {note}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
