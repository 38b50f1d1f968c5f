"""Names in text formats: text and integers, which can be distinguished."""

from __future__ import annotations

import json
import re

from bitsep.errors import FormatError, UnsupportedTypeError
from bitsep.naming import Name

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""Text that every format can represent without quotes."""


def encode(name: Name) -> str:
    """A name as JSON: ``"3"`` in quotes is text, ``3`` is an integer. Pure ASCII, on one line."""
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise UnsupportedTypeError(
            f"variables: a name in a file must be text or an integer, got {name!r}.", hint="Rename it."
        )
    return json.dumps(str(name) if isinstance(name, str) else int(name))


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
