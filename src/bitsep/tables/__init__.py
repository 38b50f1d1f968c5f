"""Reading: any table a person has becomes a `Table` of integer codes and levels."""

from bitsep.tables.display import ColumnSummary
from bitsep.tables.encode import DEFAULT_MAX_FLOAT_LEVELS, MAX_LEVELS
from bitsep.tables.levels import DEFAULT_MISSING
from bitsep.tables.table import Table

__all__ = ["DEFAULT_MAX_FLOAT_LEVELS", "DEFAULT_MISSING", "MAX_LEVELS", "ColumnSummary", "Table"]
