"""The kind of a column, inferred from its name, its levels and their counts.

The rules use levels and counts only, which are the same with every backend, in every order of the rows.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy.typing as npt

from bitsep.data.contract import EncodedData
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS
from bitsep.data.levels import NUMBERS, Level, is_fractional, pandas_name
from bitsep.data.profile.texts import are_dates, are_numbers, are_plain_numbers, are_whole_numbers, mean_words, spread
from bitsep.lazy import cached_property
from bitsep.naming import Name

Kind = Literal["category", "integer", "continuous", "date", "text", "identifier", "constant"]

FEW_LEVELS = 12
"""A column with at most this many levels has few levels, whatever the number of rows."""

_MIN_ROWS_PER_LEVEL = 2  # a column with no more rows per level is nearly unique; texts are identifiers or free text
_WORDS_OF_NAMES = 2  # of texts that hardly repeat: identifiers have fewer words per level
_WORDS_OF_SENTENCES = 4  # of texts that repeat: names of categories have fewer
_MAX_REPEATED = 0.05  # the share of rows of an identifier that may repeat a value
_EXPECTED_REPEATS = 7  # all values differ by chance with probability at most exp(-7) = 0.0009

_UNNAMED = re.compile(r"|Unnamed: \d+(?:_level_\d+)?|__index_level_\d+__|rownames|row\.names")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_ID_WORDS = frozenset({"id", "ids", "uuid", "guid", "key", "rowid"})
_TIMES = (dt.date, dt.time, dt.timedelta)  # a datetime is a date
_PANDAS_TIMES = frozenset({"Timestamp", "Timedelta", "Period"})
_DATE_NUMBERS = (15000101, 21991231)


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """What encoded data know about a column.

    Attributes
    ----------
    name : name
        The name of the column.
    levels : tuple
        Its levels in canonical order.
    count : callable
        Returns the count of each level. It is called only if a rule needs counts, because with a scan that is a pass.
    n : int
        The sum of the weights of all rows, with and without a value.
    n_rows : int
        The number of all rows.
    """

    name: Name
    levels: tuple[Level, ...]
    count: Callable[[], npt.NDArray[Any]]
    n: int
    n_rows: int

    @cached_property
    def counts(self) -> npt.NDArray[Any]:
        """The count of each level."""
        return self.count()

    @cached_property
    def present(self) -> int:
        """The number of rows that have a value (a sum of weights)."""
        return int(self.counts.sum())

    @cached_property
    def rows(self) -> int:
        """The number of rows that have a value; with weights and missing values, an estimate."""
        return round(self.present * self.n_rows / self.n)

    @property
    def is_nearly_unique(self) -> bool:
        """Whether there are at most two rows per level."""
        return self.n_levels > FEW_LEVELS and self.n_levels * _MIN_ROWS_PER_LEVEL >= self.rows

    @property
    def n_levels(self) -> int:
        return len(self.levels)

    @cached_property
    def types(self) -> frozenset[type]:
        return frozenset(map(type, self.levels))

    @cached_property
    def texts(self) -> Sequence[str]:
        """Some texts, evenly spread over all levels; empty if a level is not text."""
        return [str(level).strip() for level in spread(self.levels)] if self.types == {str} else ()

    @cached_property
    def kind(self) -> Kind:
        return _kind(self)

    @property
    def is_unnamed_index(self) -> bool:
        """Whether the column has no name, or the name that a program gave an index, and the values of an index.

        These are different in all rows, or the numbers from 0 or 1 on, which repeat if frames were concatenated.
        """
        name = "" if self.name is None else self.name
        if not isinstance(name, str) or not _UNNAMED.fullmatch(name) or self.n_levels <= 1:
            return False
        counts_up = self.n_levels > FEW_LEVELS and self.types == {int} and self.levels[0] in (0, 1)
        return self.n_levels == self.rows or (counts_up and _whole(self.levels[-1]) < self.n_levels + 1)

    @property
    def level_limit(self) -> int:
        """The number of levels that the rows can support: the root of their number, but at least 12.

        Fractional numbers have at most as many levels as `bitsep.Table` accepts.
        """
        limit = max(FEW_LEVELS, math.isqrt(self.present))
        return min(limit, DEFAULT_MAX_FLOAT_LEVELS) if self.kind == "continuous" else limit

    @property
    def has_numbers_as_text(self) -> bool:
        """Whether the texts of the column are numbers; plain numbers with few levels can be labels."""
        return are_numbers(self.texts) and (self.n_levels > FEW_LEVELS or not are_plain_numbers(self.texts))


def _kind(column: ColumnFacts) -> Kind:
    if column.n_levels <= 1:
        return "constant"
    if column.is_unnamed_index:
        return "identifier"
    if _is_date(column):
        return "date"
    if column.n_levels <= FEW_LEVELS:
        return "category"
    if column.types <= set(NUMBERS):
        if column.types != {int} and any(map(is_fractional, column.levels)):
            return "continuous"
        return "identifier" if is_named_identifier(column) or _is_identifying_number(column) else "integer"
    if is_named_identifier(column):
        return "identifier"
    if column.has_numbers_as_text and not are_whole_numbers(column.texts):
        return "text" if column.n_levels > math.isqrt(column.present) else "category"
    words = mean_words(column.texts)
    if column.is_nearly_unique:
        return "text" if words >= _WORDS_OF_NAMES else "identifier"
    if column.n_levels > math.isqrt(column.present) and words >= _WORDS_OF_SENTENCES:
        return "text"
    return "category"


def _is_date(column: ColumnFacts) -> bool:
    if column.types == {str}:
        return are_dates(column.texts)
    if column.types == {int}:
        return column.n_levels > FEW_LEVELS and _are_date_numbers(column.levels)
    return all(issubclass(kind, _TIMES) for kind in column.types) or all(
        pandas_name(level) in _PANDAS_TIMES for level in spread(column.levels)
    )


def _are_date_numbers(levels: Sequence[Any]) -> bool:
    """Whether all numbers are dates such as 20130131."""
    low, high = _DATE_NUMBERS
    return low <= levels[0] and levels[-1] <= high and are_dates([str(level) for level in spread(levels)])


def is_named_identifier(column: ColumnFacts) -> bool:
    """Whether the column is named as an identifier, and has more levels than the rows support."""
    words = {word.lower() for word in _WORDS.findall(str(column.name))}
    return column.n_levels > math.isqrt(column.present) and not words.isdisjoint(_ID_WORDS)


def _is_identifying_number(column: ColumnFacts) -> bool:
    """Whether whole numbers differ more than measurements would.

    Numbers drawn at random from the range of the column would have at least m (m − 1) / 2 S pairs of equal numbers on
    average, with m rows and a range of S; without any such pair, they were assigned.
    """
    rows = column.rows
    repeated = rows - column.n_levels
    span = _whole(column.levels[-1]) - _whole(column.levels[0]) + 1
    expected = rows * (rows - 1) / (2 * span)
    return repeated <= _MAX_REPEATED * rows and expected >= _EXPECTED_REPEATS + 10 * repeated


def _whole(level: Any) -> int:
    """A whole level as an integer; infinity, and decimals larger than all floats, as a huge one."""
    if isinstance(level, int):
        return level
    return 1 << 1001 if level > 0 else -(1 << 1001)


def facts_of(
    data: EncodedData, threads: int | None = None, columns: Iterable[Name] | None = None
) -> tuple[ColumnFacts, ...]:
    """The facts about columns of encoded data; default: all, in the order of the source."""
    counter, n, n_rows = data.counter(threads), data.n, data.n_rows
    return tuple(
        ColumnFacts(name, data.levels(name), partial(counter.level_counts, counter.places[name]), n, n_rows)
        for name in (data.names if columns is None else columns)
    )
