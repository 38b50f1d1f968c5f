"""Asking many small data sets the same questions.

An experiment makes up to 100,000 data sets. Tests of data sets with the same number of rows are made together: the
columns of all data sets are put side by side in one `bitsep.Table`, and one call of `bitsep.evaluate` answers for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import bitsep
from reproduction.draws import Codes
from reproduction.methods import METHODS

Query = tuple[int, int, Sequence[int]]
"""(x, y, given) by the numbers of the columns of a data set."""


class Trials:
    """Data sets with the same numbers of rows and of columns, ready to be tested.

    Parameters
    ----------
    data_sets : sequence of sequences of arrays
        The columns of each data set, as codes of levels.
    """

    def __init__(self, data_sets: Sequence[Sequence[Codes]]) -> None:
        self._sets, self._width = len(data_sets), len(data_sets[0])
        self._table = bitsep.Table(np.column_stack([column for columns in data_sets for column in columns]))

    def ask(self, key: str, queries: Sequence[Query]) -> list[list[bitsep.IndependenceResult]]:
        """For each data set, the result of each query by one of the `METHODS`."""
        method = METHODS[key]
        shifted = [
            (x + first, y + first, [z + first for z in given])
            for first in range(0, self._sets * self._width, self._width)
            for x, y, given in queries
        ]
        results = bitsep.evaluate(self._table, shifted, method.name, method.alpha, threads=1, **method.options)
        return [results[i : i + len(queries)] for i in range(0, len(results), len(queries))]

    def independent(self, keys: Sequence[str], queries: Sequence[Query]) -> npt.NDArray[Any]:
        """In how many data sets each query was answered with independent: a row per method, a column per query."""
        return np.array(
            [np.sum([[r.independent for r in answers] for answers in self.ask(key, queries)], axis=0) for key in keys]
        )
