"""Columns that are functions or duplicates of other columns.

A pair is judged by its joint counts: Y is a function of X if every level of X occurs with one level of Y only. A
function on all rows is a function on a sample of them, so a sample finds the candidates, and all rows confirm them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bitsep.data.profile.kinds import FEW_LEVELS, ColumnFacts
from bitsep.data.profile.result import Alert
from bitsep.naming import Name, name_key, shown_name, shown_names

if TYPE_CHECKING:
    from bitsep.counting.contract import Counter
    from bitsep.counting.joint_counts import Joint

SAMPLE_ROWS = 10_000
"""The largest number of rows in which candidates are searched for."""

MAX_COLUMNS = 1000
"""Tables with more columns have too many pairs; their relations are not searched for."""

_MIN_BITS = 20  # a relation has by chance at most probability 2^-20, divided by the number of ordered pairs
_MIN_ROWS_PER_LEVEL = 5  # of X, if Y is called a function of it
_SHOWN_NAMES = 3

Determines = dict[Name, set[Name]]
"""For each column, the columns that are functions of it."""


Pair = tuple[ColumnFacts, ColumnFacts]
Integers = npt.NDArray[np.int64]


def relation_alerts(columns: Sequence[ColumnFacts], counter: Counter) -> list[Alert]:
    """The alerts about pairs of these columns."""
    ordered = sorted((one for one in columns if one.n_levels > 1), key=lambda one: name_key(one.name))
    if len(ordered) > MAX_COLUMNS:
        return []
    min_bits = _MIN_BITS + 2 * math.log2(max(2, len(ordered)))
    pairs = _candidates(ordered, min_bits)
    if pairs:
        sample = counter.thinned(SAMPLE_ROWS)
        pairs = [pair for pair, joint in _joint_counts(sample, pairs) if any(_functions(pair, joint))]
    determines: Determines = {}
    for (x, y), joint in _joint_counts(counter, pairs):
        forward, backward = _functions((x, y), joint)
        identical, share = _can_be_identical(x, y), x.n_rows / x.n
        (xs, ys), counts = joint.occupied()
        if forward and (identical or _chance_bits(len(xs), ys, counts, share) >= min_bits):
            determines.setdefault(x.name, set()).add(y.name)
        if backward and (identical or _chance_bits(len(ys), xs, counts, share) >= min_bits):
            determines.setdefault(y.name, set()).add(x.name)
    return _alerts(determines, [one.name for one in ordered])


def _joint_counts(counter: Counter, pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Joint]]:
    """Each pair, whose columns are in canonical order, with its joint counts."""
    places = counter.places
    return zip(pairs, counter.joint_counts([(places[x.name], places[y.name]) for x, y in pairs]), strict=True)


def _candidates(columns: Sequence[ColumnFacts], min_bits: float) -> list[Pair]:
    """The pairs that the counts of their levels allow to be related, in the order of the columns."""
    n_levels = np.array([one.n_levels for one in columns], np.int64)
    few_rows = np.array([_has_few_rows_per_level(one) for one in columns], bool)
    possible = _can_determine(columns, n_levels, few_rows, min_bits)
    same_size = (n_levels[:, None] == n_levels) & (n_levels > FEW_LEVELS) & few_rows[:, None] & few_rows
    found = np.nonzero(np.triu(possible | possible.T | same_size, 1))
    pairs = [(columns[i], columns[j]) for i, j in zip(*(index.tolist() for index in found), strict=True)]
    place = {one.name: i for i, one in enumerate(columns)}
    related = possible | possible.T
    return [(x, y) for x, y in pairs if related[place[x.name], place[y.name]] or _can_be_identical(x, y)]


def _can_determine(
    columns: Sequence[ColumnFacts], n_levels: Integers, few_rows: npt.NDArray[np.bool_], min_bits: float
) -> npt.NDArray[np.bool_]:
    """Entry (x, y): whether the counts allow that y is a function of x, which chance would not explain."""
    present = np.array([one.present for one in columns], np.float64)
    complete = present == [one.n for one in columns]
    largest = np.array([one.counts.max(initial=0) for one in columns])
    smallest = np.array([one.counts.min(initial=0) for one in columns])
    numbers: dict[bytes, int] = {}
    shape = np.array([numbers.setdefault(np.sort(one.counts).tobytes(), len(numbers)) for one in columns])
    # Rows that repeat a level of x can refute a function; their share of a sample is large enough, too.
    repeated = np.array([one.rows for one in columns], np.float64) - n_levels
    enough = ~few_rows[:, None] & (repeated[:, None] * np.log2(n_levels) >= min_bits)
    # Without missing values each level of y consists of whole levels of x.
    larger = (n_levels[:, None] > n_levels) & (largest[:, None] <= largest) & (smallest[:, None] <= smallest)
    same = (n_levels[:, None] == n_levels) & (shape[:, None] == shape)
    return np.asarray(enough & (~(complete[:, None] & complete) | same | larger))


def _can_be_identical(x: ColumnFacts, y: ColumnFacts) -> bool:
    """Whether two columns with few rows per level have the same levels."""
    return (
        x.n_levels == y.n_levels > FEW_LEVELS
        and _has_few_rows_per_level(x)
        and _has_few_rows_per_level(y)
        and x.levels == y.levels
    )


def _has_few_rows_per_level(x: ColumnFacts) -> bool:
    return x.n_levels * _MIN_ROWS_PER_LEVEL > x.rows


def _functions(pair: Pair, joint: Joint) -> tuple[bool, bool]:
    """Whether y is a function of x, and x of y, in these counts; with few rows per level: whether they are equal."""
    (xs, ys), _ = joint.occupied()
    if not len(xs):
        return False, False
    if _can_be_identical(*pair):
        same = bool(np.array_equal(xs, ys))
        return same, same
    x, y = pair
    return (
        not _has_few_rows_per_level(x) and int(np.bincount(xs).max()) == 1,
        not _has_few_rows_per_level(y) and int(np.bincount(ys).max()) == 1,
    )


def _chance_bits(n_levels: int, ys: Integers, counts: Integers, share: float) -> float:
    """How unlikely it is that all rows that repeat a level of x have the level of y of its first row, in bits.

    `share` is the number of rows divided by the sum of their weights.
    """
    n = int(counts.sum())
    shares = np.bincount(ys, weights=counts) / n
    agree = float((shares**2).sum())
    return 0.0 if agree >= 1 else -(n * share - n_levels) * math.log2(agree)


def _alerts(determines: Determines, columns: Sequence[Name]) -> list[Alert]:
    """One alert per column: about its first duplicate by name, or the columns that it is a direct function of."""
    first: dict[Name, Name] = {}
    for name in columns:
        same = [other for other in determines.get(name, ()) if name in determines.get(other, ())]
        first[name] = min([name, *same], key=name_key)
    alerts = [_duplicate(name, first[name]) for name in columns if first[name] != name]
    for y in columns:
        if first[y] != y:
            continue
        sources = [x for x, found in determines.items() if y in found and first[x] == x != y]
        # Without those that determine y through another column.
        direct = [x for x in sources if not any(z in determines[x] for z in sources if z != x)]
        if direct:
            alerts.append(_function(y, sorted(direct, key=name_key)))
    return alerts


def _duplicate(name: Name, original: Name) -> Alert:
    y, x = shown_name(name), shown_name(original)
    return Alert(
        name, "duplicate", f"{y} duplicates {x}: each level of one occurs with one level of the other.",
        "Leave out one of the two.", related=(original,),
    )  # fmt: skip


def _function(name: Name, sources: Sequence[Name]) -> Alert:
    listed = shown_names(sources[:_SHOWN_NAMES], "")
    if len(sources) > _SHOWN_NAMES:
        listed += f" and {len(sources) - _SHOWN_NAMES:,} more"
    each = "of" if len(sources) == 1 else "of each of"
    return Alert(
        name, "function", f"{shown_name(name)} is a function {each} {listed}: each level there has one level here.",
        "Deterministic relations hide edges around them: leave out one of the columns.", related=tuple(sources),
    )  # fmt: skip
