"""Columns that look continuous: with every number as a level, nearly every stratum would have a single row.

Tests and searches refuse such columns, unless they are discretized or `max_float_levels` of the data is None.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import islice

from bitsep.data.contract import EncodedData
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS
from bitsep.data.levels import NUMBERS, is_fractional
from bitsep.data.profile.kinds import FEW_LEVELS, ColumnFacts
from bitsep.errors import DataError
from bitsep.naming import Name

_MAX_SHOWN = 30  # columns in a message
_HINT = (
    'Divide them into intervals with discretize="auto" (--discretize auto in the shell), leave them out '
    "(columns=, --exclude), or make a bitsep.Table with max_float_levels=None to take every number as a level."
)


def level_limit(max_float_levels: int, rows: int) -> int:
    """The number of different numbers that a column of this many rows can have as levels.

    >>> level_limit(50, 150), level_limit(50, 1000), level_limit(50, 10**6)
    (12, 31, 50)
    """
    return min(max_float_levels, max(FEW_LEVELS, math.isqrt(rows)))


def is_numeric(data: EncodedData, name: Name) -> bool:
    """Whether all levels of a column are numbers, and there is one."""
    kinds = set(map(type, data.levels(name)))
    return bool(kinds) and kinds <= set(NUMBERS)


def is_measurement(column: ColumnFacts, max_float_levels: int | None) -> bool:
    """Whether a numeric column has more levels than the rows support, and is neither an identifier nor a date."""
    most = DEFAULT_MAX_FLOAT_LEVELS if max_float_levels is None else max_float_levels
    return column.n_levels > level_limit(most, column.present) and column.kind in ("continuous", "integer", "category")


def refuse_continuous(data: EncodedData, columns: Iterable[Name], hint: str = _HINT) -> None:
    """Raise an error that lists those of these columns that look continuous."""
    if data.max_float_levels is None:
        return
    limit = level_limit(data.max_float_levels, data.n)
    found = [
        name for name in columns
        if data.n_levels(name) > limit
        and sum(1 for _ in islice(filter(is_fractional, data.levels(name)), limit + 1)) > limit
    ]  # fmt: skip
    if not found:
        return
    listed = ", ".join(f"{name!r} ({data.n_levels(name):,} levels)" for name in found[:_MAX_SHOWN])
    if len(found) > _MAX_SHOWN:
        listed += f" and {len(found) - _MAX_SHOWN:,} more"
    which = f"column {listed} looks" if len(found) == 1 else f"{len(found):,} columns look"
    raise DataError(
        f"data: {which} continuous; at most {limit} fractional numbers are possible as levels of {data.n:,} rows"
        f"{'' if len(found) == 1 else f', got {listed}'}.",
        hint=hint,
    )
