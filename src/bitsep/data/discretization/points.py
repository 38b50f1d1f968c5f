"""Cut points of one column from its values and their counts: of equal frequency or equal width."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bitsep.data.discretization.column import Values
from bitsep.errors import DataError
from bitsep.naming import Name

Counts = NDArray[np.int64]

_SHORT = 6  # characters; a cut point that is at most so long is not rounded


def equal_frequency(values: Values, counts: Counts, bins: int) -> list[float]:
    """Cut points after the levels whose cumulative counts are closest to 1/bins, 2/bins, … of the rows.

    >>> equal_frequency(np.array([1.0, 2.0, 3.0, 4.0]), np.array([5, 1, 1, 3]), 2)
    [1.0]
    """
    if len(values) < 2:
        return []
    cumulative = np.cumsum(counts)
    targets = cumulative[-1] * np.arange(1, bins) / bins
    levels = {int(np.argmin(np.abs(cumulative[:-1] - target))) for target in targets}
    return [float(values[level]) for level in sorted(levels)]


def equal_width(name: Name, values: Values, bins: int) -> list[float]:
    """Cut points that divide the range of the values into intervals of equal length."""
    if not len(values):
        return []
    low, high = values[0], values[-1]
    if not (math.isfinite(low) and math.isfinite(high)):
        raise DataError(
            f"data: column {name!r} has an infinite value, so it has no intervals of equal width.",
            hint='Use method "equal-frequency".',
        )
    # Divided before subtracting, because the range can exceed the largest float.
    return [float(low + (high / bins - low / bins) * i) for i in range(1, bins)] if high > low else []


def separating(cuts: Sequence[float], values: Values, *, exact: bool = False) -> tuple[float, ...]:
    """The cut points that separate two values; of several between the same two values, one.

    Unless `exact`, they are rounded to few digits.
    """
    places = np.searchsorted(np.array(cuts), values, side="left")
    lasts = np.flatnonzero(np.diff(places))  # the last value below each cut point between two values
    chosen = ((cuts[int(places[i])], values[i], values[i + 1]) for i in lasts)
    return tuple(cut if exact else readable(cut, below, above) for cut, below, above in chosen)


def readable(cut: float, below: float, above: float) -> float:
    """The cut point, rounded to as few digits as possible between the two values; a short one is not changed.

    >>> readable(0.9748644562527897, 0.9748644562527897, 0.9762)
    0.975
    >>> readable(33.0, 33.0, 41.0)
    33.0
    """
    if len(repr(cut)) <= _SHORT or not math.isfinite(above):
        return cut
    for digits in range(1, 17):
        for number in (cut, below / 2 + above / 2):
            rounded = float(f"{number:.{digits}g}")
            if below <= rounded < above:
                return rounded
    return cut
