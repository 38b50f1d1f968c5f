"""Answers one question at a time, at nearly the price of a batch.

A host asks test by test, and at a few microseconds each the way into native code costs more than the test. But a
constraint-based search is predictable: after (x, y | S) it asks about the other subsets of the same size among the
neighbors of x. So a question that is new brings in its siblings in one native batch, and the rest are looked up.
What is remembered belongs to this object and its data, keyed by the question itself; being wrong about what comes
next costs time, never a different answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, NoReturn

import numpy as np

from bitsep.adapters._verdicts import p_value_rule
from bitsep.data import Table
from bitsep.errors import UnknownColumnError
from bitsep.independence import METHODS, Queries, Ragged, evaluate, open_engine
from bitsep.naming import Name

MOST_SIBLINGS = 512
"""Beyond this many subsets a question is answered alone: a wide search is not going to ask for all of them soon."""

MOST_AHEAD = 4096
"""Most tests made at once on the guess that a search goes through all neighbors of a variable."""

MOST_REMEMBERED = 1_000_000
"""Answers kept before starting afresh, some 200 MB."""


class Answer(NamedTuple):
    """One test as a host sees it."""

    p_value: float
    statistic: float
    """Of tests that have one; else the score in bits."""
    cmi_bits: float
    independent: bool


Key = tuple[int, int, tuple[int, ...]]
Fields = tuple[float, float, float, bool]
"""An answer as it is remembered: a plain tuple, made several times faster."""


class Answers:
    """The tests of one method on one data set, for a host that asks one by one.

    Parameters
    ----------
    data : anything `bitsep.Table` takes
    method : str or IndependenceCriterion
    p_values : {"verdict", "hypercompression"}
        See `bitsep.adapters._verdicts`.
    **options
        Of the method.

    Notes
    -----
    Safe to ask from several threads: what they share is only ever added to, and an answer does not depend on it.
    """

    def __init__(self, data: Any, method: Any = "sci_f", p_values: str = "verdict", **options: Any) -> None:
        self._settings = (method, p_values, options)
        self._rule = p_value_rule(method, p_values)
        self.table = Table.of(data)
        # One thread: the host may have several of its own, and the batches are short.
        self._engine = open_engine(self.table, method, threads=1, **options)
        names = self._engine.variables
        self._place = {name: i for i, name in enumerate(names)}
        self._has_statistic = isinstance(method, str) and METHODS[method].family == "significance"
        # A test written in Python gains nothing from batches.
        self._looks_ahead = isinstance(method, str)
        self.known: dict[Key, Fields] = {}
        # What guides the looking ahead: the size of the smallest set seen to separate a pair, 127 without one and -1
        # for a variable and itself; the variables asked about without conditions; the latest new question.
        self._separated_at = np.full((len(names), len(names)), 127, dtype=np.int8)
        np.fill_diagonal(self._separated_at, -1)
        self._surveyed: set[int] = set()
        self._latest = (-1, 0)

    def ask(self, x: Name, y: Name, given: Iterable[Name] = ()) -> Answer:
        """Test x against y given these variables; errors as from `bitsep.independence_test`."""
        given = tuple(given)
        try:
            a, b = self._place[x], self._place[y]
            z = tuple(sorted({self._place[name] for name in given}))
        except (KeyError, TypeError):
            self._refuse(x, y, given)
        if a == b or a in z or b in z:
            self._refuse(x, y, given)
        key = (a, b, z) if a < b else (b, a, z)
        fields = self.known.get(key)
        if fields is None:
            fields = self._learn(self._plan(a, b, z))[key]
        return Answer._make(fields)

    def _refuse(self, x: Name, y: Name, given: tuple[Name, ...]) -> NoReturn:
        """Raise what the native entry raises for this question."""
        method, _, options = self._settings
        evaluate(self.table, [(x, y, given)], method, threads=1, **options)
        raise UnknownColumnError(f"data: no answer to {(x, y, given)!r}.")

    def _plan(self, x: int, y: int, given: tuple[int, ...]) -> list[Key]:
        """The question itself with what is likely to be asked next."""
        size = len(given)
        asked = (min(x, y), max(x, y), given)
        if not self._looks_ahead or size > 100:
            return [asked]
        if size == 0:
            width = len(self._place)
            # The second new question without conditions: a search begins, and is going to ask about every pair.
            searching = bool(self._surveyed)
            self._surveyed.update((x, y))
            if searching and width * (width - 1) // 2 <= MOST_AHEAD:
                self._surveyed.update(range(width))
                return [(a, b, ()) for a, b in combinations(range(width), 2)]
            return [(min(x, v), max(x, v), ()) for v in range(width) if v != x]
        for a, b in ((x, y), (y, x)):
            # PC-stable's neighbors of a at this size: no smaller set has separated them.
            near = np.flatnonzero(self._separated_at[a] >= size).tolist()
            siblings = comb(len(near), size)
            # A search asks about pairs without conditions first; who has not is asking a single question.
            if a not in self._surveyed or siblings > MOST_SIBLINGS or not set(given).issubset(near):
                continue
            # The second new question about a in a row: a search is going through a's neighbors, so take them all.
            repeated = (a, size) == self._latest and siblings * len(near) <= MOST_AHEAD
            through = {b, *near} if repeated else {b}
            self._latest = (a, size)
            planned = [
                (min(a, v), max(a, v), subset)
                for v in through
                for subset in combinations([u for u in near if u != v], size)
            ]
            return [key for key in planned if key == asked or key not in self.known]
        return [asked]

    def _learn(self, keys: list[Key]) -> dict[Key, Fields]:
        """Make these tests in one batch and remember them."""
        size = len(keys[0][2])
        queries = Queries(
            np.array([key[0] for key in keys], dtype=np.int32),
            np.array([key[1] for key in keys], dtype=np.int32),
            Ragged(
                np.arange(len(keys) + 1, dtype=np.int64) * size,
                np.array([key[2] for key in keys], dtype=np.int32).ravel(),
            ),
        )
        records = self._engine.evaluate(queries)
        independent = records["independent"]
        columns = (
            self._rule(records),
            records["statistic" if self._has_statistic else "score_bits"],
            records["information_bits"] / np.maximum(records["n"], 1),
            independent,
        )
        learned: dict[Key, Fields] = dict(
            zip(keys, zip(*(column.tolist() for column in columns), strict=True), strict=True)
        )
        a, b = queries.x[independent], queries.y[independent]
        self._separated_at[a, b] = self._separated_at[b, a] = np.minimum(self._separated_at[a, b], size)
        if len(self.known) > MOST_REMEMBERED:
            self.known.clear()
        self.known.update(learned)
        return learned

    def __deepcopy__(self, memo: dict[int, Any]) -> Answers:
        return self  # nothing in it can change an answer

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self.table, *self._settings))


def _restored(table: Table, method: Any, p_values: str, options: dict[str, Any]) -> Answers:
    return Answers(table, method, p_values, **options)
