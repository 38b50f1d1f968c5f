"""One line on stderr per finished cell."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from accuracy.runs import Run
from accuracy.statistics import Mean


def report(cell: Sequence[Run]) -> None:
    """Print the outcome of a cell."""
    first = cell[0]
    found = [run for run in cell if run.outcome == "found"]
    parts = []
    if found:
        parts.append(f"SHD {Mean.of([run.shd or 0 for run in found]).format()}")
    parts += [f"{count} × {outcome}" for outcome, count in Counter(run.outcome for run in cell).items()]
    parts.append(f"{sum(run.seconds for run in cell) / len(cell):.3g} s per run")
    if messages := {run.message for run in cell if run.message}:
        parts.append(sorted(messages)[0])
    print(f"{first.network} {first.rows:,} {first.search}: {', '.join(parts)}", file=sys.stderr, flush=True)
