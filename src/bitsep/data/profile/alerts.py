"""The alerts about single columns. What each rule means for a user is in docs/describe.md."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from bitsep.data.levels import NUMBERS
from bitsep.data.profile.codes import missing_numbers
from bitsep.data.profile.kinds import FEW_LEVELS, ColumnFacts
from bitsep.data.profile.result import Alert
from bitsep.data.profile.texts import are_plain_numbers, missing_codes, not_numbers, separators, similar_texts
from bitsep.naming import name_key, shown_name

ORDER = (
    "all_missing", "unnamed_index", "identifier", "date", "text", "number_as_text", "frequency", "missing_code",
    "similar_levels", "mostly_missing", "many_levels", "duplicate", "function", "near_constant", "constant",
)  # fmt: skip
"""The kinds of alerts, the most important first."""

_MAX_SHOWN = 5  # groups of levels
_MAX_WORDS = 3  # texts among numbers
_MOSTLY = 0.5  # share of missing values
_NEAR_CONSTANT = 0.01  # share of the rows that have another than the most frequent level


def alert_key(alert: Alert) -> tuple[int, tuple[int, int, str]]:
    """The sort key of alerts."""
    return (ORDER.index(alert.kind), name_key(alert.column))


def unsuitable_alert(column: ColumnFacts) -> Alert | None:
    """The alert about a column that cannot serve in a search; None for other columns."""
    if not column.n_levels:
        return _unsuitable(column, "all_missing", f"{shown_name(column.name)} has no values.")
    if column.kind == "integer" and column.is_nearly_unique:
        return _many_levels(column)
    if column.kind in ("identifier", "date", "text") and not _is_date_with_few_levels(column):
        return _unsuitable_kind(column)
    return None


def column_alerts(column: ColumnFacts) -> Iterator[Alert]:
    """The alerts about one column."""
    name = shown_name(column.name)
    unsuitable = unsuitable_alert(column)
    if unsuitable is not None:
        yield unsuitable
    elif _is_date_with_few_levels(column):
        message = f"{name} looks like a date or time: {column.n_levels:,} different values in {column.rows:,} rows."
        yield Alert(column.name, "date", message, "It has few levels, so searches use it as a category.")
    elif column.n_levels > column.level_limit:
        yield _many_levels(column)
    elif column.has_numbers_as_text:
        yield _number_as_text(column, unsuitable=False)
    if not column.n_levels:
        return
    yield from _text_alerts(column)
    if column.types <= set(NUMBERS) and column.kind in ("category", "integer", "continuous"):
        codes = missing_numbers(column.levels, column.counts * (column.n_rows / column.n))
        if codes:
            yield _missing_code(column, codes, "numbers")
    missing = column.n - column.present
    if missing > _MOSTLY * column.n:
        yield Alert(
            column.name, "mostly_missing", f"{name} is missing in {percent(missing / column.n)} of the rows.",
            "Tests and scores use only rows that have a value.",
        )  # fmt: skip
    if column.n_levels == 1:
        yield Alert(
            column.name, "constant", f"{name} has only one level.", "A constant is independent of every other column."
        )
        return
    others = column.present - int(column.counts.max())
    if others <= _NEAR_CONSTANT * column.present:
        share = f"{percent(1 - others / column.present)} of the rows that have a value"
        yield Alert(
            column.name, "near_constant", f"{name} has the same level in {share}, all but {others:,}.",
            "Few rows can show a dependence.",
        )  # fmt: skip


def _text_alerts(column: ColumnFacts) -> Iterator[Alert]:
    """Alerts about the texts of a category: codes for missing values, and levels that look the same."""
    if column.n_levels > column.level_limit or column.kind not in ("category", "constant"):
        return
    name = shown_name(column.name)
    codes = missing_codes(column.levels)
    if codes:
        yield _missing_code(column, codes, "levels")
    similar = similar_texts(column.levels)
    if similar:
        shown = "; ".join(" and ".join(map(repr, group)) for group in similar[:_MAX_SHOWN])
        more = f" and {len(similar) - _MAX_SHOWN:,} more" if len(similar) > _MAX_SHOWN else ""
        message = f"{name} has levels that differ by blanks or capitals only: {shown}{more}."
        yield Alert(column.name, "similar_levels", message, "If they mean the same, give them the same text.")


def _missing_code(column: ColumnFacts, codes: Sequence[object], what: str) -> Alert:
    message = f"{shown_name(column.name)} has {what} that may mean missing: {', '.join(map(repr, codes))}."
    advice = f"If so, name them: {_missing_arguments(codes)}; otherwise they are {what} like all others."
    return Alert(column.name, "missing_code", message, advice)


def _missing_arguments(values: Sequence[object]) -> str:
    shell = " ".join(f"--missing {shlex.quote(str(value))}" for value in values)
    return f"missing={list(values)!r} ({shell})"


def _is_date_with_few_levels(column: ColumnFacts) -> bool:
    """Whether a date can serve in a search, such as that of one of three surveys."""
    return column.kind == "date" and column.n_levels <= FEW_LEVELS and column.n_levels < column.rows


def _unsuitable_kind(column: ColumnFacts) -> Alert:
    name = shown_name(column.name)
    values = f"{column.n_levels:,} different values in {column.rows:,} rows"
    if column.is_unnamed_index:
        message = f"{name} looks like the index of a data frame: {values}."
        return _unsuitable(column, "unnamed_index", message, "pandas writes no index with to_csv(index=False)")
    if column.kind == "identifier":
        instead = "if its order has a meaning, discretize it" if column.types <= set(NUMBERS) else ""
        return _unsuitable(column, "identifier", f"{name} looks like an identifier: {values}.", instead)
    if column.kind == "date":
        instead = "use parts of it as columns, such as month, weekday or hour"
        return _unsuitable(column, "date", f"{name} looks like a date or time: {values}.", instead)
    if column.has_numbers_as_text:
        return _number_as_text(column, unsuitable=True)
    return _unsuitable(
        column, "text", f"{name} looks like free text: {values}.", "derive columns with few levels from it"
    )


def _number_as_text(column: ColumnFacts, *, unsuitable: bool) -> Alert:
    words = not_numbers(column.levels)
    others = set(words)
    example = next(level for level in column.levels if level not in others)
    values = f"{column.n_levels:,} different values, such as {example!r}"
    if words:
        shown = ", ".join(map(repr, words[:_MAX_WORDS]))
        more = f" and {len(words) - _MAX_WORDS:,} more" if len(words) > _MAX_WORDS else ""
        values += f"; no numbers: {shown}{more}"
    message = f"{shown_name(column.name)} looks like numbers stored as text: {values}."
    instead = _ways_to_numbers([text for text in column.texts if text not in others], words[:_MAX_WORDS])
    if unsuitable and words:  # a search of a CSV file can stop with an error about the words
        return Alert(column.name, "number_as_text", message, f"Searches cannot use it; {instead}.", unsuitable=True)
    if unsuitable:
        return _unsuitable(column, "number_as_text", message, instead)
    return Alert(column.name, "number_as_text", message, f"{instead[0].upper()}{instead[1:]}.")


def _ways_to_numbers(texts: Sequence[str], words: Sequence[str]) -> str:
    """What to do with texts that are numbers, beside words that are none."""
    python: list[str] = []
    shell: list[str] = []
    signs = separators(texts)
    if signs:
        options = zip(("decimal", "thousands"), signs, (".", None), strict=True)
        given = [(name, sign) for name, sign, default in options if sign != default]
        python = [f"{name}={sign!r}" for name, sign in given]
        shell = [f"--{name} {sign}" for name, sign in given]
    if words:
        python.append(f"missing={list(words)!r}")
        shell += [f"--missing {shlex.quote(word)}" for word in words]
    if not python:
        return "turn its values into plain numbers, without separators, signs or words"
    condition = "if such words mean a missing value, " if words else ""
    ways = f"{condition}read the CSV file with {', '.join(python)} ({' '.join(shell)})"
    plain = are_plain_numbers(texts) or signs
    return f"{ways}, {'or' if plain else 'and'} turn its values into plain numbers"


def _many_levels(column: ColumnFacts) -> Alert:
    total = f" (total weight {column.present:,})" if column.n != column.n_rows else ""
    values = f"{column.n_levels:,} levels in {column.rows:,} rows{total}, more than {column.level_limit:,}"
    message = f"{shown_name(column.name)} has many levels: {values}."
    if column.kind == "integer" and column.is_nearly_unique:
        advice = "Searches leave it out unless it is discretized, which discover does by itself."
        return Alert(column.name, "many_levels", message, advice, unsuitable=True)
    advice = "Group rare levels." if column.kind == "category" else "Discretize numbers with many levels."
    return Alert(column.name, "many_levels", message, advice)


def _unsuitable(column: ColumnFacts, kind: str, message: str, instead: str = "") -> Alert:
    advice = f"Searches leave it out; {instead}." if instead else "Searches leave it out."
    return Alert(column.name, kind, message, advice, unsuitable=True)


def percent(share: float) -> str:
    """A share in percent, never rounded to 0% or 100%.

    >>> percent(0.5), percent(0.9981), percent(0.99999), percent(1), percent(1 - 1e-12)
    ('50%', '99.8%', '99.999%', '100%', 'over 99.999%')
    """
    if share in (0, 1):
        return f"{share:.0%}"
    for digits in range(4):
        text = f"{share:.{digits}%}"
        if digits >= (share > 0.99) and float(text[:-1]) not in (0.0, 100.0):
            return text
    return "over 99.999%" if share > 0.5 else "under 0.001%"
