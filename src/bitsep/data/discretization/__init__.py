"""Discretization: numeric columns are divided into intervals, which are levels like any others."""

from bitsep.data.discretization.column import CutColumn
from bitsep.data.discretization.request import Discretization

__all__ = ["CutColumn", "Discretization"]
