"""The display of a table: a few lines of text, or a small HTML table in a notebook."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from bitsep.data.levels import Level, level_text, pandas_name
from bitsep.figures import shown_count
from bitsep.markup import html_table
from bitsep.naming import Name, shown_name

_SHOWN_COLUMNS = 20
_SHOWN_LEVELS = 6
_SHOWN_CHARACTERS = 24


class ColumnSummary(NamedTuple):
    """The summary of one column in `Table.summary`."""

    name: Name
    n_levels: int
    missing: int
    levels: tuple[Level, ...]


def as_text(n_rows: int, weight: int | None, columns: Sequence[ColumnSummary]) -> str:
    """The table in a few lines; `weight` is the sum of the weights, or None."""
    shown = columns[:_SHOWN_COLUMNS]
    width = max(len(shown_name(column.name)) for column in shown)
    lines = [_title(n_rows, weight, len(columns))]
    lines += [f"  {shown_name(column.name):{width}}  {_sizes(column)}: {_preview(column.levels)}" for column in shown]
    return "\n".join(lines + _rest(columns))


def as_html(n_rows: int, weight: int | None, columns: Sequence[ColumnSummary]) -> str:
    """The table as HTML, with everything that comes from the data escaped."""
    rows = [
        (shown_name(column.name), f"{column.n_levels:,}", f"{column.missing:,}", _preview(column.levels))
        for column in columns[:_SHOWN_COLUMNS]
    ]
    title = _title(n_rows, weight, len(columns))
    foot = "".join(f"<p>{line.strip()}</p>" for line in _rest(columns))
    return html_table(title, ("column", "levels", "missing", "values"), rows, numbers=(1, 2)) + foot


def _title(n_rows: int, weight: int | None, n_columns: int) -> str:
    total = "" if weight is None else f" (total weight {weight:,})"
    return f"Table: {shown_count(n_rows, 'row')}{total}, {shown_count(n_columns, 'column')}"


def _rest(columns: Sequence[ColumnSummary]) -> list[str]:
    more = len(columns) - _SHOWN_COLUMNS
    return [f"  … and {shown_count(more, 'more column')}"] if more > 0 else []


def _sizes(column: ColumnSummary) -> str:
    missing = f", {column.missing:,} missing" if column.missing else ""
    return shown_count(column.n_levels, "level") + missing


def _preview(levels: tuple[Level, ...]) -> str:
    texts = map(shown_level, levels[:_SHOWN_LEVELS])
    shown = [text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…" for text in texts]
    return ", ".join(shown) + (", …" if len(levels) > _SHOWN_LEVELS else "")


def shown_level(level: Level) -> str:
    """A level as Python code; times and intervals as text, since their code is too long."""
    is_long = isinstance(level, dt.date | dt.time | dt.timedelta) or pandas_name(level) in ("Interval", "Period")
    return str(level) if is_long else level_text(level)
