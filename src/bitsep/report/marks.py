"""The marks at the ends of an edge, by the sign between its variables."""

from __future__ import annotations

from bitsep.graphs.end_marks import SIGNS, Mark


def end_marks(sign: str) -> tuple[Mark, Mark]:
    """The marks at the first and at the second variable of an edge.

    >>> end_marks("→"), end_marks("—"), end_marks("o→")
    (('tail', 'arrow'), ('tail', 'tail'), ('circle', 'arrow'))
    """
    return SIGNS[sign]


def has_order(sign: str) -> bool:
    """Whether an edge says that its first variable does not come after its second one.

    >>> has_order("→"), has_order("—"), has_order("↔")
    (True, False, False)
    """
    first, last = end_marks(sign)
    return last == "arrow" and first != "arrow"
