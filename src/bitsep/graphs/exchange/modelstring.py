"""The model string of bnlearn: ``[A][C][B|A:C]``. It has no escape sequences, so some names cannot be written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from bitsep.errors import FormatError, UnsupportedTypeError
from bitsep.naming import Name, sorted_names

_NODE = re.compile(r"\[([^\[\]|:]+)(?:\|([^\[\]|]+))?\]")


def write(order: Iterable[Name], parents: Callable[[Name], Iterable[Name]]) -> str:
    parts = []
    for name in order:
        if not isinstance(name, str) or not name or re.search(r"[\[\]|:]", name):
            raise UnsupportedTypeError(
                f"variables: a name in a model string must be text without [ ] | : and not empty, got {name!r}.",
                hint="Rename it, or use another format.",
            )
        above = [str(parent) for parent in sorted_names(parents(name))]
        parts.append(f"[{name}|{':'.join(above)}]" if above else f"[{name}]")
    return "".join(parts)


def read(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    variables = []
    edges = []
    place = 0
    while place < len(text):
        match = _NODE.match(text, place)
        if match is None:
            raise FormatError(f"column {place + 1}: expected [name] or [name|parent:parent], got {text[place:]!r}.")
        variables.append(match[1])
        for parent in match[2].split(":") if match[2] else ():
            if not parent:
                raise FormatError(f"column {place + 1}: {match[0]!r} has an empty parent name.")
            edges.append((parent, match[1]))
        place = match.end()
    return variables, edges
