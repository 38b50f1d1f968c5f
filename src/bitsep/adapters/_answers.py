"""Answers single questions almost as fast as a batch, by prefetching.

A host library requests one test at a time, and calling native code takes longer than a test of a few microseconds. But
a constraint-based search is predictable: after (x, y | S) it tests other sets of the same size among the neighbors of
x. So a new question is answered together with such questions in one native batch, and later ones are found in a cache.
The cache belongs to this object and its data; a wrong prediction costs time and does not change an answer.
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

MAX_SUBSETS = 512
"""With more subsets of the neighbors a question is answered alone, because a search may not need all of them."""

MAX_PREFETCHED = 4096
"""The largest number of tests in one batch, if a search is expected to need all neighbors of a variable."""

MAX_CACHED = 1_000_000
"""The largest number of cached answers, about 200 MB; then the cache is cleared."""


class Answer(NamedTuple):
    """The result of one test for a host library."""

    p_value: float
    statistic: float
    """The statistic of tests that have one, otherwise the score in bits."""
    cmi_bits: float
    independent: bool


Key = tuple[int, int, tuple[int, ...]]
Fields = tuple[float, float, float, bool]
"""An answer in the cache: a plain tuple, which is created several times faster."""


class Answers:
    """The tests of one method on one data set, for a host library that requests one test at a time.

    Parameters
    ----------
    data : any data that `bitsep.Table` accepts
        The data.
    method : str or IndependenceCriterion
        The test.
    p_values : {"verdict", "hypercompression"}
        The kind of p-values, see `bitsep.adapters._verdicts`.
    **options
        Options of the method.

    Notes
    -----
    Several threads can use it at the same time: the shared cache does not change answers.
    """

    def __init__(self, data: Any, method: Any = "sci_f", p_values: str = "verdict", **options: Any) -> None:
        self._settings = (method, p_values, options)
        self._rule = p_value_rule(method, p_values)
        self.table = Table.of(data)
        # One thread, because the host library may use several, and batches are short.
        self._engine = open_engine(self.table, method, threads=1, **options)
        names = self._engine.variables
        self._index = {name: i for i, name in enumerate(names)}
        self._has_statistic = isinstance(method, str) and METHODS[method].family == "significance"
        # Batches do not make a test written in Python faster.
        self._prefetches = isinstance(method, str)
        self.known: dict[Key, Fields] = {}
        # The state that guides prefetching: the size of the smallest set that separates a pair, 127 without one and -1
        # for a variable and itself; the variables tested without conditioning; the latest new question.
        self._separated_at = np.full((len(names), len(names)), 127, dtype=np.int8)
        np.fill_diagonal(self._separated_at, -1)
        self._tested_marginally: set[int] = set()
        self._latest = (-1, 0)

    def ask(self, x: Name, y: Name, given: Iterable[Name] = ()) -> Answer:
        """Test x and y given these variables, with the same errors as `bitsep.independence_test`."""
        given = tuple(given)
        try:
            a, b = self._index[x], self._index[y]
            z = tuple(sorted({self._index[name] for name in given}))
        except (KeyError, TypeError):
            self._refuse(x, y, given)
        if a == b or a in z or b in z:
            self._refuse(x, y, given)
        key = (a, b, z) if a < b else (b, a, z)
        fields = self.known.get(key)
        if fields is None:
            fields = self._evaluate(self._plan(a, b, z))[key]
        return Answer._make(fields)

    def _refuse(self, x: Name, y: Name, given: tuple[Name, ...]) -> NoReturn:
        """Raise the error that `evaluate` raises for this question."""
        method, _, options = self._settings
        evaluate(self.table, [(x, y, given)], method, threads=1, **options)
        raise UnknownColumnError(f"data: no answer to {(x, y, given)!r}.")

    def _plan(self, x: int, y: int, given: tuple[int, ...]) -> list[Key]:
        """The question together with those that are likely to follow."""
        size = len(given)
        question = (min(x, y), max(x, y), given)
        if not self._prefetches or size > 100:
            return [question]
        if size == 0:
            n = len(self._index)
            # The second new question without conditioning: probably a search, which will test every pair.
            searching = bool(self._tested_marginally)
            self._tested_marginally.update((x, y))
            if searching and n * (n - 1) // 2 <= MAX_PREFETCHED:
                self._tested_marginally.update(range(n))
                return [(a, b, ()) for a, b in combinations(range(n), 2)]
            return [(min(x, v), max(x, v), ()) for v in range(n) if v != x]
        for a, b in ((x, y), (y, x)):
            # The neighbors of a in PC-stable at this size: no smaller set has separated them.
            near = np.flatnonzero(self._separated_at[a] >= size).tolist()
            subsets = comb(len(near), size)
            # A search tests pairs without conditioning first; otherwise this is a single question.
            if a not in self._tested_marginally or subsets > MAX_SUBSETS or not set(given).issubset(near):
                continue
            # The second consecutive new question about a: probably a search will test all its neighbors.
            repeated = (a, size) == self._latest and subsets * len(near) <= MAX_PREFETCHED
            others = {b, *near} if repeated else {b}
            self._latest = (a, size)
            planned = [
                (min(a, v), max(a, v), subset)
                for v in others
                for subset in combinations([u for u in near if u != v], size)
            ]
            return [key for key in planned if key == question or key not in self.known]
        return [question]

    def _evaluate(self, keys: list[Key]) -> dict[Key, Fields]:
        """Make these tests in one batch and add them to the cache."""
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
        answers: dict[Key, Fields] = dict(
            zip(keys, zip(*(column.tolist() for column in columns), strict=True), strict=True)
        )
        a, b = queries.x[independent], queries.y[independent]
        self._separated_at[a, b] = self._separated_at[b, a] = np.minimum(self._separated_at[a, b], size)
        if len(self.known) > MAX_CACHED:
            self.known.clear()
        self.known.update(answers)
        return answers

    def __deepcopy__(self, memo: dict[int, Any]) -> Answers:
        return self  # changes of its state do not change answers

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self.table, *self._settings))


def _restored(table: Table, method: Any, p_values: str, options: dict[str, Any]) -> Answers:
    return Answers(table, method, p_values, **options)
