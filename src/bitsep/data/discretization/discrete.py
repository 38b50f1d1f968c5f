"""Data of any kind for tests and scores: encoded, discretized as requested, without columns that look continuous."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bitsep.data.contract import EncodedData
from bitsep.data.discretization.choice import accepted, discretized, rules_of
from bitsep.data.discretization.column import CutColumn
from bitsep.data.discretization.continuous import is_numeric
from bitsep.data.discretization.request import Discretization
from bitsep.data.load import encoded
from bitsep.naming import Name


def discrete(
    data: Any, columns: Iterable[Name] | None = None, discretize: Any = None, threads: int | None = None
) -> EncodedData:
    """Encoded data whose columns can be used as they are.

    Parameters
    ----------
    data
        Any data that `bitsep.independence_test` accepts, except an oracle.
    columns : iterable of names, optional
        The columns that are needed: a new table has only these; default: all.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals; see `bitsep.discretize`.
    threads : int, optional
        The number of threads for a scan.

    Raises
    ------
    DataError
        If columns that are needed look continuous and are not discretized.
    """
    wanted = Discretization.of(discretize)
    needed = None if columns is None else list(dict.fromkeys(columns))
    source = encoded(data, None if needed is None else [*needed, *wanted.targets])
    used = None if needed is None else [name for name in needed if name in source.names]
    rules = rules_of(source, wanted, used, threads)
    return accepted(discretized(source, rules, threads), rules, used)


def with_cuts(data: EncodedData, cuts: Sequence[CutColumn]) -> EncodedData:
    """Other rows with these intervals, such as those of a discovery, in the columns that still have numbers."""
    known = {column.column for column in data.discretized}
    rest = [
        one for one in cuts if one.column in data.names and one.column not in known and is_numeric(data, one.column)
    ]
    return data.cut(rest) if rest else data
