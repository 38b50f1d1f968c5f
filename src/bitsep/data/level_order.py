"""The canonical order of levels: numbers of all types by value; different kinds of levels by the name of the kind."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from bitsep.checks import real_number
from bitsep.data.levels import FLOAT_BITS, NUMBERS, level_text, pandas_name

_ORDERED = (str, bytes, dt.datetime, dt.date, dt.time, dt.timedelta)
_ORDERED_IN_PANDAS = frozenset({"Interval", "Period"})  # scalars with a total order


def sorted_levels(values: Iterable[Any]) -> list[Any]:
    """The distinct levels in canonical order, without None, the missing value."""
    values = list(values)
    kinds = set(map(type, values))
    if len(kinds & {int, Decimal, Fraction}) > 1:
        # A set keeps the first of equal values, such as Decimal("0.1") and Fraction(1, 10); it must not depend on rows.
        values.sort(key=lambda level: type(level).__name__)
    distinct = set(values)
    distinct.discard(None)
    kinds.discard(type(None))
    numbers = kinds <= {int, float} or (kinds <= set(NUMBERS) and not any(map(_is_huge, distinct)))
    if kinds <= {str} or numbers:
        return sorted(distinct)
    try:
        return sorted(distinct, key=level_key)
    except (TypeError, ValueError):
        # Values of one kind that cannot be compared, such as periods of different frequency (ValueError in pandas 2).
        return sorted(distinct, key=lambda level: (level_key(level)[0], level_text(level)))


def level_key(level: Any) -> tuple[str, Any]:
    """The sort key of a level: kinds by name, then levels of one kind by value.

    >>> sorted(["b", 10, 9.5, "a", (2, "x"), (1, "y")], key=level_key)
    [9.5, 10, 'a', 'b', (1, 'y'), (2, 'x')]
    """
    if isinstance(level, NUMBERS):
        return ("number", level if isinstance(level, int | float) and not _is_huge(level) else _Number(level))
    if isinstance(level, dt.datetime):
        # Times with and without a time zone cannot be compared with each other.
        return ("datetime" if level.tzinfo is None else "datetime with zone", level)
    if isinstance(level, tuple) and type(level) is tuple:
        return ("tuple", tuple(level_key(part) for part in level))
    kind = type(level).__name__
    if isinstance(level, _ORDERED) or pandas_name(level) in _ORDERED_IN_PANDAS:
        return (kind, level)
    # Other values may have only a partial order (sets) or none, so their printed form is compared.
    return (kind, repr(level))


def _is_huge(number: Any) -> bool:
    """Whether comparing a number with one of another type could take long, because Python would expand it."""
    if isinstance(number, Decimal):
        return abs(number.adjusted()) > FLOAT_BITS
    if isinstance(number, Fraction):
        return max(number.numerator.bit_length(), number.denominator.bit_length()) > FLOAT_BITS
    return isinstance(number, int) and number.bit_length() > FLOAT_BITS


class _Number:
    """A number that is compared by its magnitude first, and exactly only if necessary."""

    __slots__ = ("_high", "_low", "_sign", "_value")

    def __init__(self, value: Any) -> None:
        self._value = value
        self._sign = (value > 0) - (value < 0)
        low, high = _log2(value) if self._sign else (0.0, 0.0)
        self._low, self._high = (low, high) if self._sign >= 0 else (-high, -low)

    def __lt__(self, other: Any) -> bool:
        return self._order(other) < 0

    def __gt__(self, other: Any) -> bool:
        return self._order(other) > 0

    def __eq__(self, other: object) -> bool:
        return self._order(other) == 0

    __hash__ = None  # type: ignore[assignment]

    def _order(self, other: Any) -> int:
        other = other if isinstance(other, _Number) else _Number(other)
        if self._sign != other._sign:
            return int(self._sign - other._sign)
        if self._high < other._low or other._high < self._low:
            return -1 if self._high < other._low else 1
        return int(self._value > other._value) - int(self._value < other._value)


def _log2(number: Any) -> tuple[float, float]:
    """Bounds of the binary logarithm of the absolute value of a number that is not 0."""
    rough = abs(real_number(number) or 0.0)
    if 1e-300 < rough < 1e300:
        return math.log2(rough) - 1e-9, math.log2(rough) + 1e-9
    if isinstance(number, Decimal) and number.is_finite():
        log2 = number.adjusted() * math.log2(10)
        margin = 4 + 1e-12 * abs(log2)
        return log2 - margin, log2 + margin
    if isinstance(number, int | Fraction):
        bits = number.numerator.bit_length() - number.denominator.bit_length()
        return bits - 1, bits + 1
    return (math.inf, math.inf) if rough == math.inf else (math.frexp(rough)[1] - 1, math.frexp(rough)[1])
