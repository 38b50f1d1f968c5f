"""Consensus graphs with other limits, from the runs of `accuracy.confidence_runs`: python -m accuracy.consensus."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple

import numpy as np

from accuracy.confidence import consensus, probabilities, shd, single
from accuracy.confidence_pairs import Run, load
from accuracy.confidence_runs import HELD_OUT, SEARCHES
from bitsep.discovery.calibration import BY_SCORE, BY_TESTS, Coefficients

LIMITS = ((0.5, 0.75), (0.5, math.inf), (0.3, 0.75), (0.2, 0.75), (0.0, 0.75), (0.0, math.inf))
"""The least probability of an edge of the graph, and of another edge; the first line is what bitsep does."""


def difference(runs: Sequence[Run], coefficients: Coefficients, limits: tuple[float, float]) -> tuple[float, float]:
    """The mean of SHD of the consensus graph less that of the graph, and its standard error."""
    drawn_limit, other_limit = limits
    found = []
    for run in runs:
        p = probabilities(run, astuple(coefficients))
        graph = consensus(run, p, lambda p, drawn: p >= (drawn_limit if drawn else other_limit))
        found.append(shd(run, graph) - shd(run, single(run)))
    return float(np.mean(found)), float(np.std(found, ddof=1) / math.sqrt(len(found)))


def main() -> int:
    """Print the table."""
    print("| search | least probability: edge of the graph | other edge | bundled networks | not bundled |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for search in SEARCHES:
        runs = [run for run in load(search) if not run.has_few_edges]
        coefficients = BY_TESTS if search.startswith("pc_stable") else BY_SCORE
        groups = [[run for run in runs if (run.network in HELD_OUT) == wanted] for wanted in (False, True)]
        groups = [group for group in groups if group]
        for limits in LIMITS if runs else ():
            shown = ["{:+.2f} ± {:.2f}".format(*difference(group, coefficients, limits)) for group in groups]
            least = ["none" if limit == math.inf else f"{limit:.2f}" for limit in limits]
            print(f"| `{search}` | {' | '.join(least + shown)} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
