"""The first section of the page: what the columns of the data are, what the search left out, and other alerts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bitsep.data.contract import EncodedData
from bitsep.data.profile import Profile, describe
from bitsep.data.profile.display import alert_lines, left_out_line, restricted_line, title, top_text
from bitsep.discovery import Discovery
from bitsep.naming import Name
from bitsep.report.labels import quoted_label, unique_labels
from bitsep.report.view import ColumnView, DataNoteView, DataView

MAX_NOTES = 200
"""Maximum number of lines about columns; only the number of others is shown."""


def data_view(
    data: EncodedData | None, discovery: Discovery, variables: Mapping[Name, int], *, shell: bool
) -> DataView | None:
    """The section about the data; None if nothing is known about them.

    Parameters
    ----------
    data : EncodedData, optional
        The data with all their columns, also those that the search left out.
    discovery : Discovery
        The result of the search, which has the columns that it left out, restricted or divided into intervals.
    variables : mapping from names to int
        The index of each variable of the graph.
    shell : bool
        Whether the reader used the shell, whose options the text then names.
    """
    left_out, restricted, discretized = discovery.left_out, discovery.restricted, discovery.discretized
    if data is None and not left_out and not restricted and not discretized:
        return None
    profile = None if data is None else describe(data)
    notes = [DataNoteView("left out", left_out_line(alert, shell=shell)) for alert in left_out]
    notes += [DataNoteView("restricted", restricted_line(alert, shell=shell)) for alert in restricted]
    notes += [DataNoteView("discretized", f"{column}.") for column in discretized]
    if profile is not None:
        settled = ({one.column for one in columns} for columns in (left_out, restricted, discretized))
        notes += _other_notes(profile, *settled)
    return DataView(
        title=None if profile is None else title(profile),
        notes=tuple(notes[:MAX_NOTES]),
        notes_left_out=max(0, len(notes) - MAX_NOTES),
        table=() if profile is None else tuple(_columns(profile, variables)),
    )


def _other_notes(
    profile: Profile, left_out: set[Name], restricted: set[Name], cut: set[Name]
) -> Iterator[DataNoteView]:
    """The alerts that are not the reason for which a column was left out, restricted or divided into intervals."""
    others = [
        alert
        for alert in profile.alerts
        if not (alert.unsuitable and alert.column in left_out | cut)
        and not (alert.kind == "mostly_missing" and alert.column in restricted)
        and not (alert.kind == "many_levels" and alert.column in cut)
    ]
    for alert in others:
        if alert.unsuitable:
            yield DataNoteView(_tag(alert.kind), f"{alert.message} It was kept.")
    for kind, line in alert_lines(profile, (alert for alert in others if not alert.unsuitable)):
        yield DataNoteView(_tag(kind), line)


def _columns(profile: Profile, variables: Mapping[Name, int]) -> Iterator[ColumnView]:
    tags: dict[Name, list[str]] = {}
    for alert in profile.alerts:
        tags.setdefault(alert.column, []).append(_tag(alert.kind))
    labels = unique_labels([column.name for column in profile.columns])
    for column, label in zip(profile.columns, labels, strict=True):
        yield ColumnView(
            label=quoted_label(column.name, label),
            variable=variables.get(column.name),
            kind=column.kind,
            n_levels=column.n_levels,
            missing_share=float(f"{column.missing_share:.4g}"),
            rows_per_level=float(f"{column.rows_per_level:.4g}"),
            top=top_text(column),
            alerts=tuple(tags.get(column.name, ())),
        )


def _tag(kind: str) -> str:
    """The kind of an alert in words.

    >>> _tag("many_levels")
    'many levels'
    """
    return kind.replace("_", " ")
