"""Row weights: the counts of a frequency table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitsep._native import level_counts
from bitsep.checks import shown, whole_number
from bitsep.data.encode import Coded, EncodingRules, encode
from bitsep.data.levels import Level, Missing
from bitsep.data.text import PLAIN_NUMBERS, NumberFormat
from bitsep.errors import DataError

LARGEST_SUM = 1 << 56
"""The largest sum of weights of a table: n log2 n then fits into the sums of the native core."""

WHOLE_HINT = (
    "A weight is the number of identical rows that a row stands for. Sampling weights of a survey are not supported: "
    "leave out weights= (--weights), and their column (exclude=, --exclude)."
)
"""The hint for weights that are no such numbers."""


def read_weights(label: str, coded: Coded, numbers: NumberFormat = PLAIN_NUMBERS) -> NDArray[np.int64]:
    """The weight of every row from a column of weights, which must be integers from 0 to 2^56.

    Parameters
    ----------
    label
        The name of the weights in errors, e.g. ``"column 'count'"``.
    coded
        The weights as a column with codes, so that only distinct values need to be checked.
    numbers
        How numbers are written, if the weights are fields of a CSV file.
    """
    rules = EncodingRules(Missing(), max_float_levels=None, max_levels=None, numbers=numbers, complete=False)
    column = encode(label, coded, rules)
    if column.missing:
        row = int(np.argmax(column.codes < 0))
        raise DataError(
            f"weights: {label} has missing values in {column.missing:,} row(s), the first in row {row + 1}.",
            hint="Set them to 0, or leave out these rows.",
        )
    values: list[Any] = list(column.levels)
    if coded.text:
        # If a CSV column contains one word, all its fields are text; the error must name the word, not a number.
        values = [int(v) if isinstance(v, str) and v.isdecimal() else v for v in values]
    bad = np.array([not _is_weight(level) for level in values], bool)
    if bad.any():
        row = int(np.argmax(bad[column.codes]))
        level = values[column.codes[row]]
        raise DataError(
            f"weights: {label} must have integers from 0 to 2^56, got {shown(level)} in row {row + 1}.", hint=WHOLE_HINT
        )
    rows = level_counts(column.codes, len(values))[:-1].tolist()
    total = sum(weight * count for weight, count in zip(values, rows, strict=True))
    if total > LARGEST_SUM:
        raise DataError(f"weights: {label} sums to more than 2^56, got {total}.", hint="Scale the weights down.")
    return np.array(values, dtype=np.int64)[column.codes]


def _is_weight(level: Level) -> bool:
    number = whole_number(level)
    return number is not None and 0 <= number <= LARGEST_SUM
