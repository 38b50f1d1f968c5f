"""The p-values that a host library expects, from the records of tests.

A host compares a p-value with its alpha. Tests with a significance level report their p-value. SCI, JIC and CMI have
none: a score above 0 bits means dependent, so p is 1 for independent and 0 for dependent, and the verdict does not
depend on the alpha of the host. The alternative for SCI is the no-hypercompression bound 2^−score: with it, the alpha
of the host adds −log2 alpha bits to the threshold, which is the paper's sparsification.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.errors import ArgumentError
from bitsep.independence import METHODS, IndependenceResult
from bitsep.independence.engines.base import Records

PValues = Literal["verdict", "hypercompression"]
"""The p-value of a test that has none: 0 or 1 by its verdict, or the bound 2^−score."""

Floats = npt.NDArray[np.float64]


def p_value_rule(method: Any, p_values: str) -> Callable[[Records], Floats]:
    """The function that computes p-values from records of this method."""
    if p_values not in get_args(PValues):
        raise ArgumentError(f"p_values: must be one of {', '.join(map(repr, get_args(PValues)))}, got {p_values!r}.")
    known = METHODS.get(method) if isinstance(method, str) else None
    family = None if known is None else known.family
    if p_values == "hypercompression" and family != "sci":
        raise ArgumentError(f"p_values: 'hypercompression' is for the SCI tests, got method {method!r}.")
    if family == "significance":
        return partial(_tail, _native.Test(method))
    return partial(_bound, _native.Test(method)) if p_values == "hypercompression" else _verdict


def reported_p_value(result: IndependenceResult, p_values: str) -> float:
    """The p-value of one result, by the same rule."""
    if result.p_value is not None:
        return result.p_value
    if p_values == "hypercompression" and result.no_hypercompression_bound is not None and not result.independent:
        return result.no_hypercompression_bound
    return float(result.independent)


def decides_itself(method: Any, p_values: str) -> bool:
    """Whether the verdict of the test does not depend on the alpha of the host."""
    return p_value_rule(method, p_values) is _verdict


def _verdict(records: Records) -> Floats:
    return records["independent"].astype(np.float64)


def _bound(test: _native.Test, records: Records) -> Floats:
    # A score that is above 0 only because of rounding is not evidence; the verdict accounts for that.
    return np.where(records["independent"], 1.0, test.hypercompression_bounds(_bytes(records)))


def _tail(test: _native.Test, records: Records) -> Floats:
    return test.p_values(_bytes(records))


def _bytes(records: Records) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(records).view(np.uint8)
