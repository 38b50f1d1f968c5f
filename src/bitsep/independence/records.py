"""Converts the record of a test to an `IndependenceResult`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bitsep.checks import real_number, shown
from bitsep.counting import Counter
from bitsep.data.contract import EncodedData
from bitsep.errors import ArgumentError
from bitsep.independence.effects import LazyEffect
from bitsep.independence.result import IndependenceResult
from bitsep.independence.tests import NativeMethod


def sample_size_bound(kx: int, ky: int, kz: int) -> float:
    """Rows needed for a reliable SCI_f: 35 + 2|X||Y|^(2/3)(|Z|+1), |X| ≥ |Y| (paper, "Empirical Sample Complexity").

    With at least that many rows, SCI_f per row was below .05 bits in 95% of the independent samples of every setting
    in the paper. The bound is sufficient, not necessary: for (2, 2, 4) 52 rows were enough, and the bound is 67.

    Parameters
    ----------
    kx, ky, kz : int
        The domain sizes of X, Y and Z; 1 for a Z without variables.

    Returns
    -------
    float
        The number of rows.

    Raises
    ------
    ArgumentError
        If a domain size is not a number of at least 0.

    Examples
    --------
    >>> round(sample_size_bound(2, 2, 4), 1)
    66.7
    """
    sizes = []
    for argument, value in (("kx", kx), ("ky", ky), ("kz", kz)):
        size = real_number(value)
        if size is None or not size >= 0:
            raise ArgumentError(f"{argument}: must be a number of at least 0, got {shown(value)}.")
        sizes.append(size)
    return rows_needed(*sizes)


def rows_needed(kx: float, ky: float, kz: float) -> float:
    """The bound for sizes that have been checked."""
    return float(35 + 2 * max(kx, ky) * min(kx, ky) ** (2 / 3) * (kz + 1))


def result_of(
    counter: Counter,
    method: NativeMethod,
    x: int,
    y: int,
    given: Sequence[int],
    record: np.void,
    data: EncodedData | None = None,
) -> IndependenceResult:
    """The result of a built-in test from its record."""
    fields: Any = record.item()  # in the order of RECORD
    score, information, threshold, statistic, df, n, strata, independent, draws = fields
    p_value, bound = method.test.evidence(record.tobytes())
    sizes = (counter.n_levels(x), counter.n_levels(y), strata)
    names = counter.variables
    return IndependenceResult(
        independent=independent,
        score_bits=score,
        cmi_bits=information / n if n else 0.0,
        threshold_bits=threshold,
        n=n,
        method=method.method.name,
        x=names[x],
        y=names[y],
        given=tuple(names[z] for z in given),
        alpha=method.alpha,
        statistic=None if math.isnan(statistic) else statistic,
        df=None if math.isnan(df) else int(df),
        p_value=None if threshold == math.inf else p_value,  # too few rows for the test
        permutations=draws or None,
        no_hypercompression_bound=bound,
        small_sample=n < rows_needed(*sizes),
        domain_sizes=sizes,
        _effect=LazyEffect(counter, x, y, given, data),
    )
