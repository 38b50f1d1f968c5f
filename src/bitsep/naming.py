"""Names of variables: their canonical order, their display, and suggestions for misspelled names.

Every order and every tie in bitsep goes by the names of variables, not by the positions of columns. Integers (the names
of columns of a NumPy array) come before text, and are ordered by value.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable, Iterable
from numbers import Integral
from typing import TypeGuard

from bitsep.errors import UnknownColumnError

Name = Hashable
"""The name of a variable: usually text, or an integer for columns of a NumPy array."""

_NEEDS_QUOTES = re.compile(r"[\s,;:|'\"`()\[\]{}<>⊥→←—]")  # characters that can be part of the text around a name
_RESERVED = frozenset({"", "and", "given", "none", "nothing"})
_MAX_WORD, _MAX_COMPARED = 200, 1_000_000  # characters of a misspelled name and of all known names that are compared
_JOINERS = "\u200c\u200d"  # part of emoji and of some scripts; harmless


def name_key(name: Name) -> tuple[int, int, str]:
    """The sort key of the canonical order: integers by value, then all other names as text.

    >>> sorted(["b", 10, "a", 9], key=name_key)
    [9, 10, 'a', 'b']
    """
    return (0, int(name), "") if _is_number(name) else (1, 0, str(name))


def plain_name(name: Name) -> int | str:
    """The name for JSON: integers and text unchanged, other names converted to text."""
    return int(name) if _is_number(name) else str(name)


def shown_name(name: Name) -> str:
    r"""The name for a sentence or a list, on one line: unchanged if it is a plain word, otherwise in quotes.

    Names are quoted if they are empty, have spaces, commas or other signs that could be part of the text around them,
    or are words that such a text uses in place of names. Control characters are escaped.

    >>> print(shown_name("smoke"), shown_name(7), shown_name(""), shown_name("age group"), shown_name("two\nlines"))
    smoke 7 '' 'age group' 'two\nlines'
    >>> print(shown_name(("a", "b c")), shown_name("none"))
    (a, 'b c') 'none'
    """
    if isinstance(name, tuple):
        return f"({', '.join(map(shown_name, name))})"
    text = str(name)
    if text.isprintable() and not _NEEDS_QUOTES.search(text) and text not in _RESERVED:
        return text
    quote = '"' if "'" in text and '"' not in text else "'"
    escaped = text.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    return quote + one_line(escaped) + quote


def one_line(text: object) -> str:
    r"""Text on one line that cannot control a terminal: control characters are escaped.

    >>> print(one_line("Größe 😀"), one_line("two\nlines"), one_line("\x1b[2J"))
    Größe 😀 two\nlines \x1b[2J
    """
    return "".join(c if c.isprintable() or c in _JOINERS else repr(c)[1:-1] for c in str(text))


def shown_names(names: Iterable[Name], none: str) -> str:
    """Names separated by commas, or `none` if there are none.

    >>> shown_names(["a", "b, c"], "none"), shown_names([], "none"), shown_names([""], "none")
    ("a, 'b, c'", 'none', "''")
    """
    return ", ".join(map(shown_name, names)) or none


def _is_number(name: Name) -> TypeGuard[Integral]:
    """Whether a name is an integer, of Python or NumPy."""
    return isinstance(name, Integral) and not isinstance(name, bool)


def is_no_name(name: Name) -> bool:
    """Whether this is NaN or another missing value, which is not equal to itself and cannot be looked up.

    >>> is_no_name(float("nan")), is_no_name("nan"), is_no_name(None)
    (True, False, False)
    """
    try:
        return bool(name != name)
    except TypeError:  # pandas.NA is neither equal nor different
        return True


def sorted_names(names: Iterable[Name]) -> tuple[Name, ...]:
    """The names in canonical order."""
    return tuple(sorted(names, key=name_key))


def did_you_mean(word: Name, known: Iterable[Name]) -> str:
    """A hint with the most similar known names, or with all names if there are few; otherwise empty.

    >>> did_you_mean("smoek", ["smoke", "lung"])
    "Did you mean 'smoke'?"
    """
    names = {str(name): name for name in known}
    folded = {text.casefold(): text for text in names}
    wanted = str(word).casefold()
    if len(wanted) > _MAX_WORD or sum(map(len, folded)) > _MAX_COMPARED:
        return ""  # the comparison would take long
    close = difflib.get_close_matches(wanted, list(folded), n=3, cutoff=0.6)
    if close:
        return "Did you mean " + " or ".join(repr(names[folded[text]]) for text in close) + "?"
    if names and len(names) <= 12:
        return "Known: " + ", ".join(repr(name) for name in names.values()) + "."
    return ""


def unknown_column(argument: str, name: Name, known: Iterable[Name], what: str = "column") -> UnknownColumnError:
    """The error for a name that is not known.

    >>> print(unknown_column("target", "smoek", ["smoke", "lung"]))
    target: no column 'smoek'. Did you mean 'smoke'?
    >>> print(unknown_column("columns", "smoke,lung", ["smoke", "lung"]))
    columns: no column 'smoke,lung'. Give each name by itself, as a list; in the shell repeat the option for each.
    """
    known = tuple(known)
    parts = [part.strip() for part in name.split(",")] if isinstance(name, str) else []
    if len(parts) > 1 and set(parts) <= set(known):
        hint = "Give each name by itself, as a list; in the shell repeat the option for each."
    else:
        hint = did_you_mean(name, known)
    return UnknownColumnError(f"{argument}: no {what} {name!r}.", hint=hint)
