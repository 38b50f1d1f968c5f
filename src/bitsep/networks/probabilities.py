"""Checks of levels and of tables of conditional probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs.base import python_name
from bitsep.naming import Name

ROUNDING = 0.01 + 1e-9
"""The largest difference of the sum of a row from 1: published tables have few digits, and three times 0.33 is 0.99."""

_EXACT = 1e-12
"""Rows with a sum this close to 1 are not changed, so that writing and reading does not change probabilities."""


def checked_levels(variable: Name, levels: Sequence[Name]) -> tuple[Name, ...]:
    """The levels as a tuple, after a check that there is at least one, without duplicates."""
    if isinstance(levels, str):
        raise UnsupportedTypeError(f"levels: those of {variable!r} must be a list, got the text {levels!r}.")
    found = tuple(python_name(level) for level in levels)
    if not found:
        raise ArgumentError(f"levels: {variable!r} needs at least one level, got none.")
    seen: set[Name] = set()
    for level in found:
        if level in seen:
            raise ArgumentError(f"levels: those of {variable!r} must differ, got {level!r} twice.")
        seen.add(level)
    return found


def checked_cpt(variable: Name, values: npt.ArrayLike, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """A read-only table of this shape with rows that sum to 1."""
    try:
        table = np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise UnsupportedTypeError(f"cpts: the probabilities of {variable!r} must be an array of numbers.") from None
    if table.shape != shape:
        raise ArgumentError(
            f"cpts: the probabilities of {variable!r} must have shape {shape}, by the levels of its parents "
            f"and its own, got {table.shape}."
        )
    table = normalized(table, f"cpts of {variable!r}")
    table.flags.writeable = False
    return table


def normalized(table: npt.NDArray[np.float64], what: str) -> npt.NDArray[np.float64]:
    """The table with rows scaled to a sum of 1; raises an error if a row is not a distribution."""
    if not (np.isfinite(table).all() and (table >= 0).all()):
        bad = table[~(np.isfinite(table) & (table >= 0))].flat[0]
        raise ArgumentError(f"{what}: must be finite and at least 0, got {bad}.")
    sums = np.cumsum(table, axis=-1)[..., -1:]  # adds from left to right on every machine, unlike `sum`
    error = np.abs(sums - 1)
    if error.size and error.max() > ROUNDING:
        raise ArgumentError(f"{what}: must sum to 1 in each row, got {sums.flat[int(error.argmax())]:.6g}.")
    return np.where(error > _EXACT, table / sums, table)
