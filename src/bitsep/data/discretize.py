"""Discretization of numeric columns: by frequency, by width, or by their information about a target.

Only the counts of the levels of a column are used, so weights matter and the order of rows does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitsep.checks import integer, real_number
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS, MAX_LEVELS, Column, EncodingRules, check_limits, code_type
from bitsep.data.levels import Missing
from bitsep.data.mdl import mdl_cuts
from bitsep.data.origin import call_of, origin_of
from bitsep.data.profile.kinds import facts_of, is_named_identifier
from bitsep.data.table import Table, float_limit, restore_table
from bitsep.errors import ArgumentError, DataError, UnknownMethodError
from bitsep.naming import Name, did_you_mean, sorted_names

Values = NDArray[np.float64]
Counts = NDArray[np.int64]
Cuts = list[float]
"""Cut points, ascending; an interval excludes its lower cut point and includes its upper one."""

_SHORT = 6  # characters; a cut point that is at most so long is not rounded
_MDL = "mdl:"
_METHODS = ("equal-frequency", "equal-width", "mdl:TARGET")


def discretize(
    data: Any,
    method: str = "equal-frequency",
    bins: int = 5,
    columns: Iterable[Name] | None = None,
    max_float_levels: int | None = DEFAULT_MAX_FLOAT_LEVELS,
) -> Table:
    """Discretize numeric columns: divide them into intervals.

    Parameters
    ----------
    data : table-like or Table
        The data; a `Table` with columns that look continuous must be made with ``max_float_levels=None``.
    method : str
        ``"equal-frequency"``: intervals with about the same number of rows. ``"equal-width"``: intervals of the same
        length between the smallest and the largest value. ``"mdl:TARGET"``: the cut points with the most information
        about the column TARGET, as many as shorten the description (Fayyad & Irani 1993).
    bins : int
        The number of intervals; there are fewer if ties prevent a cut point. MDL finds the number itself.
    columns : name or names, optional
        The numeric columns to discretize; default: every numeric column with more levels than `bins`, except
        identifiers and dates (see `describe`), which would only look like ordinary columns.
    max_float_levels : int, optional
        As for `Table`, for the columns that are not discretized.

    Returns
    -------
    Table
        The levels of a discretized column are `pandas.Interval`, closed on the right; missing values stay missing.

    Raises
    ------
    ArgumentError, UnknownMethodError, UnknownColumnError
        If the method is unknown, there are fewer than two bins, or a column does not exist.
    DataError
        If a column in `columns` is not numeric, a column has infinite values with intervals of equal width, or the
        target looks continuous.

    Notes
    -----
    Discretization loses information, and cut points chosen with a target make the column and the target look more
    dependent than they are: test this pair on other rows than those used for the cut points. A column without a useful
    cut point for MDL becomes constant.

    A column may have at most a million distinct values.

    References
    ----------
    Fayyad & Irani, Multi-interval discretization of continuous-valued attributes for classification learning, IJCAI
    (1993).

    Examples
    --------
    >>> data = {"age": [18, 21, 25, 33, 41, 48, 60, 77], "smoke": ["no", "yes"] * 4}
    >>> table = discretize(data, "equal-frequency", bins=2)
    >>> [str(level) for level in table.levels("age")], table.codes("age").tolist()
    (['(-inf, 33.0]', '(33.0, inf]'], [0, 0, 0, 0, 1, 1, 1, 1])
    >>> table.levels("smoke")
    ('no', 'yes')
    """
    bins = min(integer("bins", bins, at_least=2), MAX_LEVELS)  # there are never more levels
    table = Table.of(data) if isinstance(data, Table) else Table(data, max_float_levels=None)
    target = _target(table, method)
    chosen = _chosen(table, columns, bins, target)
    cut = _cutter(table, method, bins, target)
    rules = EncodingRules(Missing(), float_limit(max_float_levels))
    done: dict[Name, Column] = {}
    for name in table.names:
        column = table._column(name)
        if name in chosen:
            column = _apply(column, cut(name, column))
        else:
            check_limits(name, column.levels, rules)
        done[name] = column
    cut_columns = None if columns is None else sorted_names(chosen)
    origin = call_of(
        "bitsep.discretize", origin_of(data), method=method, bins=bins, columns=cut_columns,
        max_float_levels=max_float_levels,
    )  # fmt: skip
    return restore_table(done, table.weights, origin)


def _target(table: Table, method: str) -> Name | None:
    """The column after "mdl:"; None for methods without a target."""
    if not isinstance(method, str) or not (method in _METHODS[:2] or method.startswith(_MDL)):
        raise UnknownMethodError(f"method: unknown value {method!r}.", hint=did_you_mean(method, _METHODS))
    if not method.startswith(_MDL):
        return None
    word = method.removeprefix(_MDL)
    # Columns of a NumPy array have integers as names, which the method contains as text.
    target = next((name for name in table.names if str(name) == word), word)
    levels = table.levels(target)
    if len(levels) < 2:
        raise DataError(
            f"method: the target {target!r} must have at least 2 levels, got {len(levels)}.",
            hint="Name another target.",
        )
    check_limits(target, levels, EncodingRules(Missing()))
    return target


def _chosen(table: Table, columns: Iterable[Name] | None, bins: int, target: Name | None) -> set[Name]:
    if columns is None:
        numeric = [
            name for name in table.names if name != target and table.n_levels(name) > bins and _is_numeric(table, name)
        ]
        return {
            column.name for column in facts_of(table, columns=numeric)
            if not (column.is_unnamed_index or column.kind == "date" or is_named_identifier(column))
        }  # fmt: skip
    names = [columns] if isinstance(columns, str) or not isinstance(columns, Iterable) else list(columns)
    for name in names:
        table.levels(name)  # raises an error if there is none
        if name == target:
            raise ArgumentError(f"columns: {name!r} is the target, which is not discretized.", hint="Leave it out.")
        if not _is_numeric(table, name):
            raise DataError(f"columns: {name!r} is not numeric, so it has no intervals.", hint="Leave it out.")
    return set(names)


def _is_numeric(table: Table, name: Name) -> bool:
    kinds = set(map(type, table.levels(name)))
    return bool(kinds) and kinds <= {int, float, Decimal, Fraction}


def _cutter(table: Table, method: str, bins: int, target: Name | None) -> Callable[[Name, Column], Cuts]:
    if target is not None:
        return lambda name, column: mdl_cuts(_values(column), _joint_counts(table, name, target))
    if method == "equal-width":
        return lambda name, column: _equal_width(name, _values(column), bins)
    return lambda name, column: _equal_frequency(_values(column), table.level_counts(name), bins)


def _joint_counts(table: Table, name: Name, target: Name) -> Counts:
    """How often each level of a column occurs with each level of the target."""
    counter = table.counter()
    pair = counter.places[name], counter.places[target]
    [joint] = counter.joint_counts([tuple(sorted(pair))])
    codes, count = joint.occupied()
    counts = np.zeros((table.n_levels(name), table.n_levels(target)), dtype=np.int64)
    counts[tuple(codes[joint.variables.index(variable)] for variable in pair)] = count
    return counts


def _values(column: Column) -> Values:
    return np.array([real_number(level) for level in column.levels], dtype=np.float64)


def _equal_frequency(values: Values, counts: Counts, bins: int) -> Cuts:
    """Cut points after the levels whose cumulative counts are closest to 1/bins, 2/bins, … of the rows.

    >>> _equal_frequency(np.array([1.0, 2.0, 3.0, 4.0]), np.array([5, 1, 1, 3]), 2)
    [1.0]
    """
    cumulative = np.cumsum(counts)
    targets = cumulative[-1] * np.arange(1, bins) / bins
    levels = {int(np.argmin(np.abs(cumulative[:-1] - target))) for target in targets} if len(values) > 1 else set()
    return [float(values[level]) for level in sorted(levels)]


def _equal_width(name: Name, values: Values, bins: int) -> Cuts:
    low, high = values[0], values[-1]
    if not (math.isfinite(low) and math.isfinite(high)):
        raise DataError(
            f"data: column {name!r} has an infinite value, so it has no intervals of equal width.",
            hint='Use method "equal-frequency".',
        )
    # Divided before subtracting, because the range can exceed the largest float.
    return [float(low + (high / bins - low / bins) * i) for i in range(1, bins)] if high > low else []


def _apply(column: Column, cuts: Cuts) -> Column:
    """The column with intervals as levels; an empty interval is merged with the next one."""
    import pandas as pd

    values = _values(column)
    intervals_of_values = np.searchsorted(np.array(cuts), values, side="left")
    occupied, numbers = np.unique(intervals_of_values, return_inverse=True)
    lasts = np.flatnonzero(np.diff(intervals_of_values))  # the last value below each cut point between two values
    inner = [_readable(cuts[int(intervals_of_values[i])], values[i], values[i + 1]) for i in lasts]
    intervals = tuple(pd.Interval(low, high) for low, high in pairwise([-math.inf, *inner, math.inf]))
    recode = np.append(numbers, -1).astype(code_type(len(occupied)))  # the last entry is for missing values, −1
    return Column.of(recode[column.codes], intervals, column.missing)


def _readable(cut: float, below: float, above: float) -> float:
    """The cut point, rounded to as few digits as possible between the two values; a short one is not changed.

    >>> _readable(0.9748644562527897, 0.9748644562527897, 0.9762)
    0.975
    >>> _readable(33.0, 33.0, 41.0)
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
