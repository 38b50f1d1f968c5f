"""The profile of a table: what its columns are, and which of them cannot serve in a search."""

from bitsep.data.profile.alerts import percent
from bitsep.data.profile.api import describe, unsuitable_columns
from bitsep.data.profile.result import Alert, ColumnProfile, Profile

__all__ = ["Alert", "ColumnProfile", "Profile", "describe", "percent", "unsuitable_columns"]
