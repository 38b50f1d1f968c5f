"""A warning about weights that do not look like numbers of identical rows."""

from __future__ import annotations

import numpy as np

from bitsep.data.contract import EncodedData

_LINES = 100  # in smaller tables of frequencies weights can be of any kind
_ONES = 0.05


def weight_warnings(data: EncodedData | None) -> tuple[str, ...]:
    """A warning if the weights may be those of a survey.

    Where a table of frequencies has many lines, many of them have the weight 1 and few have most of the rows; the
    weights of a survey are of about the same size.
    """
    weights = getattr(data, "weights", None)
    if weights is None:
        return ()
    used = weights[weights > 0]
    total = int(used.sum())
    if len(used) < _LINES or total <= 2 * len(used):
        return ()
    if np.mean(used == 1) > _ONES or np.median(used) < used.mean() / 2:
        return ()
    return (
        f"The weights make {total:,} rows of {len(used):,}, and they do not look like numbers of identical rows: with "
        "the weights of a survey, dependences look far stronger than they are.",
    )
