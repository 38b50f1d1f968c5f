"""The display of a profile: a table of text for a terminal, an HTML table for a notebook, lines about alerts."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bitsep.data.display import shown_level
from bitsep.figures import shown_count
from bitsep.markup import html_list, html_table
from bitsep.naming import shown_name

if TYPE_CHECKING:
    from bitsep.data.profile.result import Alert, ColumnProfile, Profile

_SHOWN_COLUMNS = 200
_SHOWN_ALERTS = 50
_WIDTH = 100
# Alerts that several columns can have are shown on one line.
_GROUPED = {
    "many_levels": "have many levels",
    "near_constant": "have nearly always the same level",
    "constant": "have only one level",
}
_LEVEL_CHARACTERS = 16
_NAME_CHARACTERS = 30
_TOP_CHARACTERS = 44
_HEAD = ("column", "kind", "levels", "missing", "rows per level", "most frequent")
_RIGHT = (2, 3, 4)  # columns of numbers


def as_text(profile: Profile) -> str:
    """The profile as lines of text."""
    rows = [_HEAD, *(_row(column) for column in profile.columns[:_SHOWN_COLUMNS])]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = [title(profile)]
    for row in rows:
        cells = [
            f"{cell:>{width}}" if i in _RIGHT else f"{cell:<{width}}"
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    lines += [f"  {line}" for line in _more(len(profile.columns) - _SHOWN_COLUMNS, "column")]
    if profile.alerts:
        lines.append("Alerts")
        wrapper = textwrap.TextWrapper(
            _WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in _shown_alerts(profile):
            lines += wrapper.wrap(line)
    return "\n".join(lines)


def as_html(profile: Profile) -> str:
    """The profile as HTML, with everything that comes from the data escaped."""
    table = html_table(title(profile), _HEAD, map(_row, profile.columns[:_SHOWN_COLUMNS]), numbers=(2, 3, 4))
    more = "".join(f"<p>{line}</p>" for line in _more(len(profile.columns) - _SHOWN_COLUMNS, "column"))
    alerts = html_list(_shown_alerts(profile))
    return table + more + (f"<p>Alerts</p>{alerts}" if alerts else "")


def title(profile: Profile) -> str:
    """The numbers of rows and columns."""
    total = "" if profile.n == profile.n_rows else f" (total weight {profile.n:,})"
    return f"{shown_count(profile.n_rows, 'row')}{total}, {shown_count(len(profile.columns), 'column')}"


def _row(column: ColumnProfile) -> tuple[str, ...]:
    per_level = column.rows_per_level
    return (
        _cut(shown_name(column.name), _NAME_CHARACTERS),
        column.kind,
        f"{column.n_levels:,}",
        _missing(column),
        f"{per_level:,.0f}" if per_level >= 100 or per_level == int(per_level) else f"{per_level:.1f}",
        top_text(column),
    )


def _missing(column: ColumnProfile) -> str:
    """The share of missing values; empty if there are none."""
    if column.n_missing and column.missing_share < 0.0005:
        return "< 0.1%"
    return f"{column.missing_share:.1%}" if column.n_missing else ""


def top_text(column: ColumnProfile) -> str:
    """The most frequent levels with their counts, as many as fit into a line."""
    shown = ""
    for number, (level, count) in enumerate(column.top):
        entry = f"{_cut(shown_level(level), _LEVEL_CHARACTERS)} ({count:,})"
        if number and len(shown) + len(entry) > _TOP_CHARACTERS:
            return shown + ", …"
        shown += (", " if number else "") + entry
    return shown + (", …" if column.n_levels > len(column.top) else "")


def alert_lines(profile: Profile, alerts: Iterable[Alert]) -> list[tuple[str, str]]:
    """The kind and the text of alerts of a profile, in their order; similar alerts share a line."""
    groups: dict[tuple[object, ...], list[Alert]] = {}
    for alert in alerts:
        key = (alert.kind, alert.advice) if alert.kind in _GROUPED else (alert.kind, alert.column)
        groups.setdefault(key, []).append(alert)
    return [(group[0].kind, _alert_line(group, profile)) for group in groups.values()]


def left_out_line(alert: Alert, *, shell: bool = False) -> str:
    """Why a search left out a column, and how to keep it, in Python or in the shell."""
    keep = f"--keep {shlex.quote(str(alert.column))}" if shell else f"keep=[{alert.column!r}]"
    return f"{alert.message} {alert.advice} Keep it with {keep}."


def restricted_line(alert: Alert, *, shell: bool = False) -> str:
    """What a search does not use a column for that is mostly missing, and how to use it, in Python or in the shell."""
    name = shlex.quote(str(alert.column))
    how = (
        f"--min-rows-share 0 or --missing-as-level {name}"
        if shell
        else f"min_rows_share=0 or missing_as_level=[{alert.column!r}]"
    )
    return f"{alert.message} {alert.advice} Use it with {how}."


def _shown_alerts(profile: Profile) -> list[str]:
    lines = [line for _, line in alert_lines(profile, profile.alerts)]
    return lines[:_SHOWN_ALERTS] + _more(len(lines) - _SHOWN_ALERTS, "alert")


def _alert_line(group: Sequence[Alert], profile: Profile) -> str:
    first = group[0]
    if len(group) == 1:
        return f"{first.message} {first.advice}"
    names = [_cut(shown_name(alert.column), _NAME_CHARACTERS) for alert in group[:_SHOWN_COLUMNS]]
    if first.kind == "many_levels":
        names = [f"{name} ({profile[alert.column].n_levels:,})" for name, alert in zip(names, group, strict=False)]
    names += _more(len(group) - _SHOWN_COLUMNS, "column")
    return f"{len(group):,} columns {_GROUPED[first.kind]}: {', '.join(names)}. {first.advice}"


def _more(number: int, noun: str) -> list[str]:
    return [f"… and {shown_count(number, f'more {noun}')}"] if number > 0 else []


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
