"""The types of CSV columns, inferred from the distinct texts of a column.

A column has numbers if every text is a number, truth values if every text is true or false, and otherwise text. A
number with leading zeros ("007") is a label, so its column has text: as a number it would be equal to "7". Dates stay
text, which has the same order if dates are written with the year first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bitsep.checks import shown
from bitsep.errors import ArgumentError

_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
# Python limits the number of digits that int() accepts; counts and codes are much shorter.
_MAX_DIGITS = 300
_SPACES = "[ \u00a0\u202f]"  # programs write a no-break space between thousands


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How numbers are written: the decimal separator, and the separator of groups of three digits, if any.

    >>> NumberFormat(",", ".").number("1.234,56"), NumberFormat().number("1,5")
    (1234.56, None)
    """

    decimal: str = "."
    thousands: str | None = None
    _integer: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _number: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.decimal not in (".", ","):
            raise ArgumentError(f"decimal: must be '.' or ',', got {shown(self.decimal)}.")
        if self.thousands is not None and self.thousands not in (".", ",", " ", "'", "_"):
            raise ArgumentError(
                f"thousands: must be one of '.', ',', ' ', \"'\" and '_', or None, got {shown(self.thousands)}."
            )
        if self.thousands == self.decimal:
            raise ArgumentError(f"thousands: must not be the decimal separator, got {self.decimal!r} for both.")
        whole = "(?:0|[1-9][0-9]*)"
        if self.thousands is not None:
            sign = _SPACES if self.thousands == " " else re.escape(self.thousands)
            whole = f"(?:[1-9][0-9]{{0,2}}(?:{sign}[0-9]{{3}})+|0|[1-9][0-9]*)"
        point = re.escape(self.decimal)
        number = f"(?:(?:{whole}(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?|inf)"
        object.__setattr__(self, "_integer", re.compile(f"[ \t]*[+-]?{whole}[ \t]*"))
        object.__setattr__(self, "_number", re.compile(f"[ \t]*[+-]?{number}[ \t]*"))

    def is_integer(self, text: str) -> bool:
        """Whether a text is an integer, which is not too long for Python."""
        return self._integer.fullmatch(text) is not None and len(text) <= _MAX_DIGITS

    def is_number(self, text: str) -> bool:
        """Whether a text is a number."""
        return self._number.fullmatch(text) is not None

    def number(self, text: str) -> int | float | None:
        """The number that a text represents; None if it represents none."""
        return self.value(text) if self.is_number(text) else None

    def value(self, text: str) -> int | float:
        """The number that a text represents, which is known to be a number."""
        return int(self.plain(text)) if self.is_integer(text) else float(self.plain(text))

    def plain(self, text: str) -> str:
        """The number as Python writes it."""
        if self.thousands is not None:
            text = re.sub(_SPACES, "", text) if self.thousands == " " else text.replace(self.thousands, "")
        return text if self.decimal == "." else text.replace(self.decimal, ".")


PLAIN_NUMBERS = NumberFormat()
"""Numbers with a decimal point, without separators of thousands."""


def typed_texts(texts: list[str | None], numbers: NumberFormat = PLAIN_NUMBERS) -> list[Any]:
    """The values of the distinct texts of one column; None (missing) stays None.

    >>> typed_texts(["2", "10", None]), typed_texts(["1.5", "2"]), typed_texts(["7", "x"])
    ([2, 10, None], [1.5, 2], ['7', 'x'])
    >>> typed_texts(["1.234,5", "2"], NumberFormat(",", "."))
    [1234.5, 2]
    """
    present = [text for text in texts if text is not None]
    if not present:
        return list(texts)
    if all(text in _TRUTH for text in present):
        return [None if text is None else _TRUTH[text] for text in texts]
    if all(map(numbers.is_integer, present)):
        return [None if text is None else int(numbers.plain(text)) for text in texts]
    if all(map(numbers.is_number, present)):
        return [None if text is None else numbers.value(text) for text in texts]
    return list(texts)


def mixed_decimals(texts: Sequence[str], numbers: NumberFormat) -> tuple[str, str] | None:
    """An example with each decimal separator, if all texts are numbers but they have both; otherwise None.

    >>> mixed_decimals(["1.5", "2,5", "3"], PLAIN_NUMBERS), mixed_decimals(["1.5", "2,5", "x"], PLAIN_NUMBERS)
    (('1.5', '2,5'), None)
    """
    others = NumberFormat("," if numbers.decimal == "." else ".")
    own = other = None
    for text in texts:
        if numbers.is_number(text):
            own = text if numbers.decimal in text else own
        elif others.is_number(text):
            other = text
        else:
            return None
    return None if own is None or other is None else (own, other)
