"""From a test's record to the p-value a host expects.

A host compares a p-value with its own alpha. Tests with a significance level report their p-value. SCI, JIC and CMI
have none: their rule is "a score above 0 bits means dependent", and p is 1 for independent and 0 for dependent, so
that the rule holds whatever alpha the host passes. The named alternative for SCI is the no-hypercompression bound
2^−score: there the host's alpha asks for −log2 alpha bits more, which is the paper's sparsification.
"""

from __future__ import annotations

from collections.abc import Callable
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
        raise ArgumentError(f"p_values must be one of {', '.join(map(repr, get_args(PValues)))}, not {p_values!r}")
    known = METHODS.get(method) if isinstance(method, str) else None
    family = "fixed" if known is None else known.family
    if p_values == "hypercompression" and family != "sci":
        raise ArgumentError(f"p_values='hypercompression' is for the SCI tests; method {method!r} has no such bound")
    if family == "significance":
        return _halved_tail if method == "cmi_gamma_halved" else _tail
    return _bound if p_values == "hypercompression" else _verdict


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


def _bound(records: Records) -> Floats:
    # A score that rounding alone lifted above 0 is no evidence: the verdict says so, the power alone would not.
    saved = records["information_bits"] - records["threshold_bits"]
    return np.where(records["independent"], 1.0, np.exp2(-np.maximum(saved, 0.0)))


def _tail(records: Records, factor: float = 1.0) -> Floats:
    # Copies: a field of a record is not contiguous, and the native code takes plain arrays.
    p = _native.chi_square_tail(records["statistic"] * factor, records["df"].copy())
    # An infinite threshold: the test refused to decide on too few rows, and says independent.
    return np.where(np.isinf(records["threshold_bits"]), 1.0, p)


def _halved_tail(records: Records) -> Floats:
    return _tail(records, 2.0)
