"""The types of CSV columns, inferred from the distinct texts of a column.

A column has numbers if every text is a number, truth values if every text is true or false, and otherwise text. A
number with leading zeros ("007") is a label, so its column has text: as a number it would be equal to "7". Dates stay
text, which has the same order if dates are written with the year first.
"""

from __future__ import annotations

import re
from typing import Any

_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[ \t]*[+-]?(?:0|[1-9][0-9]*)[ \t]*")
_NUMBER = re.compile(r"[ \t]*[+-]?(?:(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf)[ \t]*")
# Python limits the number of digits that int() accepts; counts and codes are much shorter.
_MAX_DIGITS = 300


def typed_texts(texts: list[str | None]) -> list[Any]:
    """The values of the distinct texts of one column; None (missing) stays None.

    >>> typed_texts(["2", "10", None]), typed_texts(["1.5", "2"]), typed_texts(["7", "x"])
    ([2, 10, None], [1.5, 2], ['7', 'x'])
    """
    present = [text for text in texts if text is not None]
    if not present:
        return list(texts)
    if all(text in _TRUTH for text in present):
        return [None if text is None else _TRUTH[text] for text in texts]
    if all(_INTEGER.fullmatch(text) and len(text) <= _MAX_DIGITS for text in present):
        return [None if text is None else int(text) for text in texts]
    if all(_NUMBER.fullmatch(text) for text in present):
        return [None if text is None else _number(text) for text in texts]
    return list(texts)


def _number(text: str) -> int | float:
    is_integer = len(text) <= _MAX_DIGITS and _INTEGER.fullmatch(text)
    return int(text) if is_integer else float(text)
