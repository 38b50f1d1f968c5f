"""Asking many small data sets many tests.

An experiment makes up to 100,000 data sets; reading each through `bitsep.Table` would take most of the time, and its
checks have nothing to find in codes that were just drawn. So a trial goes straight to the native table, by the same
rules: codes from 0, and only levels that occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.independence.engine import Queries, Ragged, Records
from bitsep.independence.native_engine import AnswersNatively
from reproduction.methods import native_test

Codes = npt.NDArray[np.signedinteger[Any]]


class Trial:
    """A data set of columns 0, 1, …, ready to be tested.

    Parameters
    ----------
    columns : sequence of arrays
        Codes from 0, of any signed type.
    """

    def __init__(self, columns: Sequence[Codes]) -> None:
        recoded = [_observed(column) for column in columns]
        self._native = _native.Table([c for c, _ in recoded], [k for _, k in recoded], len(columns[0]), None)

    def ask(self, key: str, asked: Queries) -> Records:
        """The records of one of the `CONTENDERS`."""
        return AnswersNatively(self._native, native_test(key), threads=1).evaluate(asked)

    def independent(self, keys: Sequence[str], asked: Queries) -> npt.NDArray[np.bool_]:
        """The verdicts: one row per contender, one column per query."""
        return np.array([self.ask(key, asked)["independent"] for key in keys])


def queries(asked: Sequence[tuple[int, int, Sequence[int]]]) -> Queries:
    """(x, y, given) by column number, as the engine takes them."""
    pairs = [sorted(query[:2]) for query in asked]
    return Queries(
        np.array([x for x, _ in pairs], dtype=np.int32),
        np.array([y for _, y in pairs], dtype=np.int32),
        Ragged.of([sorted(given) for _, _, given in asked]),
    )


def _observed(codes: Codes) -> tuple[Codes, int]:
    """The codes in the smallest type, renumbered without levels that do not occur."""
    levels = int(codes.max()) + 1
    kind = np.int8 if levels <= 127 else np.int16 if levels <= 2**15 - 1 else np.int32
    occurs = np.bincount(codes, minlength=levels) > 0
    if occurs.all():
        return np.ascontiguousarray(codes, dtype=kind), levels
    new_code: Codes = (np.cumsum(occurs) - 1).astype(kind)
    return new_code[codes], int(occurs.sum())
