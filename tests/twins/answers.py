"""All tests of a small table, asked at once, so that slow searches can look them up."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import bitsep
from bitsep.independence import IndependenceResult

Given = tuple[str, ...]


class Answers:
    """The result of every test of two columns given any set of the others."""

    def __init__(self, table: bitsep.Table, method: str) -> None:
        self.names: tuple[str, ...] = tuple(sorted(map(str, table.names)))
        self.sizes = {name: len(table.levels(name)) for name in self.names}
        self.rows = table.n
        queries = [
            (x, y, given)
            for x, y in combinations(self.names, 2)
            for size in range(len(self.names) - 1)
            for given in combinations([v for v in self.names if v not in (x, y)], size)
        ]
        results = bitsep.evaluate(table, queries, method=method, threads=1)
        self._results = {(x, y, frozenset(s)): result for (x, y, s), result in zip(queries, results, strict=True)}

    def _result(self, x: str, y: str, given: Iterable[str]) -> IndependenceResult:
        return self._results[min(x, y), max(x, y), frozenset(given)]

    def score(self, x: str, y: str, given: Iterable[str]) -> float:
        return self._result(x, y, given).score_bits

    def independent(self, x: str, y: str, given: Iterable[str]) -> bool:
        return self._result(x, y, given).independent
