"""Cut points that are chosen automatically."""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.data.contract import EncodedData
from bitsep.data.discretization.column import values_of
from bitsep.data.discretization.points import equal_frequency
from bitsep.naming import Name


def automatic_points(data: EncodedData, columns: Sequence[Name], threads: int | None) -> dict[Name, list[float]]:
    """The cut points of these columns."""
    counter = data.counter(threads)
    bins = 3 if data.n < 500 else 4 if data.n < 5000 else 5
    return {
        name: equal_frequency(values_of(data.levels(name)), counter.level_counts(counter.places[name]), bins)
        for name in columns
    }
