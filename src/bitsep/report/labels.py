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


def unique_labels(names: Sequence[object], max_length: int = _MAX_LENGTH) -> tuple[str, ...]:
    """A label per name; names that look the same, such as 1 and "1", also show their type.

    Long names that would be the same without their middle show where they differ.

    >>> unique_labels([1, "1", "b"])
    ('1 (int)', '1 (str)', 'b')
    >>> unique_labels(["height of the sample 1 in the first year", "height of the sample 2 in the first year"], 30)
    ('height …ample 1 in the…st year', 'height …ample 2 in the…st year')
    """
    texts = [visible(name) for name in names]
    seen = Counter(texts)
    texts = [f"{text} ({type(n).__name__})" if seen[text] > 1 else text for text, n in zip(texts, names, strict=True)]
    labels = [shortened(text, max_length) for text in texts]
    alike: dict[str, list[int]] = {}
    for k, label in enumerate(labels):
        alike.setdefault(label, []).append(k)
    for members in alike.values():
        if len(members) > 1:
            distinct = _around_difference([texts[k] for k in members], max_length)
            for k, label in zip(members, distinct, strict=True):
                labels[k] = label
    seen = Counter(labels)
    return tuple(f"{label} #{k}" if seen[label] > 1 else label for k, label in enumerate(labels))


def _around_difference(texts: Sequence[str], max_length: int) -> list[str]:
    """Texts with the same beginning and the same end: both, and between them the part in which they differ."""
    begin = _same(texts)
    end = min(_same([text[::-1] for text in texts]), min(map(len, texts)) - begin)
    side = max_length // 4
    room = max_length - 2 * side - 2
    start = begin - max(0, room - max(map(len, texts)) + begin + end) // 2
    labels = []
    for text in texts:
        if start + room >= len(text) - side:
            labels.append(f"{text[:side]}…{text[side + 1 - max_length :]}")
        else:
            middle = text[start : max(start + room, len(text) - end)]
            labels.append(f"{text[:side]}…{shortened(middle, room)}…{text[-side:]}")
    return labels


def _same(texts: Sequence[str]) -> int:
    """How many characters at the beginning the texts have in common."""
    columns = zip(*texts, strict=False)
    return next((k for k, column in enumerate(columns) if len(set(column)) > 1), min(map(len, texts)))


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
