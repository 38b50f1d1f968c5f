"""Names and levels as one visible line of text each."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from bitsep.data.levels import plain_text
from bitsep.naming import Name, shown_name

_MAX_LENGTH = 60
_REORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(value: object) -> str:
    r"""A name or level on one line; control characters and those that reorder text are replaced.

    >>> visible("two\nlines"), visible(""), visible(3)
    ('two␊lines', "''", '3')
    """
    text = value if isinstance(value, str) else plain_text(value)
    if not text.strip():
        return shown_name(text)
    return "".join(map(_shown, text)) if not text.isprintable() else text


def quoted_label(name: Name, label: str) -> str:
    """The label of a name for sentences and lists: in quotes where `shown_name` has them.

    >>> quoted_label("a, b", "a, b"), quoted_label("", "''"), quoted_label(1, "1 (int)"), quoted_label("x", "x")
    ("'a, b'", "''", '1 (int)', 'x')
    """
    if label != shortened(visible(name)):  # it has more than the name, so that it is unique
        return label
    return shortened(shown_name(name))


def shortened(text: str, max_length: int = _MAX_LENGTH) -> str:
    """The text; if it is too long, its middle is left out, since names often differ at the beginning or the end."""
    if len(text) <= max_length:
        return text
    tail = max_length // 3
    return f"{text[: max_length - tail - 1]}…{text[-tail:]}"


def unique_labels(names: Sequence[object]) -> tuple[str, ...]:
    """A label per name; names that would look the same, such as 1 and "1", also show their type.

    >>> unique_labels([1, "1", "b"])
    ('1 (int)', '1 (str)', 'b')
    """
    labels = [shortened(visible(name)) for name in names]
    seen = Counter(labels)
    labels = [
        f"{label} ({type(n).__name__})" if seen[label] > 1 else label for label, n in zip(labels, names, strict=True)
    ]
    seen = Counter(labels)
    return tuple(f"{label} #{k}" if seen[label] > 1 else label for k, label in enumerate(labels))


def display_width(text: str) -> float:
    """The width of a text in lower-case letters: capitals count more, Chinese and emoji twice, accents zero."""
    return sum(map(_width, text))


def _width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.9
    if character.isupper() or character in "mw@%—<>=+~#&":
        return 1.3
    return 0.65 if character in "ijl.,:;'|! " else 1.0


def _shown(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)  # the control pictures: ␊ for a new line
    if character in _REORDERING or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return f"\\u{code:04x}"
    return character
