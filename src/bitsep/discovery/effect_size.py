"""The size of an effect, which does not grow with the number of rows: bits per row, as a share of the entropy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.complexity import entropy_bits


def entropy_per_row(counts: npt.NDArray[Any]) -> float:
    """The entropy of a column in bits per row that has a value, from the counts of its levels."""
    total = counts.sum()
    # Sorted, so that the rounding of the sum does not depend on the order of the levels.
    return float(entropy_bits(np.sort(counts)) / total) if total else 0.0


def entropy_share(bits_per_row: float, *entropies: float) -> float | None:
    """Bits per row as a share of the smaller entropy, between 0 and 1; None if that entropy is 0.

    Two variables cannot share more than the smaller of their entropies, whatever is given. The share can lie outside of
    0 and 1 before it is limited, if values are missing or the bits include the length of a code.

    >>> entropy_share(0.5, 1.0, 2.0), entropy_share(-0.1, 1.0), entropy_share(0.5, 0.0, 1.0)
    (0.5, 0.0, None)
    """
    smaller = min(entropies)
    return min(max(bits_per_row / smaller, 0.0), 1.0) if smaller > 0 else None
