"""Reading and encoding: data of many kinds become a `Table` of integer codes and levels."""

from bitsep.data.display import ColumnSummary
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS, MAX_LEVELS
from bitsep.data.levels import DEFAULT_MISSING
from bitsep.data.table import Table

__all__ = ["DEFAULT_MAX_FLOAT_LEVELS", "DEFAULT_MISSING", "MAX_LEVELS", "ColumnSummary", "Table"]
