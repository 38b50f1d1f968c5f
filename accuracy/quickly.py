"""Compare searches quickly, on the samples of the benchmark: mean ± standard error per network and number of rows.

python -m accuracy.quickly --searches boss:score=fnml boss:score=bdeu,structure=False
python -m accuracy.quickly --searches my_module.search --cells alarm:500 hepar2:2000 --samples 10
python -m accuracy.quickly --searches pc_stable:orientation=majority --metric cpdag_f1 --results build/try.jsonl

The cells "standard" are the 13 of the comparison with published figures; "sum" is over the 11 that have one. "–" means
that no run gave a graph; "(2)" means that only 2 samples did.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from accuracy import metrics
from accuracy.plan import Series
from accuracy.progress import report
from accuracy.published import FURTHER, STANDARD
from accuracy.runner import MAX_PROCESSES, run_all
from accuracy.runs import Runs
from accuracy.samples import network_names
from accuracy.searches import parse
from accuracy.statistics import Mean
from bitsep.errors import ArgumentError, BitsepError

Cell = tuple[str, int]

_STANDARD: list[Cell] = [(one.network, one.rows) for one in (*STANDARD, *FURTHER)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(
        "python -m accuracy.quickly", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--searches", nargs="+", required=True, metavar="NAME[:OPTION=VALUE,…]", help="what to compare")
    parser.add_argument("--cells", nargs="+", default=["standard"], metavar="NETWORK:ROWS", help="or: standard")
    parser.add_argument("--samples", type=int, default=3, help="samples per cell (default 3)")
    parser.add_argument("--first", type=int, default=0, help="number of the first sample (default 0)")
    parser.add_argument("--metric", choices=tuple(metrics.TITLES), default="shd", help="the figure to print")
    parser.add_argument("--processes", type=int, default=MAX_PROCESSES, help="default 2, each with one thread")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep the results; continues a file that exists")
    asked = parser.parse_args(arguments)
    try:
        cells = _cells(asked.cells)
        runs = run_cells(asked.searches, cells, asked.samples, asked.first, asked.processes, Runs(asked.results))
    except BitsepError as error:
        parser.error(str(error))
    print("\n".join(table(runs, asked.searches, cells, asked.metric)))
    return 0


def run_cells(
    searches: Sequence[str],
    cells: Sequence[Cell],
    samples: int = 3,
    first: int = 0,
    processes: int = MAX_PROCESSES,
    runs: Runs | None = None,
) -> Runs:
    """Run searches in some cells."""
    runs = Runs() if runs is None else runs
    parsed = [parse(text) for text in searches]
    for search in parsed:
        search.prepare()  # complain before the first run
    plan = []
    for network in dict.fromkeys(network for network, _ in cells):
        sizes = tuple(sorted(rows for name, rows in cells if name == network))
        plan += [Series(search, network, sizes, samples, first) for search in parsed]
    run_all(plan, runs, processes, report)
    return runs


def table(runs: Runs, searches: Sequence[str], cells: Sequence[Cell], metric: str = "shd") -> list[str]:
    """A line per cell, a column per search, and the sums of what is comparable with published figures."""
    digits = 3 if metric.endswith("f1") else 1
    lines = [["network", "rows", *searches, "published"]]
    published = {(one.network, one.rows): one.shd for one in (*STANDARD, *FURTHER)}
    means: dict[str, dict[Cell, Mean]] = {search: {} for search in searches}
    for cell in cells:
        line = [cell[0], f"{cell[1]:,}"]
        for search in searches:
            mine = runs.of(search, *cell)
            values = [value for run in mine if (value := getattr(run, metric)) is not None and run.outcome == "found"]
            if values:
                means[search][cell] = Mean.of(values)
                short = f" ({len(values)})" if len(values) < len(mine) else ""
                line.append(means[search][cell].format(digits) + short)
            else:
                line.append("–")
        known = published.get(cell) if metric == "shd" else None
        lines.append([*line, "" if known is None else f"{known:.1f}"])
    compared = [cell for cell in cells if published.get(cell) is not None]
    if compared:
        sums = [
            Mean.sum_of(means[search][cell] for cell in compared).format(digits)
            if all(cell in means[search] for cell in compared)
            else "–"
            for search in searches
        ]
        total = f"{sum(published[cell] or 0 for cell in compared):.1f}" if metric == "shd" else ""
        lines.append(["sum", f"of {len(compared)}", *sums, total])
    taken = [f"{sum(run.seconds for cell in cells for run in runs.of(search, *cell)):.1f}" for search in searches]
    lines.append(["seconds", "in all", *taken, ""])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return ["  ".join(value.ljust(width) for value, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _cells(texts: Sequence[str]) -> list[Cell]:
    cells: list[Cell] = []
    for text in texts:
        if text == "standard":
            cells += _STANDARD
            continue
        network, _, rows = text.partition(":")
        if network not in network_names() or not rows.isdecimal():
            raise ArgumentError(
                f"--cells: must be 'standard' or a network and a number of rows such as 'alarm:500', got {text!r}.",
                hint=f"The networks are {', '.join(network_names())}.",
            )
        cells.append((network, int(rows)))
    return list(dict.fromkeys(cells))


if __name__ == "__main__":
    sys.exit(main())
