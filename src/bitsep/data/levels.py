"""Values of a column as levels: which values are missing, which are equal, and their canonical form.

Values that are equal in Python are one level: ``1``, ``1.0`` and ``Decimal(1)``, and also ``True`` and ``1`` if a
column contains truth values and numbers. Each level has one canonical form, which depends on the value only, not on the
order of rows or on the dtype:

- a whole number is an `int`, whatever its type was (so an integer column that pandas converted to float because of NaN
  keeps its levels); ``-0.0`` is ``0``; a decimal that is larger than all floats stays a decimal, because
  ``Decimal("1e30000000")`` is short and the integer is not;
- a truth value is a `bool`, or ``0`` or ``1`` if its column also contains other numbers;
- text is `str`, a timestamp `datetime.datetime` (in UTC if it has a time zone; `pandas.Timestamp` only if it has
  nanoseconds), a decimal has no trailing zeros.

Levels are sorted by value: numbers with numbers, and different kinds by the name of the kind.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Hashable, Iterable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from bitsep.checks import real_number, shown
from bitsep.errors import ArgumentError

Level = Hashable
"""One value of a variable."""

DEFAULT_MISSING: frozenset[str] = frozenset({"NA", "NaN", "nan", "null", "?"})
"""Texts that mean a missing value by default; the empty text always does."""

NUMBERS = (int, float, Decimal, Fraction)
"""The types of levels that are numbers."""

FLOAT_BITS = 1024
"""The number of bits of the largest whole numbers that floats can represent."""

_FLOAT_DIGITS = 309
_NUMERIC_TYPES = (*NUMBERS, np.number, np.bool_)


class MissingLevel:
    """The level of missing values in columns where they are a level of their own; there is one instance.

    Its text has no quotes where levels are shown as Python code, so it differs from every text.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "⟨missing⟩"

    def __reduce__(self) -> str:
        return "MISSING_LEVEL"


MISSING_LEVEL = MissingLevel()
"""The level of missing values, if they are a level (`EncodedData.with_missing_level`)."""


