"""Conditional probabilities and the likelihood, row by row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from twins.counts import Columns


def probability(
    columns: Columns, variable: str, level: object, stratum: Mapping[str, object], levels: int, prior: float
) -> float:
    """The smoothed share of a level in the rows of a stratum; rows with a missing value are left out."""
    n_rows = len(columns[variable])
    rows = [
        columns[variable][i]
        for i in range(n_rows)
        if columns[variable][i] is not None and all(columns[name][i] == value for name, value in stratum.items())
    ]
    if len(rows) + prior == 0:
        return 1 / levels
    return (rows.count(level) + prior / levels) / (len(rows) + prior)


def log2_likelihood(
    columns: Columns,
    parents: Mapping[str, Sequence[str]],
    fitted_on: Columns,
    levels: Mapping[str, int],
    prior: float,
) -> float:
    """The sum over variables of the average over complete rows, times the rows in which the variable has a value."""
    total = 0.0
    for name, above in parents.items():
        logs = []
        for i, value in enumerate(columns[name]):
            stratum = {parent: columns[parent][i] for parent in above}
            if value is not None and None not in stratum.values():
                logs.append(math.log2(probability(fitted_on, name, value, stratum, levels[name], prior)))
        observed = sum(value is not None for value in columns[name])
        total += math.fsum(logs) * (observed / len(logs))
    return total
