"""Names of variables: their canonical order, how they are shown, and suggestions when one is misspelled.

Every order and every tie in bitsep goes by variable name, never by column position. Integers (the names of the
columns of a NumPy array) come before text, and are ordered as numbers.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable, Iterable
from numbers import Integral
from typing import TypeGuard

from bitsep.errors import UnknownColumnError

Name = Hashable
"""A variable's name: nearly always text, an integer for the columns of a NumPy array."""

_ODD = re.compile(r"[\s,;:|'\"`()\[\]{}<>⊥→←—]")  # could belong to the sentence or list around a name
_FILLERS = frozenset({"", "and", "given", "none", "nothing"})
_JOINERS = "\u200c\u200d"  # inside emoji and some scripts; harmless


def name_key(name: Name) -> tuple[int, int, str]:
    """Sort key of the canonical order: integers by value, then everything else as text.

    >>> sorted(["b", 10, "a", 9], key=name_key)
    [9, 10, 'a', 'b']
    """
    return (0, int(name), "") if _is_number(name) else (1, 0, str(name))


def plain_name(name: Name) -> int | str:
    """The name as JSON has it: integers and text as they are, any other kind as the text it prints as."""
    return int(name) if _is_number(name) else str(name)


def shown_name(name: Name) -> str:
    r"""The name in a sentence or a list, on one line: as it is if it is a plain word, otherwise in quotes.

    An empty name, spaces, commas and other signs that could belong to the text around it are quoted, and so are the
    words that such texts use where there is no name. Control characters are spelled out.

    >>> print(shown_name("smoke"), shown_name(7), shown_name(""), shown_name("age group"), shown_name("two\nlines"))
    smoke 7 '' 'age group' 'two\nlines'
    >>> print(shown_name(("a", "b c")), shown_name("none"))
    (a, 'b c') 'none'
    """
    if isinstance(name, tuple):
        return f"({', '.join(map(shown_name, name))})"
    text = str(name)
    if text.isprintable() and not _ODD.search(text) and text not in _FILLERS:
        return text
    quote = '"' if "'" in text and '"' not in text else "'"
    escaped = text.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    return quote + "".join(c if c.isprintable() or c in _JOINERS else repr(c)[1:-1] for c in escaped) + quote


def shown_names(names: Iterable[Name], none: str) -> str:
    """Names with commas between them, or what to say where there are none.

    >>> shown_names(["a", "b, c"], "none"), shown_names([], "none"), shown_names([""], "none")
    ("a, 'b, c'", 'none', "''")
    """
    return ", ".join(map(shown_name, names)) or none


def _is_number(name: Name) -> TypeGuard[Integral]:
    """NumPy's integers are numbers, too."""
    return isinstance(name, Integral) and not isinstance(name, bool)


def sorted_names(names: Iterable[Name]) -> tuple[Name, ...]:
    """The names in canonical order."""
    return tuple(sorted(names, key=name_key))


def did_you_mean(word: Name, known: Iterable[Name]) -> str:
    """A hint that offers the closest known names, or lists them when they are few; otherwise empty.

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


def unknown_column(argument: str, name: Name, known: Iterable[Name], what: str = "column") -> UnknownColumnError:
    """The error about a name that is not one of those known.

    >>> print(unknown_column("target", "smoek", ["smoke", "lung"]))
    target: no column 'smoek'. Did you mean 'smoke'?
    """
    return UnknownColumnError(f"{argument}: no {what} {name!r}.", hint=did_you_mean(name, known))
