"""The signs of edges in ASCII, which text formats use: ``->``, ``<->``, ``--``, ``o->``, ``o-o`` and ``--o``."""

from __future__ import annotations

from bitsep.graphs.base import SignedEdge
from bitsep.graphs.end_marks import SIGNS, Mark
from bitsep.naming import Name

ASCII = {"→": "->", "↔": "<->", "—": "--", "o→": "o->", "o—o": "o-o", "—o": "--o"}

_SIGN_OF = {marks: sign for sign, marks in SIGNS.items()}
_FORWARD = {text: sign for sign, text in ASCII.items()} | {sign: sign for sign in SIGNS}
_BACKWARD = {"<-": "→", "←": "→", "<-o": "o→", "←o": "o→", "o--": "—o", "o—": "—o"}


def signed(a: Name, sign: object, b: Name) -> SignedEdge | None:
    """The edge with a sign in ASCII or in Unicode, from either end; None if the sign is unknown.

    >>> signed("A", "<-o", "B")
    ('B', 'o→', 'A')
    """
    if not isinstance(sign, str):
        return None
    if sign in _FORWARD:
        return a, _FORWARD[sign], b
    return (b, _BACKWARD[sign], a) if sign in _BACKWARD else None


def with_marks(a: Name, at_a: Mark, at_b: Mark, b: Name) -> SignedEdge:
    """The edge with these marks at its ends.

    >>> with_marks("A", "arrow", "circle", "B")
    ('B', 'o→', 'A')
    """
    sign = _SIGN_OF.get((at_a, at_b))
    return (b, _SIGN_OF[at_b, at_a], a) if sign is None else (a, sign, b)
