"""Cut points that are chosen automatically: of equal frequency, their number by the number of rows.

docs/discretizing.md compares this choice with others, also by description length, on tables with a known graph.
"""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.data.contract import EncodedData
from bitsep.data.discretization.column import values_of
from bitsep.data.discretization.points import equal_frequency
from bitsep.naming import Name

_FEWEST = 3  # intervals; with two, only monotone relations can be seen
_MORE_FROM = (500, 5_000)  # rows, from each of which on there is one interval more


def automatic_points(data: EncodedData, columns: Sequence[Name], threads: int | None) -> dict[Name, list[float]]:
    """The cut points of these columns."""
    counter = data.counter(threads)
    bins = automatic_bins(data.n)
    return {
        name: equal_frequency(values_of(data.levels(name)), counter.level_counts(counter.places[name]), bins)
        for name in columns
    }


def automatic_bins(rows: int) -> int:
    """The number of intervals for this many rows.

    >>> automatic_bins(100), automatic_bins(500), automatic_bins(10**6)
    (3, 4, 5)
    """
    return _FEWEST + sum(rows >= more for more in _MORE_FROM)
