"""The profile of a table: what its columns are, and what to know about them before they are used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bitsep.data.levels import FLOAT_BITS, Level, plain_text
from bitsep.data.profile.kinds import Kind
from bitsep.figures import shown_count
from bitsep.naming import Name, plain_name, unknown_column

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "bitsep.profile"
VERSION = 1


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """The profile of one column.

    Attributes
    ----------
    name : name
        The name of the column.
    kind : str
        What the column is: ``"category"``, ``"integer"``, ``"continuous"``, ``"date"`` (or time), ``"text"``,
        ``"identifier"`` or ``"constant"`` (at most one level).
    n_levels : int
        The number of levels.
    n_missing : int
        The number of rows without a value (a sum of weights).
    missing_share : float
        The share of these rows.
    rows_per_level : float
        The mean number of rows per level, without weights; 0 without levels.
    top : tuple of (level, count)
        The most frequent levels, at most five, with their counts; of equally frequent ones the first in canonical
        order.
    """

    name: Name
    kind: Kind
    n_levels: int
    n_missing: int
    missing_share: float
    rows_per_level: float
    top: tuple[tuple[Level, int], ...]

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {
            "name": plain_name(self.name),
            "kind": self.kind,
            "n_levels": self.n_levels,
            "n_missing": self.n_missing,
            "missing_share": self.missing_share,
            "rows_per_level": self.rows_per_level,
            "top": [[_plain_level(level), count] for level, count in self.top],
        }


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing to know about a column before it is used.

    Attributes
    ----------
    column : name
        The name of the column.
    kind : str
        ``"all_missing"``, ``"unnamed_index"``, ``"identifier"``, ``"date"``, ``"text"``, ``"number_as_text"``,
        ``"frequency"``, ``"missing_code"``, ``"similar_levels"``, ``"mostly_missing"``, ``"many_levels"``,
        ``"duplicate"``, ``"function"``, ``"near_constant"`` or ``"constant"``.
    message : str
        What was found, as a sentence.
    advice : str
        What to do, as a sentence.
    unsuitable : bool
        Whether the column cannot serve in a search for a graph.
    related : tuple of names
        The other columns that the alert is about: those that the column is a function or a duplicate of.
    """

    column: Name
    kind: str
    message: str
    advice: str
    unsuitable: bool = False
    related: tuple[Name, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {
            "column": plain_name(self.column),
            "kind": self.kind,
            "message": self.message,
            "advice": self.advice,
            "unsuitable": self.unsuitable,
            "related": [plain_name(name) for name in self.related],
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Alert:
        """An alert from the values that `to_dict` returned, in which names are integers or text."""
        return cls(**{**content, "related": tuple(content["related"])})


@dataclass(frozen=True, repr=False)
class Profile:
    """The profile of a table, made by `bitsep.describe`; it prints as a table.

    Attributes
    ----------
    columns : tuple of ColumnProfile
        The columns in the order of the source.
    alerts : tuple of Alert
        What to know about the columns, the most important first, then by name.
    n_rows : int
        The number of rows, without those of weight 0.
    n : int
        The sum of the weights; without weights, the number of rows.
    """

    columns: tuple[ColumnProfile, ...]
    alerts: tuple[Alert, ...]
    n_rows: int
    n: int

    @property
    def unsuitable(self) -> tuple[Name, ...]:
        """The columns that cannot serve in a search for a graph, in the order of the source."""
        names = {alert.column for alert in self.alerts if alert.unsuitable}
        return tuple(column.name for column in self.columns if column.name in names)

    def __getitem__(self, name: Name) -> ColumnProfile:
        """The profile of one column."""
        for column in self.columns:
            if column.name == name:
                return column
        raise unknown_column("name", name, [column.name for column in self.columns])

    def to_pandas(self) -> pd.DataFrame:
        """A data frame with one row per column, whose last column has the kinds of its alerts."""
        import pandas as pd

        kinds: dict[Name, list[str]] = {column.name: [] for column in self.columns}
        for alert in self.alerts:
            kinds[alert.column].append(alert.kind)
        rows = [
            {
                "column": column.name,
                "kind": column.kind,
                "n_levels": column.n_levels,
                "n_missing": column.n_missing,
                "missing_share": column.missing_share,
                "rows_per_level": column.rows_per_level,
                "top": column.top,
                "alerts": tuple(kinds[column.name]),
            }
            for column in self.columns
        ]
        return pd.DataFrame(rows).set_index("column")

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent; levels that are neither numbers nor text as text."""
        return {
            "n_rows": self.n_rows,
            "n": self.n,
            "columns": [column.to_dict() for column in self.columns],
            "alerts": [alert.to_dict() for alert in self.alerts],
        }

    def to_json(self, indent: int | None = None) -> str:
        """Canonical JSON with a schema and its version: the same result gives the same bytes."""
        content = {"schema": SCHEMA, "schema_version": VERSION, **self.to_dict()}
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent)

    def __repr__(self) -> str:
        counts = (self.n_rows, "row"), (len(self.columns), "column"), (len(self.alerts), "alert")
        return f"<Profile: {', '.join(shown_count(number, noun) for number, noun in counts)}>"

    def __str__(self) -> str:
        from bitsep.data.profile.display import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from bitsep.data.profile.display import as_html

        return as_html(self)


def _plain_level(level: Any) -> bool | int | float | str:
    if isinstance(level, bool | str):
        return level
    if isinstance(level, int) and level.bit_length() <= FLOAT_BITS:
        return level
    if isinstance(level, float) and abs(level) != float("inf"):
        return level
    return plain_text(level)
