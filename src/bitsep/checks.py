"""Checks of numbers, lists and texts, with the same rules for all arguments.

Numbers of NumPy, decimals and fractions are accepted like those of Python; truth values are not numbers. Huge numbers
are not converted to decimal text, which could take long.
"""

from __future__ import annotations

import datetime as dt
import math
import operator
from collections.abc import Iterable
from decimal import Decimal
from numbers import Real
from typing import Any, TypeVar

from bitsep.errors import ArgumentError, FormatError, UnsupportedTypeError

T = TypeVar("T")

_REALS: tuple[Any, ...] = (float, int, Decimal, Real)
_MAX_LENGTH = 60  # characters of a value in a message


def whole_number(value: Any) -> int | None:
    """The value as an int if it has an integer type; None otherwise.

    >>> whole_number(3), whole_number(3.0), whole_number(True), whole_number("3")
    (3, None, None, None)
    """
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def integer(argument: str, value: Any, at_least: int, at_most: int | None = None) -> int:
    """The value of an argument as an int, checked against its bounds.

    >>> integer("max_given", 2, at_least=0)
    2
    """
    number = whole_number(value)
    if number is None or number < at_least:
        raise ArgumentError(f"{argument}: must be an integer of at least {at_least}, got {shown(value)}.")
    if at_most is not None and number > at_most:
        raise ArgumentError(f"{argument}: must be an integer of at most {at_most}, got {shown(value)}.")
    return number


def real_number(value: Any) -> float | None:
    """The value as a float if it has a real number type (infinite if larger than all floats); None otherwise.

    >>> from fractions import Fraction
    >>> real_number(Fraction(1, 20)), real_number(Decimal("0.05")), real_number(10**400), real_number("0.05")
    (0.05, 0.05, inf, None)
    """
    # int and float are first in _REALS, because they are frequent and the check of `Real` is slow.
    if isinstance(value, bool) or not isinstance(value, _REALS):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except ValueError:  # a signaling NaN
        return math.nan


def listed(argument: str, values: Iterable[T], of: str) -> list[T]:
    """The values as a list; UnsupportedTypeError unless they can be iterated over.

    >>> listed("queries", (("a", "b", ()),), "queries")
    [('a', 'b', ())]
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise UnsupportedTypeError(f"{argument}: must be a list of {of}, got {shown(values)}.")
    return list(values)


def given_text(text: object) -> str:
    """The argument `text`, also in UTF-8, without a byte order mark; UnsupportedTypeError or FormatError otherwise.

    >>> given_text("\\ufeffa -> b"), given_text(b"a -> b")
    ('a -> b', 'a -> b')
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            raise FormatError("text: must be text, or bytes in UTF-8.") from None
    if not isinstance(text, str):
        raise UnsupportedTypeError(f"text: must be text, got {shown(text)}.")
    return text.removeprefix("\ufeff")


def shown(value: object) -> str:
    """A value for a message, shortened if it is long.

    >>> shown("0.05"), shown(10**5000), shown(dt.datetime(2020, 1, 31))
    ("'0.05'", 'an int of 16610 bits', '2020-01-31 00:00:00')
    """
    try:
        text = str(value) if isinstance(value, dt.date | dt.time | dt.timedelta) else repr(value)
    except ValueError:  # Python does not convert huge integers to decimal text
        return f"an int of {value.bit_length()} bits" if isinstance(value, int) else f"a huge {type(value).__name__}"
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1] + "…"
