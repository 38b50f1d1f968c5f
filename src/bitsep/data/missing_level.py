"""The argument `missing_as_level`: the columns in which missing values are a level of their own."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from bitsep.checks import shown
from bitsep.data.contract import EncodedData
from bitsep.errors import UnsupportedTypeError
from bitsep.naming import Name

MissingAsLevel = bool | tuple[Name, ...]
"""True for all columns, False for none, or the names of some."""


def checked_missing_as_level(value: Any) -> MissingAsLevel:
    """The argument after a check; it can be a single name.

    >>> checked_missing_as_level("age"), checked_missing_as_level(None), checked_missing_as_level([])
    (('age',), False, False)
    """
    if value is None or isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        value = (value,)
    names = tuple(value)
    for name in names:
        if not isinstance(name, Hashable) or isinstance(name, bool):
            raise UnsupportedTypeError(
                f"missing_as_level: must be True, False or names of columns, got {shown(name)} among them."
            )
    return tuple(dict.fromkeys(names)) or False


def with_missing_level(data: EncodedData, missing_as_level: bool | Iterable[Name]) -> EncodedData:
    """The data with missing values as a level in these columns."""
    if isinstance(missing_as_level, bool):
        return data.with_missing_level() if missing_as_level else data
    return data.with_missing_level(missing_as_level)
