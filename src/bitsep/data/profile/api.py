"""`describe`: the profile of data of any kind, and which of their columns cannot serve in a search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from bitsep.data.contract import EncodedData
from bitsep.data.load import encoded
from bitsep.data.profile.alerts import alert_key, column_alerts, unsuitable_alert
from bitsep.data.profile.frequencies import frequency_alert
from bitsep.data.profile.kinds import ColumnFacts, facts_of
from bitsep.data.profile.relations import relation_alerts
from bitsep.data.profile.result import Alert, ColumnProfile, Profile
from bitsep.naming import Name

_TOP = 5


def describe(data: Any, *, threads: int | None = None) -> Profile:
    """Describe the columns of a table, with alerts about those that need attention before a search.

    Parameters
    ----------
    data
        Any data that `bitsep.Table` reads, a `Table`, a scan or a Spark data frame.
    threads : int, optional
        The number of threads for a scan; default: all cores. The result does not depend on it.

    Returns
    -------
    Profile
        For each column its kind, levels, most frequent levels and missing values; and alerts about identifiers, dates,
        free text, unnamed indices, frequencies, numbers stored as text, many levels, missing values, near-constant
        columns, duplicates, and functions of other columns. docs/describe.md has the rules.

    Notes
    -----
    Columns that look continuous are no error here. A `Table` or a scan that has such columns must be made with
    ``max_float_levels=None``.

    Relations between columns are searched for in at most 10,000 rows and confirmed on all rows, in tables with at most
    1,000 columns that can serve in a search.

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("asia").sample(1000, seed=1)[["smoke", "lung"]]
    >>> print(bitsep.describe(data.assign(id=range(1, 1001))))
    1,000 rows, 3 columns
      column  kind        levels  missing  rows per level  most frequent
      smoke   category         2                      500  'no' (505), 'yes' (495)
      lung    category         2                      500  'no' (950), 'yes' (50)
      id      identifier   1,000                        1  1 (1), 2 (1), 3 (1), 4 (1), 5 (1), …
    Alerts
      id looks like an identifier: 1,000 different values in 1,000 rows. Searches leave it out; if its
        order has a meaning, discretize it.
    """
    table = encoded(data, max_float_levels=None)
    facts = facts_of(table, threads)
    alerts = [alert for column in facts for alert in column_alerts(column)]
    frequency = frequency_alert(facts, table.counter(threads))
    if frequency is not None:
        alerts = [frequency, *(one for one in alerts if one.column != frequency.column)]
    unsuitable = {alert.column for alert in alerts if alert.unsuitable}
    others = [column for column in facts if column.name not in unsuitable]
    alerts += relation_alerts(others, table.counter(threads))
    return Profile(tuple(map(_profile, facts)), tuple(sorted(alerts, key=alert_key)), table.n_rows, table.n)


def unsuitable_columns(
    data: EncodedData, threads: int | None = None, columns: Iterable[Name] | None = None
) -> tuple[Alert, ...]:
    """The columns that cannot serve in a search for a graph, each with one alert that says why and what to do.

    These are identifiers, dates and times, free text, numbers stored as text with more levels than the rows support,
    indices without a name, and columns without values: given such a column nearly every stratum has one row, so that
    it separates all other columns; and frequencies, which belong to the weights. Nothing but levels and their counts
    is needed (for frequencies, joint counts); with a scan the counts are one pass, which is made only if a column has
    more than 12 levels.

    Parameters
    ----------
    data : EncodedData
        The data of the search.
    threads : int, optional
        The number of threads for a scan; default: all cores.
    columns : iterable of names, optional
        The columns to judge; default: all.

    Returns
    -------
    tuple of Alert
        In the order of `Profile.alerts`: by kind, then by name.

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.Table({"x": [0, 1] * 10, "id": range(20)})
    >>> [(alert.column, alert.kind) for alert in unsuitable_columns(data)]
    [('id', 'identifier')]
    """
    facts = facts_of(data, threads, columns)
    alerts = {column.name: alert for column in facts if (alert := unsuitable_alert(column)) is not None}
    if columns is None and (frequency := frequency_alert(facts, data.counter(threads))) is not None:
        alerts[frequency.column] = frequency
    return tuple(sorted(alerts.values(), key=alert_key))


def _profile(column: ColumnFacts) -> ColumnProfile:
    missing = column.n - column.present
    # Stable, so levels with equal counts stay in canonical order.
    top = np.argsort(-column.counts.astype(np.int64), kind="stable")[:_TOP].tolist()
    return ColumnProfile(
        name=column.name,
        kind=column.kind,
        n_levels=column.n_levels,
        n_missing=missing,
        missing_share=missing / column.n,
        rows_per_level=column.rows / column.n_levels if column.n_levels else 0.0,
        top=tuple((column.levels[i], int(column.counts[i])) for i in top),
    )
