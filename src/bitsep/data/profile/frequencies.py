"""Tables of frequencies: each row is another combination of levels, and one column says how many cases have it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bitsep.data.profile.alerts import unsuitable_alert
from bitsep.data.profile.kinds import ColumnFacts
from bitsep.data.profile.result import Alert
from bitsep.naming import shown_name, shown_names

if TYPE_CHECKING:
    from bitsep.counting.contract import Counter

_NAME = re.compile(r"(?:freq|count|case|weight)s?|frequency|n|number|nb", re.IGNORECASE)
_MAX_ROWS = 100_000
_MAX_EMPTY = 100  # combinations per row; if most of them are empty, rows differ by chance


def frequency_alert(facts: Sequence[ColumnFacts], counter: Counter) -> Alert | None:
    """The alert about a column of frequencies, which belongs to the weights; None for other tables."""
    candidates = [one for one in facts if _can_be_frequency(one)]
    if len(candidates) != 1 or candidates[0].n_rows > _MAX_ROWS:
        return None
    [column] = candidates
    others = [one for one in facts if one is not column and unsuitable_alert(one) is None]
    if len(others) < 2 or not all(one.present == one.n and one.n_levels <= one.level_limit for one in others):
        return None
    if not 1 <= math.prod(one.n_levels for one in others) / column.n_rows <= _MAX_EMPTY:
        return None
    [joint] = counter.joint_counts([tuple(sorted(counter.places[one.name] for one in others))])
    if len(joint.occupied()[1]) < column.n_rows:
        return None
    names = shown_names((one.name for one in others), "")
    return Alert(
        column.name,
        "frequency",
        f"{shown_name(column.name)} looks like frequencies: each row is another combination of {names}.",
        "Searches leave it out; use it as the weights of the rows (weights=, --weights in the shell).",
        unsuitable=True,
        related=tuple(one.name for one in others),
    )


def _can_be_frequency(column: ColumnFacts) -> bool:
    """Whether the column has the name of a frequency, and whole numbers that are not negative."""
    if not isinstance(column.name, str) or not _NAME.fullmatch(column.name) or column.types != {int}:
        return False
    first = column.levels[0]
    return column.n == column.n_rows and isinstance(first, int) and first >= 0 and column.n_levels > 1
