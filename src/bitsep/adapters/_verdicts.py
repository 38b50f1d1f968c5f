"""From a test's record to the p-value a host expects.

A host compares a p-value with its own alpha. Tests with a significance level report their p-value. SCI, JIC and CMI
have none: their rule is "a score above 0 bits means dependent", and p is 1 for independent and 0 for dependent, so
that the rule holds whatever alpha the host passes. The named alternative for SCI is the no-hypercompression bound
2^−score: there the host's alpha asks for −log2 alpha bits more, which is the paper's sparsification.
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
"""What a test without a p-value of its own reports: 0 or 1 by its verdict, or the bound 2^−score."""

Floats = npt.NDArray[np.float64]


def p_value_rule(method: Any, p_values: str) -> Callable[[Records], Floats]:
    """The function that turns records of this method into p-values; errors name the argument that does not fit."""
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
    """The same for one result."""
    if result.p_value is not None:
        return result.p_value
    if p_values == "hypercompression" and result.no_hypercompression_bound is not None and not result.independent:
        return result.no_hypercompression_bound
    return float(result.independent)


def decides_itself(method: Any, p_values: str) -> bool:
    """Whether the test's own rule decides, whatever alpha the host compares its p-value with."""
    return p_value_rule(method, p_values) is _verdict


def _verdict(records: Records) -> Floats:
    return records["independent"].astype(np.float64)


def _bound(test: _native.Test, records: Records) -> Floats:
    # A score that rounding alone lifted above 0 is not evidence: the verdict says so, the power alone would not.
    return np.where(records["independent"], 1.0, test.hypercompression_bounds(_bytes(records)))


def _tail(test: _native.Test, records: Records) -> Floats:
    return test.p_values(_bytes(records))


def _bytes(records: Records) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(records).view(np.uint8)
