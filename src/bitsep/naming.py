"""Names of variables: their canonical order, and suggestions when one is misspelt.

Every order and every tie in bitsep goes by variable name, never by column position. Integers (the names of the
columns of a NumPy array) come before text, and are ordered as numbers.
"""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterable
from numbers import Integral
from typing import TypeGuard

Name = Hashable
"""A variable's name: nearly always text, an integer for the columns of a NumPy array."""


def name_key(name: Name) -> tuple[int, int, str]:
    """Sort key of the canonical order: integers by value, then everything else as text.

    >>> sorted(["b", 10, "a", 9], key=name_key)
    [9, 10, 'a', 'b']
    """
    return (0, int(name), "") if _is_number(name) else (1, 0, str(name))


def plain_name(name: Name) -> int | str:
    """The name as JSON has it: integers and text as they are, any other kind as the text it prints as."""
    return int(name) if _is_number(name) else str(name)


def _is_number(name: Name) -> TypeGuard[Integral]:
    """NumPy's integers are numbers, too."""
    return isinstance(name, Integral) and not isinstance(name, bool)


def sorted_names(names: Iterable[Name]) -> tuple[Name, ...]:
    """The names in canonical order."""
    return tuple(sorted(names, key=name_key))


def did_you_mean(word: Name, known: Iterable[Name]) -> str:
    """A sentence that offers the closest known names, or lists them when they are few, or nothing.

    >>> did_you_mean("smoek", ["smoke", "lung"])
    "Did you mean 'smoke'?"
    """
    names = {str(name): name for name in known}
    folded = {text.casefold(): text for text in names}
    close = difflib.get_close_matches(str(word).casefold(), list(folded), n=3, cutoff=0.6)
    if close:
        return "Did you mean " + " or ".join(repr(names[folded[text]]) for text in close) + "?"
    if names and len(names) <= 12:
        return "Known: " + ", ".join(repr(name) for name in names.values()) + "."
    return ""