class Missing:
    """The values that count as missing besides None, NaN, NaT and pd.NA.

    An entry matches the same text, and the number that the text represents: ``"-9"`` and ``-9`` both match the text and
    the number, so that a CSV file and a data frame read from it have the same missing values.
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
            if isinstance(form, bool) or not isinstance(form, (str, *NUMBERS)):
                raise ArgumentError(f"missing: must be texts or numbers, got {shown(value)}.")
            if not isinstance(form, str):
                numbers.add(form)
            texts.add(text := plain_text(form))
            number = _number_in(text)
            if number is not None:
                numbers.add(number)
        self.texts = frozenset(texts)
        self.numbers = frozenset(numbers)

    def matches(self, value: Level) -> bool:
        """Whether a level in canonical form is one of these missing values."""
        if isinstance(value, str):
            return value in self.texts
        return (
            bool(self.numbers) and not isinstance(value, bool) and isinstance(value, NUMBERS) and value in self.numbers
        )


def _number_in(text: str) -> int | float | None:
    for read in (int, float):
        try:
            number = read(text)
        except ValueError:
            continue
        # float() accepts "NaN", and returns infinity for numbers that are too large.
        if number == number and (abs(number) != math.inf or "inf" in text.lower()):
            return number
    return None


def plain(value: Any) -> Any:
    """A NumPy scalar as a Python value; other values unchanged."""
    if isinstance(value, np.generic) and not isinstance(value, np.datetime64 | np.timedelta64):
        # item() of a long double is a long double again.
        return float(value) if isinstance(value, np.longdouble) else value.item()
    return value


def canonical(value: Any, *, mixed_numbers: bool = False) -> Level | None:
    """The canonical form of a value, or None if the value is missing.

    >>> canonical(2.0), canonical(-0.0), canonical(float("nan")), canonical(True), canonical(True, mixed_numbers=True)
    (2, 0, None, True, 1)
    """
    value = plain(value)
    if value is None or isinstance(value, str):
        return None if value is None else str(value)
    if isinstance(value, bool):
        return int(value) if mixed_numbers else value
    if isinstance(value, NUMBERS):
        return _canonical_number(value, mixed_numbers)
    if isinstance(value, np.datetime64 | np.timedelta64):
        return _canonical_numpy_time(value)
    if isinstance(value, tuple):
        return tuple(canonical(part, mixed_numbers=True) for part in value) if type(value) is tuple else value
    # pd.NA has no truth value and is therefore recognized by name; NaT, like NaN, is not equal to itself.
    if pandas_name(value) == "NAType" or _unequal_to_itself(value):
        return None
    if isinstance(value, dt.datetime):
        return _canonical_datetime(value)
    if isinstance(value, dt.time):
        return value.replace(fold=0)
    if isinstance(value, dt.timedelta) and not getattr(value, "nanoseconds", 1):
        return dt.timedelta(value.days, value.seconds, value.microseconds)
    return value  # type: ignore[no-any-return]


def pandas_name(value: Any) -> str | None:
    """The name of the type if it is defined by pandas, which need not be imported; None for all other types."""
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
    if _is_whole(value):
        return int(value)
    if isinstance(value, float):
        return float(value)
    # Decimal("0.5") == 0.5: if types are mixed, numbers that a float represents exactly are floats, and so is infinity.
    as_float = real_number(value)
    if as_float == value and (mixed or math.isinf(value)):
        return as_float
    if isinstance(value, Decimal):
        digits = max(1, len(value.as_tuple().digits))
        return value.normalize(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN))
    return value  # type: ignore[no-any-return]


def _is_whole(value: Any) -> bool:
    """Whether a number other than an int is whole and not larger than all floats: Decimal("1e30000000") stays short."""
    if isinstance(value, Fraction):
        return value.denominator == 1
    if isinstance(value, float):
        return value.is_integer()
    return bool(value.is_finite() and value.adjusted() < _FLOAT_DIGITS and value == value.to_integral_value())


def _canonical_datetime(value: Any) -> Level:
    if value.tzinfo is not None:
        value = value.astimezone(dt.UTC) if not hasattr(value, "tz_convert") else value.tz_convert("UTC")
    if hasattr(value, "to_pydatetime") and not value.nanosecond:
        value = value.to_pydatetime()
        value = value if value.tzinfo is None else value.replace(tzinfo=dt.UTC)
    # Equal times can differ in their fold.
    return value.replace(fold=0) if value.fold else value  # type: ignore[no-any-return]


def _canonical_numpy_time(value: np.datetime64 | np.timedelta64) -> Level | None:
    if np.isnat(value):
        return None
    item: Any = value.item()
    if not isinstance(item, int):
        return item  # type: ignore[no-any-return]
    # NumPy returns an integer if no Python type can hold the value. Most nanoseconds are whole microseconds, for which
    # a type exists.
    kind = value.dtype.kind
    if np.datetime_data(value.dtype)[0] == "ns":
        coarse = value.astype(f"{kind}8[us]")
        if coarse == value:
            return coarse.item()  # type: ignore[no-any-return]
        import pandas as pd

        return pd.Timestamp(value) if isinstance(value, np.datetime64) else pd.Timedelta(value)
    raise ValueError(f"{value!r} has no equivalent in Python")


def has_mixed_numbers(kinds: Iterable[type]) -> bool:
    """Whether these types include several types of numbers, so that equal values can differ in form.

    >>> has_mixed_numbers([int, bool]), has_mixed_numbers([int, str, float]), has_mixed_numbers([bool, str])
    (True, True, False)
    """
    truth = (bool, np.bool_)
    numeric = {bool if issubclass(kind, truth) else kind for kind in kinds if issubclass(kind, _NUMERIC_TYPES)}
    return len(numeric) > 1


def is_fractional(level: Level) -> bool:
    """Whether a canonical level is a finite number that is not whole."""
    if isinstance(level, Decimal):
        return level.is_finite() and level != level.to_integral_value()
    return isinstance(level, Fraction) or (isinstance(level, float) and math.isfinite(level))


def plain_text(level: object) -> str:
    """A level as text, without quotes around a `str`; huge integers as in `level_text`."""
    try:
        return str(level)
    except ValueError:  # Python does not convert huge integers to decimal text
        return level_text(level)


def level_text(level: Any) -> str:
    """A level as Python code; integers larger than all floats in hexadecimal, which is fast and has no limit.

    >>> level_text("a"), level_text((1, 2.5)), level_text(2**2000)[:10]
    ("'a'", '(1, 2.5)', '0x10000000')
    """
    if isinstance(level, Fraction):
        return f"Fraction({level_text(level.numerator)}, {level_text(level.denominator)})"
    if type(level) is tuple:
        return f"({', '.join(map(level_text, level))}{',' * (len(level) == 1)})"
    return hex(level) if isinstance(level, int) and level.bit_length() > FLOAT_BITS else repr(level)
