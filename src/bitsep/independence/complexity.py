"""Stochastic complexity of a column of data, given others or not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.complexity import log2_regret
from bitsep.data import Table
from bitsep.errors import DataError, UnknownMethodError
from bitsep.independence.api import _check_roles, _group, _names, _require, places_of
from bitsep.naming import Name, did_you_mean


def stochastic_complexity(
    data: Any, x: Name | Sequence[Name], given: Name | Sequence[Name] = (), code: str = "fnml"
) -> float:
    """Bits to describe X, knowing Z, with the minimax optimal code for multinomials.

    Parameters
    ----------
    data : table-like
    x : name or list of names
        Several columns are joined into one variable.
    given : name or list of names
    code : {"fnml", "qnml"}
        Factorized NML, Eq. (sc:cond), or quotient NML (appendix; |Z| is the number of observed joint values).

    Returns
    -------
    float
        n · H(X | Z) plus the regret terms, in bits.

    Examples
    --------
    >>> import bitsep
    >>> round(bitsep.stochastic_complexity({"x": [0, 0, 1, 1], "z": ["a", "a", "b", "b"]}, "x", given="z"), 4)
    2.6439
    """
    if code not in ("fnml", "qnml"):
        raise UnknownMethodError(f"unknown code {code!r}. {did_you_mean(code, ['fnml', 'qnml'])}")
    known = places_of(data.names) if isinstance(data, Table) else {}
    group, chosen = _group(x, "x", known), _names(given, known)
    _check_roles(group, [], chosen)
    table = data if isinstance(data, Table) else Table.of(data, columns=[*group, *chosen])
    _require([*group, *chosen], places_of(table.names))
    codes, levels = table.joint(group) if len(group) > 1 else (table.codes(group[0]), table.levels(group[0]))
    # A constant second variable turns the counter of pairs into one of X alone.
    columns = [codes, np.zeros(table.n_rows, dtype=np.int8), *(table.codes(name) for name in chosen)]
    sizes = [len(levels), 1, *(table.n_levels(name) for name in chosen)]
    native = _native.Table(columns, sizes, table.n_rows, table.weights)
    stratum, _, _, count = native.counts(0, 1, np.arange(2, len(columns), dtype=np.int32))
    if not len(count):
        raise DataError(f"no row has a value in all of {', '.join(map(repr, [*group, *chosen]))}")
    strata = int(stratum[-1]) + 1
    sizes_of_strata = np.bincount(stratum, weights=count, minlength=strata).astype(np.int64)
    k, n = len(levels), int(count.sum())
    quotient = [log2_regret(n, k * strata), -log2_regret(n, strata)]
    regrets = log2_regret(sizes_of_strata, k) if code == "fnml" else quotient
    # n · H(X | Z) = sum over strata of g(n_z) - sum over cells of g(n_xz), with g(v) = v log2 v. The sum is rounded
    # once, so that it does not depend on the order of the terms.
    return math.fsum(chain(_x_log2_x(sizes_of_strata), (-term for term in _x_log2_x(count)), regrets))


def _x_log2_x(counts: npt.NDArray[np.int64]) -> list[float]:
    return [value * math.log2(value) for value in counts.tolist()]
