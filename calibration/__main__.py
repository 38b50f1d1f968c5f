"""Measure how well tests keep their significance level, and their power.

python -m calibration                       # measures the cells that are missing, then writes docs/calibration.md
python -m calibration --again               # after a change of a test: discards the results and measures again
python -m calibration --only 'skewed/*'     # some cells, with wildcards
python -m calibration --page                # only rewrites the page, from the results
python -m calibration --quick               # a few cells and fewer data sets, into build/calibration-quick

Every cell is written to calibration/results/cells.jsonl at once: a run that was stopped continues where it was. The
exit code is 1 if `x2_calibrated` does not keep its level or its power.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from calibration import page, quick
from calibration.cells import Cell, Sizes, all_cells
from calibration.figures import failures
from calibration.results import Results, measure

ROOT = Path(__file__).parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code: 0, 1 if something is not kept, 130 if interrupted."""
    parser = argparse.ArgumentParser(
        "python -m calibration", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="CELL", help="measure only these")
    parser.add_argument("--again", action="store_true", help="discard the results of what is measured")
    parser.add_argument("--page", action="store_true", help="only write the page")
    parser.add_argument("--quick", action="store_true", help="a few cells and fewer data sets")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where calibration/results and docs are written")
    asked = parser.parse_args(arguments)
    home = asked.out or (ROOT / "build" / "calibration-quick" if asked.quick else ROOT)
    grid, sizes = (quick.CELLS, quick.SIZES) if asked.quick else (all_cells(), Sizes())
    cells = [cell for cell in grid if not asked.only or any(fnmatchcase(cell.name, one) for one in asked.only)]
    if not cells:
        parser.error(f"--only: must name cells such as skewed/3x3x16/200, got {' '.join(asked.only)}.")
    results = Results(home / "calibration" / "results" / "cells.jsonl")
    try:
        if not asked.page:
            _measure(cells, sizes, results, asked.again)
    except KeyboardInterrupt:
        print("Interrupted; the same command continues.", file=sys.stderr)
        return 130
    print(f"Wrote {page.write(list(results), sizes, home / 'docs')}.")
    wrong = [sentence for result in results for sentence in failures(result)]
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


def _measure(cells: Sequence[Cell], sizes: Sizes, results: Results, again: bool) -> None:
    if again:
        results.discard(cells)
    gc.disable()  # there are no cycles among millions of results, and looking for them takes time
    missing = sorted((cell for cell in cells if cell not in results), key=lambda one: one.strata * one.levels**2)
    for number, cell in enumerate(missing, 1):
        start = time.process_time()
        result = measure(cell, sizes)
        if failures(result):  # for a check that fails, permutation tests of all data sets
            result = measure(cell, replace(sizes, permutation_runs=sizes.runs))
        results.add(result)
        print(f"{number} of {len(missing)}  {cell.name}  {time.process_time() - start:.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
