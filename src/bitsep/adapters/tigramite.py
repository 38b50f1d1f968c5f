"""The tests of bitsep in tigramite, as a class of conditional independence tests.

Example::

    test = bitsep.adapters.tigramite.BitsepTest()                               # method="sci_f"
    PCMCI(DataFrame(X), cond_ind_test=test).run_pcalg_non_timeseries_data(pc_alpha=0.05)

The same object can be used in `run_pcmci`, `run_pcmciplus` and other searches of tigramite on symbolic time series.
tigramite is licensed under the GPL, which applies to programs that use this adapter, because they use tigramite.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.adapters._host import missing
from bitsep.adapters._verdicts import decides_itself, p_value_rule, reported_p_value
from bitsep.data import Table
from bitsep.errors import ArgumentError
from bitsep.independence import independence_test
from bitsep.independence.tests import resolve_method

try:
    from tigramite.independence_tests.independence_tests_base import CondIndTest
except ImportError as error:
    raise missing("tigramite", "tigramite", error) from error

_X, _Y, _Z = 0, 1, 2  # the codes of tigramite for the rows of an array


class BitsepTest(CondIndTest):
    """A test of bitsep for tigramite, which passes an array of samples and expects a value and a p-value.

    The value is the statistic of tests that have one, otherwise the score in bits. tigramite leaves out samples
    (missing values, masks, the start of a series with lags) before the test, so levels that only they have are not
    levels of the variable. X and Y can each be several variables, which are merged into one.

    Parameters
    ----------
    method : str or IndependenceCriterion
        The test.
    p_values : {"verdict", "hypercompression"}
        The p-values of SCI tests: 0 or 1 by their verdict, independent of the significance level; or 2^−score, with
        which a significance level alpha adds −log2 alpha bits to the threshold. Other tests report their p-value.
    options : mapping, optional
        Options of the method, such as ``{"threshold": 0.01}`` for "cmi".
    **kwargs
        Options of the base class of tigramite: `mask_type`, `verbosity`, …. `significance` must be "analytic".

    Examples
    --------
    >>> import bitsep, numpy as np
    >>> data = bitsep.Table(bitsep.load_network("asia").sample(2000, seed=1))
    >>> xray, smoke, either = (data.codes(name).reshape(-1, 1) for name in ("xray", "smoke", "either"))
    >>> test = bitsep.adapters.tigramite.BitsepTest()
    >>> test.run_test_raw(xray, smoke, alpha_or_thres=0.05)[2]
    True
    >>> test.run_test_raw(xray, smoke, either, alpha_or_thres=0.05)[2]
    False
    """

    def __init__(
        self,
        method: Any = "sci_f",
        p_values: str = "verdict",
        options: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        if kwargs.get("significance", "analytic") != "analytic":
            raise ArgumentError(
                f"significance: not for bitsep's tests, got {kwargs['significance']!r}.",
                hint="Leave it out; p_values says what they report.",
            )
        if kwargs.get("recycle_residuals"):
            raise ArgumentError("recycle_residuals: discrete data have no residuals.", hint="Leave it out.")
        p_value_rule(method, p_values)  # checks both arguments before there are data
        if isinstance(method, str):
            resolve_method(method, None, dict(options or {}))
        self._method = method
        self._p_values = p_values
        self._options = dict(options or {})
        self._p_value = 1.0
        self.two_sided = False
        self.residual_based = False
        super().__init__(**kwargs)

    @property
    def measure(self) -> str:
        """The name that tigramite prints."""
        return f"bitsep {self._method if isinstance(self._method, str) else self._method.name}"

    def get_dependence_measure(
        self, array: npt.NDArray[Any], xyz: npt.NDArray[np.int_], data_type: object = None
    ) -> float:
        """The value for an array with X, Y and Z in rows and samples in columns."""
        x, y, z = (np.flatnonzero(xyz == role).tolist() for role in (_X, _Y, _Z))
        result = independence_test(Table(array.T), x, y, z, self._method, **self._options)
        self._p_value = reported_p_value(result, self._p_values)
        return result.score_bits if result.statistic is None else result.statistic

    def get_analytic_significance(self, value: float, T: int, dim: int, xyz: object) -> float:
        """The p-value of the latest test; tigramite calls `get_dependence_measure` first."""
        return self._p_value

    def run_test(self, *args: Any, alpha_or_thres: float | None = None, **kwargs: Any) -> Any:
        """As in tigramite, but the verdict of a test without a p-value does not depend on the significance level."""
        return self._decided(super().run_test(*args, alpha_or_thres=alpha_or_thres, **kwargs))

    def run_test_raw(self, *args: Any, alpha_or_thres: float | None = None, **kwargs: Any) -> Any:
        """As in tigramite, but the verdict of a test without a p-value does not depend on the significance level."""
        return self._decided(super().run_test_raw(*args, alpha_or_thres=alpha_or_thres, **kwargs))

    def _decided(self, result: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(result) == 3 and decides_itself(self._method, self._p_values):
            value, p_value, _ = result
            return value, p_value, p_value == 0.0  # tigramite uses p ≤ alpha, which is true for p = 1 and alpha = 1
        return result
