"""Checks of the arguments of `Table`."""

from __future__ import annotations

from collections.abc import Sized

from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS
from bitsep.data.levels import DEFAULT_MISSING
from bitsep.errors import ArgumentError


def is_name(weights: object) -> bool:
    """Whether `weights` is the name of a column: text, a number, or another object that is not an array of values."""
    return isinstance(weights, str | bytes) or not isinstance(weights, Sized)


def refuse_reencoding(weights: object, missing: object, max_float_levels: object) -> None:
    """Raise an error if arguments ask to encode a Table in another way."""
    if weights is not None or missing is not DEFAULT_MISSING or max_float_levels != DEFAULT_MAX_FLOAT_LEVELS:
        raise ArgumentError(
            "data: a Table is encoded already, so weights, missing and max_float_levels cannot change it.",
            hint="Give them where the Table is made from the raw data.",
        )
