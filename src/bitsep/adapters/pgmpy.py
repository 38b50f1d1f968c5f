"""The tests of bitsep in pgmpy, as an object for ``PC(ci_test=…)``.

Example::

    test = bitsep.adapters.pgmpy.BitsepTest(df)           # method="sci_f"
    PC(ci_test=test, significance_level=0.05).fit(df)

All variants ("orig", "stable", "parallel") and orientation rules (None, "pvalue", "effect") work. By default pgmpy
tests conditioning sets of up to five variables (`max_cond_vars`).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bitsep.adapters._answers import Answer, Answers
from bitsep.adapters._host import missing
from bitsep.adapters._verdicts import decides_itself
from bitsep.naming import Name

try:
    from pgmpy.ci_tests import _BaseCITest
except ImportError as error:
    raise missing("pgmpy", "pgmpy", error) from error


class BitsepTest(_BaseCITest):
    """A test of bitsep for pgmpy, which passes column names and expects a verdict.

    Parameters
    ----------
    data : data frame, or any data that `bitsep.Table` accepts
        The data of the search. The columns of a NumPy array are named x0, x1, …, as in pgmpy.
    method : str or IndependenceCriterion
        The test.
    p_values : {"verdict", "hypercompression"}
        The `p_value_` of SCI tests: 0 or 1 by their verdict, independent of the significance level; or 2^−score, with
        which a significance level alpha adds −log2 alpha bits to the threshold. Other tests report their p-value.
    options : mapping, optional
        Options of the method, such as ``{"threshold": 0.01}`` for "cmi".

    Attributes
    ----------
    p_value_, statistic_, effect_size_
        The values of the latest test made *by the same thread*, so that several threads can share this object. The
        statistic of a test without one is its score in bits; the effect size is the conditional mutual information in
        bits per row.

    Examples
    --------
    >>> import bitsep
    >>> df = bitsep.load_network("asia").sample(2000, seed=1)
    >>> test = bitsep.adapters.pgmpy.BitsepTest(df)
    >>> test("xray", "smoke"), test("xray", "smoke", ["either"])
    (False, True)
    """

    _tags = {"name": "bitsep", "data_types": ("discrete",), "requires_data": True, "is_symmetric": True}  # noqa: RUF012

    def __init__(
        self,
        data: Any,
        method: Any = "sci_f",
        p_values: str = "verdict",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.data = data
        self.method = method
        self.p_values = p_values
        self.options = options
        # The cache of the base class is not used: answers are cached by `Answers`.
        super().__init__(use_cache=False)
        self._answers = Answers(_named(data), method, p_values, **(options or {}))
        self._decides_itself = decides_itself(method, p_values)
        self._latest = _Latest()

    def is_independent(self, X: Name, Y: Name, Z: Sequence[Name] = (), significance_level: float = 0.05) -> bool:
        """Whether X and Y are independent given Z.

        The verdict of SCI, JIC and CMI does not depend on the significance level. A p-value, of a test that has one or
        of ``p_values="hypercompression"``, is compared as in all tests of pgmpy: p ≥ level means independent.
        """
        answer = self._ask(X, Y, Z)
        return answer.independent if self._decides_itself else answer.p_value >= significance_level

    def run_test(self, X: Name, Y: Name, Z: Sequence[Name] = ()) -> tuple[float, float]:
        """The statistic (the score in bits for a test without one) and the p-value."""
        answer = self._ask(X, Y, Z)
        return answer.statistic, answer.p_value

    def _ask(self, x: Name, y: Name, given: Sequence[Name]) -> Answer:
        answer = self._answers.ask(x, y, [given] if isinstance(given, str) else given)
        self._latest.answer = answer
        return answer

    @property
    def p_value_(self) -> float:
        return self._latest.made().p_value

    @property
    def statistic_(self) -> float:
        return self._latest.made().statistic

    @property
    def effect_size_(self) -> float:
        return self._latest.made().cmi_bits

    def __deepcopy__(self, memo: dict[int, Any]) -> BitsepTest:
        return type(self)(self.data, self.method, self.p_values, self.options)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.data, self.method, self.p_values, self.options))


class _Latest(threading.local):
    """The latest answer in each thread."""

    answer: Answer | None = None

    def made(self) -> Answer:
        if self.answer is None:
            raise AttributeError("no test has been made yet (by this thread)")
        return self.answer


def _named(data: Any) -> Any:
    """The columns with the names that pgmpy uses."""
    if isinstance(data, np.ndarray) and data.ndim == 2:
        return {f"x{i}": data[:, i] for i in range(data.shape[1])}
    return data
