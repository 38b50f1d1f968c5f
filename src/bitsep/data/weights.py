"""Row weights: the counts of a frequency table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitsep._native import level_counts
from bitsep.checks import real_number, shown
from bitsep.data.encode import Coded, Rules, encode
from bitsep.data.levels import Level, Missing
from bitsep.errors import DataError

LARGEST_SUM = 1 << 56
"""Of the weights of a table: n log2 n then fits into the sums of the native core."""


def read_weights(label: str, coded: Coded) -> NDArray[np.int64]:
    """The weight of every row from a numbered column of them; refuses all but whole numbers from 0 up.

    Parameters
    ----------
    label
        What to call the weights in an error, e.g. ``"weights: column 'count'"``.
    coded
        The weights as a reader delivers a column: only the distinct ones need checking.
    """
    column = encode(label, coded, Rules(Missing(), max_float_levels=None, max_levels=None))
    if column.missing:
        row = int(np.argmax(column.codes < 0))
        raise DataError(
            f"{label} is missing in {column.missing:,} row(s), the first is row {row + 1}; use 0 or drop them."
        )
    values: list[Any] = list(column.levels)
    if coded.text:
        # One stray word makes text of a whole CSV column; the numbers in it are not what to complain about.
        values = [int(v) if isinstance(v, str) and v.isdecimal() else v for v in values]
    for code, level in enumerate(values):
        problem = _problem(level)
        if problem:
            row = int(np.argmax(column.codes == code))
            raise DataError(
                f"{label} holds {shown(level)} in row {row + 1}, {problem}. "
                "Weights count rows: give whole numbers, 0 or more."
            )
    rows = level_counts(column.codes, len(values))[:-1].tolist()
    total = sum(weight * count for weight, count in zip(values, rows, strict=True))
    if total > LARGEST_SUM:
        raise DataError(f"{label} sums to {total}; at most 2^56 is allowed. Scale the weights down.")
    return np.array(values, dtype=np.int64)[column.codes]


def _problem(level: Level) -> str | None:
    number = real_number(level)
    if number is None:
        return "which is not a number"
    if abs(number) > LARGEST_SUM:
        return "which is beyond 2^56"
    if not isinstance(level, int):
        return "which is not a whole number"
    return "which is negative" if level < 0 else None
