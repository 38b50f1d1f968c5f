"""Random small tables for hypothesis, and how the properties are run."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from twins.statistics import METHODS

# Fixed examples from run to run: a red build must be red for everyone.
quick = settings(deadline=None, max_examples=60, derandomize=True, suppress_health_check=list(HealthCheck))
thorough = settings(quick, max_examples=150)

Columns = dict[str, list[Any]]

methods = st.sampled_from(METHODS)


@st.composite
def tables(
    draw: st.DrawFn, *, names: str = "xyabc", max_rows: int = 40, max_levels: int = 4, missing: bool = False
) -> Columns:
    """Columns that partly copy each other, so that all of independence, dependence and functions turn up."""
    n = draw(st.integers(1, max_rows))
    rng = random.Random(draw(st.integers(0, 2**32)))  # a draw per cell would make generating and shrinking slow
    columns: Columns = {}
    for name in names:
        levels = draw(st.integers(1, max_levels))
        noise = draw(st.sampled_from([0.0, 0.2, 0.6, 1.0]))
        source = draw(st.sampled_from(sorted(columns))) if columns else None
        column = []
        for i in range(n):
            copied = source is not None and rng.random() >= noise
            column.append(hash((levels, columns[source][i])) % levels if copied else rng.randrange(levels))
        columns[name] = column
    if missing:
        for column in columns.values():
            rate = draw(st.sampled_from([0.0, 0.1, 0.4]))
            column[:] = [None if rng.random() < rate else value for value in column]
    return columns
