"""Names in text formats: text and integers, which can be distinguished."""

from __future__ import annotations

import json
import re
from typing import Any

from bitsep.errors import FormatError, UnsupportedTypeError
from bitsep.naming import Name

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""Text that every format can represent without quotes."""


def encode(name: Name) -> str:
    """A name as JSON: ``"3"`` in quotes is text, ``3`` is an integer. On one line."""
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise UnsupportedTypeError(
            f"variables: a name in a file must be text or an integer, got {name!r}.", hint="Rename it."
        )
    return json_text(str(name) if isinstance(name, str) else int(name))


def json_text(value: Any, indent: int | None = None) -> str:
    r"""JSON in which letters of all languages are as they are, and other signs that cannot be printed are escaped.

    >>> print(json_text("Größe\u200e"))
    "Größe\u200e"
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def decode(text: str) -> Name:
    """The name from the text that `encode` returned."""
    try:
        name = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError(f"variables: a name must be text in double quotes or an integer, got {text}.") from None
    return checked(name)


def checked(name: object) -> Name:
    """A name from JSON after a check."""
    if isinstance(name, str) or (isinstance(name, int) and not isinstance(name, bool)):
        return name
    raise FormatError(f"variables: a name must be text or an integer, got {name!r}.")
