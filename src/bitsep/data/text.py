"""The types of CSV fields, read from the distinct texts of a column.

A column is numbers if every text in it spells one, truth values if every text is true or false, and otherwise text. A
number written with leading zeros ("007") is a label, and keeps its column text: as a number it would merge with "7".
Dates stay text, whose order is the same where they are written year first.
"""

from __future__ import annotations

import re
from typing import Any

_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[ \t]*[+-]?(?:0|[1-9][0-9]*)[ \t]*")
_NUMBER = re.compile(r"[ \t]*[+-]?(?:(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf)[ \t]*")
# Beyond this many digits Python refuses int(), and no column of counts or codes looks like that.
_LONGEST_INTEGER = 300


def typed_texts(texts: list[str | None]) -> list[Any]:
    """The values that the distinct texts of one column stand for; None (missing) stays None.

    >>> typed_texts(["2", "10", None]), typed_texts(["1.5", "2"]), typed_texts(["7", "x"])
    ([2, 10, None], [1.5, 2], ['7', 'x'])
    """
    present = [text for text in texts if text is not None]
    if not present:
        return list(texts)
    if all(text in _TRUTH for text in present):
        return [None if text is None else _TRUTH[text] for text in texts]
    if all(_INTEGER.fullmatch(text) and len(text) <= _LONGEST_INTEGER for text in present):
        return [None if text is None else int(text) for text in texts]
    if all(_NUMBER.fullmatch(text) for text in present):
        return [None if text is None else _number(text) for text in texts]
    return list(texts)


def _number(text: str) -> int | float:
    is_integer = len(text) <= _LONGEST_INTEGER and _INTEGER.fullmatch(text)
    return int(text) if is_integer else float(text)
