"""A numeric column that was divided into intervals: where, and by which method."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitsep.checks import real_number
from bitsep.data.encode import Codes, code_type
from bitsep.data.levels import Level
from bitsep.naming import Name, plain_name, shown_name

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CutColumn:
    """The intervals of a discretized column.

    Attributes
    ----------
    column : name
        The name of the column.
    method : str
        The method that chose the cut points: as in the argument `discretize`, or ``"cut points"`` for given ones.
    points : tuple of float
        The cut points, ascending; an interval excludes its lower cut point and includes its upper one.
    n_levels : int
        The number of levels before.
    """

    column: Name
    method: str
    points: tuple[float, ...]
    n_levels: int

    def intervals(self) -> tuple[Any, ...]:
        """The intervals as `pandas.Interval`, closed on the right: the levels of the column."""
        import pandas as pd

        return tuple(pd.Interval(low, high) for low, high in pairwise([-math.inf, *self.points, math.inf]))

    def recode(self, levels: Sequence[Level]) -> Codes:
        """The interval of each level by number; the last entry is for missing values, −1."""
        places = np.searchsorted(np.array(self.points), values_of(levels), side="left")
        return np.append(places, -1).astype(code_type(len(self.points) + 1))

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {
            "column": plain_name(self.column),
            "method": self.method,
            "points": list(self.points),
            "n_levels": self.n_levels,
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> CutColumn:
        """A column from the values that `to_dict` returned, in which names are integers or text."""
        return cls(**{**content, "points": tuple(content["points"])})

    def __str__(self) -> str:
        """One line.

        >>> print(CutColumn("price", "auto", (2.5, 7.0, 12.0), 940))
        price: 940 levels cut into 4 intervals at 2.5, 7, 12 (auto)
        """
        name, points = shown_name(self.column), ", ".join(_number(point) for point in self.points)
        if not self.points:
            return f"{name}: {self.n_levels:,} levels merged into one interval ({self.method})"
        return f"{name}: {self.n_levels:,} levels cut into {len(self.points) + 1} intervals at {points} ({self.method})"


def merged_cuts(names: Sequence[Name], earlier: Sequence[CutColumn], new: Sequence[CutColumn]) -> tuple[CutColumn, ...]:
    """The cut columns of data whose columns were cut before and now, in the order of these names."""
    found = {one.column: one for one in (*earlier, *new)}
    return tuple(found[name] for name in names if name in found)


def values_of(levels: Sequence[Level]) -> Values:
    """The levels of a numeric column as floats."""
    return np.array([real_number(level) for level in levels], dtype=np.float64)


def _number(point: float) -> str:
    return f"{point:.0f}" if point.is_integer() and abs(point) < 1e15 else repr(point)
