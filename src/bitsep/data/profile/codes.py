"""Numbers that stand for missing values, such as -99 on a scale from 1 to 5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from bitsep.checks import real_number

_LARGE = (77, 88, 97, 98, 99, 777, 888, 998, 999, 7777, 8888, 9998, 9999, 99999, 999999)
_CODES = frozenset({-1, -7, -8, -9, *_LARGE, *(-number for number in _LARGE)})
_MIN_ROWS = 3


def missing_numbers(levels: Sequence[Any], rows: npt.NDArray[Any]) -> list[int]:
    """The usual codes that lie far outside the range of the other numbers, each in at least three rows.

    Parameters
    ----------
    levels
        The levels of a numeric column, in canonical order.
    rows
        The number of rows of each level.

    Returns
    -------
    list
        The codes whose distance from the range of all numbers that are no codes is larger than this range, if there
        are at least two such numbers.

    Examples
    --------
    >>> import numpy as np
    >>> missing_numbers([-99, -77, 1, 2, 5], np.full(5, 9)), missing_numbers([0, 61, 95, 99, 999], np.full(5, 9))
    ([-99, -77], [999])
    >>> missing_numbers([-1, 0, 5], np.full(3, 9)), missing_numbers([-1, 1], np.full(2, 9))
    ([], [])
    """
    first, last = 0, len(levels) - 1
    while first < last and levels[first] in _CODES:
        first += 1
    while first < last and levels[last] in _CODES:
        last -= 1
    low, high = (real_number(levels[i]) or 0.0 for i in (first, last))
    if low == high:
        return []
    outside = [i for i in (*range(first), *range(last + 1, len(levels))) if rows[i] >= _MIN_ROWS]
    codes = [int(levels[i]) for i in outside]
    return [code for code in codes if max(low - code, code - high) > high - low]
