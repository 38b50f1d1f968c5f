"""Values of a column as levels: which are missing, which are the same, and in what order they stand.

Equal in Python is equal here: ``1``, ``1.0`` and ``Decimal(1)`` are one level, and so are ``True`` and ``1`` where a
column mixes truth values with numbers. Each level has one form, chosen by value and never by row order or dtype:

- a whole number is an `int`, whatever type it came in (so an integer column that pandas made float to hold NaN keeps
  its levels); ``-0.0`` is ``0``;
- a truth value stays a `bool`, unless its column also holds other numbers: then it is ``0`` or ``1``;
- text is `str`, a timestamp `datetime.datetime` (in UTC if it has a time zone; `pandas.Timestamp` only where it has
  nanoseconds), a decimal loses its trailing zeros.

Levels are sorted by value; numbers with numbers, and different kinds by the name of the kind.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Hashable, Iterable
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from bitsep.errors import ArgumentError

Level = Hashable
"""One value of a variable."""

DEFAULT_MISSING: frozenset[str] = frozenset({"NA", "NaN", "null", "?"})
"""Texts read as missing unless `missing=` says otherwise; the empty text always is."""

_NUMBERS = (int, float, Decimal, Fraction)
_NUMERIC_TYPES = (*_NUMBERS, np.number, np.bool_)
_ORDERED = (str, bytes, dt.datetime, dt.date, dt.time, dt.timedelta)
_ORDERED_IN_PANDAS = frozenset({"Interval", "Period"})  # scalars with a total order


class Missing:
    """The values that count as missing besides None, NaN, NaT and pd.NA.

    An entry matches the same text, and the number it spells: ``"-9"`` and ``-9`` both match the text and the number, so
    that a CSV file and the data frame made from it lose the same rows.
    """

    __slots__ = ("numbers", "texts")

    def __init__(self, values: object = DEFAULT_MISSING) -> None:
        if values is None:
            values = ()
        if isinstance(values, str) or not isinstance(values, Iterable):
            values = (values,)
        texts, numbers = {""}, set()
        for value in values:
            form = canonical(value)
            if form is None:
                continue
            if isinstance(form, bool) or not isinstance(form, str | int | float):
                raise ArgumentError(f"missing: {value!r} is neither text nor a number; name texts or numbers.")
            texts.add(str(form))
            number = _spelt_number(form)
            if number is not None:
                numbers.add(number)
        self.texts = frozenset(texts)
        self.numbers = frozenset(numbers)

    def matches(self, value: Level) -> bool:
        """Whether a level in its canonical form is one of the named missing values."""
        if isinstance(value, str):
            return value in self.texts
        return (
            bool(self.numbers) and not isinstance(value, bool) and isinstance(value, _NUMBERS) and value in self.numbers
        )


def _spelt_number(value: str | int | float) -> int | float | None:
    for read in (int, float):
        try:
            number = read(value)
        except (ValueError, OverflowError):
            continue
        # int() cuts a float; float() reads "NaN".
        if number == value or (isinstance(value, str) and number == number):
            return number
    return None


def plain(value: Any) -> Any:
    """A NumPy scalar as the Python value it stands for; anything else as it is."""
    if isinstance(value, np.generic) and not isinstance(value, np.datetime64 | np.timedelta64):
        # A long double's item() is a long double again.
        return float(value) if isinstance(value, np.longdouble) else value.item()
    return value


def canonical(value: Any, *, mixed_numbers: bool = False) -> Level | None:
    """The one form of a level, or None if the value is missing.

    >>> canonical(2.0), canonical(-0.0), canonical(float("nan")), canonical(True), canonical(True, mixed_numbers=True)
    (2, 0, None, True, 1)
    """
    value = plain(value)
    if value is None or isinstance(value, str):
        return None if value is None else str(value)
    if isinstance(value, bool):
        return int(value) if mixed_numbers else value
    if isinstance(value, _NUMBERS):
        return _canonical_number(value, mixed_numbers)
    if isinstance(value, np.datetime64 | np.timedelta64):
        return _canonical_numpy_time(value)
    if isinstance(value, tuple):
        return tuple(canonical(part, mixed_numbers=True) for part in value) if type(value) is tuple else value
    # pd.NA has no truth value and is therefore told by name; NaT, like NaN, is not equal to itself.
    if _pandas_name(value) == "NAType" or _unequal_to_itself(value):
        return None
    if isinstance(value, dt.datetime):
        return _canonical_datetime(value)
    if isinstance(value, dt.time):
        return value.replace(fold=0)
    if isinstance(value, dt.timedelta) and not getattr(value, "nanoseconds", 1):
        return dt.timedelta(value.days, value.seconds, value.microseconds)
    return value  # type: ignore[no-any-return]


def _pandas_name(value: Any) -> str | None:
    """The name of a type of pandas, which may be absent from the process; None for all other types."""
    kind = type(value)
    return kind.__name__ if kind.__module__.split(".")[0] == "pandas" else None


def _unequal_to_itself(value: Any) -> bool:
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return False


def _canonical_number(value: Any, mixed: bool) -> Level | None:
    if isinstance(value, int):
        return int(value)
    if value != value:
        return None
    if isinstance(value, Fraction):
        finite = True
    else:
        finite = value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)
    if finite and value == int(value):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if mixed or not finite:
        # Decimal("0.5") == 0.5: where types mix, whatever a float can hold exactly is one.
        try:
            if (as_float := float(value)) == value:
                return as_float
        except OverflowError:
            pass
    if isinstance(value, Decimal):
        return value.normalize(Context(prec=max(1, len(value.as_tuple().digits))))
    return value  # type: ignore[no-any-return]


def _canonical_datetime(value: Any) -> Level:
    if value.tzinfo is not None:
        value = value.astimezone(dt.UTC) if not hasattr(value, "tz_convert") else value.tz_convert("UTC")
    if hasattr(value, "to_pydatetime") and not value.nanosecond:
        value = value.to_pydatetime()
        value = value if value.tzinfo is None else value.replace(tzinfo=dt.UTC)
    # Equal times may differ in their fold.
    return value.replace(fold=0) if value.fold else value  # type: ignore[no-any-return]


def _canonical_numpy_time(value: np.datetime64 | np.timedelta64) -> Level | None:
    if np.isnat(value):
        return None
    item: Any = value.item()
    if not isinstance(item, int):
        return item  # type: ignore[no-any-return]
    # An integer: NumPy has no Python value for it. Most nanoseconds are whole microseconds, for which there is one.
    kind = value.dtype.kind
    if np.datetime_data(value.dtype)[0] == "ns":
        coarse = value.astype(f"{kind}8[us]")
        if coarse == value:
            return coarse.item()  # type: ignore[no-any-return]
        import pandas as pd

        return pd.Timestamp(value) if isinstance(value, np.datetime64) else pd.Timedelta(value)
    raise ValueError(f"{value!r} has no equivalent in Python")


def level_key(level: Any) -> tuple[str, Any]:
    """Sort key of the order of levels: kinds by name, then values of one kind by value.

    >>> sorted(["b", 10, 9.5, "a", (2, "x"), (1, "y")], key=level_key)
    [9.5, 10, 'a', 'b', (1, 'y'), (2, 'x')]
    """
    if isinstance(level, int | float | Decimal):
        return ("number", level)
    if isinstance(level, dt.datetime):
        # Times with and without a zone cannot be compared with each other.
        return ("datetime" if level.tzinfo is None else "datetime with zone", level)
    if isinstance(level, tuple) and type(level) is tuple:
        return ("tuple", tuple(level_key(part) for part in level))
    kind = type(level).__name__
    if isinstance(level, _ORDERED) or _pandas_name(level) in _ORDERED_IN_PANDAS:
        return (kind, level)
    # Anything else may have only a partial order (sets) or none: its printed form has one.
    return (kind, repr(level))


def sorted_levels(values: Iterable[Any]) -> list[Any]:
    """Distinct canonical levels in canonical order; None, the missing value, is left out."""
    distinct = set(values)
    distinct.discard(None)
    kinds = set(map(type, distinct))
    if kinds <= {str} or kinds <= {int}:
        return sorted(distinct)
    try:
        return sorted(distinct, key=level_key)
    except TypeError:
        # Values of one kind that refuse comparison after all (periods of different frequency, say).
        return sorted(distinct, key=lambda level: (level_key(level)[0], repr(level)))


def has_mixed_numbers(kinds: Iterable[type]) -> bool:
    """Whether values of these types hold numbers of several types, so that equal ones may differ in form.

    >>> has_mixed_numbers([int, bool]), has_mixed_numbers([int, str, float]), has_mixed_numbers([bool, str])
    (True, True, False)
    """
    truth = (bool, np.bool_)
    numeric = {bool if issubclass(kind, truth) else kind for kind in kinds if issubclass(kind, _NUMERIC_TYPES)}
    return len(numeric) > 1


def is_fractional(level: Level) -> bool:
    """Whether a canonical level is a finite number that is not whole."""
    return isinstance(level, float | Decimal | Fraction) and math.isfinite(level)
