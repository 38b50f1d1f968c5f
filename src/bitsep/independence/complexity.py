"""Stochastic complexity of a column, with or without conditioning on others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.complexity import log2_regret
from bitsep.counting import Counter
from bitsep.counting.joint_counts import strata_of
from bitsep.data.contract import EncodedData
from bitsep.data.discretization.discrete import discrete
from bitsep.errors import DataError, UnknownMethodError
from bitsep.independence.arguments import check_roles, merged_names, names_of, require_known
from bitsep.naming import Name


def stochastic_complexity(
    data: Any, x: Name | Sequence[Name], given: Name | Sequence[Name] = (), code: str = "fnml"
) -> float:
    """Code length of X given Z in bits, with the minimax optimal code for multinomials.

    Parameters
    ----------
    data : table-like
        The data, as for `independence_test`.
    x : name or list of names
        The variable X; several columns are merged into one variable.
    given : name or list of names
        The variables Z; default: none.
    code : {"fnml", "qnml"}
        The code: factorized NML, Eq. (sc:cond), or quotient NML (appendix; |Z| is the number of observed joint values,
        whereas the score qnml of `bitsep.score` uses the product of the domain sizes).

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
        raise UnknownMethodError(f"code: must be 'fnml' or 'qnml', got {code!r}.")
    known = data.names if isinstance(data, EncodedData) else ()
    group, chosen = merged_names(x, "x", known), names_of(given, known)
    check_roles(group, [], chosen)
    source = discrete(data, [*group, *chosen])
    require_known([*group, *chosen], source.names)
    counter: Counter = source.counter(None)
    variable = group[0] if len(group) == 1 else tuple(group)
    if len(group) > 1:
        counter = counter.merged([variable, *chosen])
    v, z = counter.places[variable], [counter.places[name] for name in chosen]
    [joint] = counter.joint_counts([tuple(sorted({v, *z}))])
    stratum, count = strata_of(joint, z)
    if not len(count):
        raise DataError(f"data: no row has a value in all of {', '.join(map(repr, [*group, *chosen]))}.")
    strata = int(stratum[-1]) + 1
    sizes_of_strata = np.bincount(stratum, weights=count, minlength=strata).astype(np.int64)
    k, n = counter.n_levels(v), int(count.sum())
    quotient = [log2_regret(n, k * strata), -log2_regret(n, strata)]
    regrets = log2_regret(sizes_of_strata, k) if code == "fnml" else quotient
    # n · H(X | Z) = sum over strata of g(n_z) - sum over cells of g(n_xz), with g(v) = v log2 v. The sum is rounded
    # once, so that it does not depend on the order of the terms.
    return math.fsum(chain(_x_log2_x(sizes_of_strata), (-term for term in _x_log2_x(count)), regrets))


def _x_log2_x(counts: npt.NDArray[np.int64]) -> list[float]:
    return [value * math.log2(value) for value in counts.tolist()]
