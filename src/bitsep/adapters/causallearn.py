"""The tests of bitsep in causal-learn, by name.

After registration, the methods of bitsep can be used by name in `pc`, `fci`, `cdnod` and `CIT`::

    bitsep.adapters.causallearn.register()
    pc(X, 0.05, "sci_f")                      # fci(X, "sci_f", 0.05)

The verdict of SCI tests does not depend on the alpha of causal-learn (from 0 to below 1). With
``pc(X, 0.05, "sci_f", p_values="hypercompression")`` alpha has the meaning it has in the paper's discussion: it adds
−log2 alpha bits to the threshold.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from bitsep.adapters._answers import Answers
from bitsep.adapters._host import missing
from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.independence import METHODS

try:
    from causallearn.utils.cit import CIT_Base, register_ci_test
except ImportError as error:
    raise missing("causal-learn", "causallearn", error) from error


class BitsepCIT(CIT_Base):
    """A test of bitsep for causal-learn, which passes column numbers and expects a p-value.

    Parameters
    ----------
    data : 2-D NumPy array
        The data, with values of any kind that bitsep can read; NaN is a missing value, and each test leaves out rows
        with missing values.
    p_values : {"verdict", "hypercompression"}
        The kind of p-values of SCI tests; see the module.
    method : str or IndependenceCriterion, optional
        The test; default: the one for which the class was registered.
    **options
        Options of the method.

    Notes
    -----
    The result cache of causal-learn is not used, because it identifies data by an abbreviated text; `cache_path` is
    refused.
    """

    method = "sci_f"

    def __init__(
        self, data: Any, p_values: str = "verdict", method: Any = None, cache_path: None = None, **options: Any
    ) -> None:
        if cache_path is not None:
            raise ArgumentError(
                "cache_path: not supported; causal-learn's cache mixes up data that print alike.",
                hint="Leave it out.",
            )
        if not isinstance(data, np.ndarray) or data.ndim != 2:
            raise UnsupportedTypeError(f"data: must be a 2-D NumPy array, got {type(data).__name__}.")
        super().__init__(data)
        if method is not None:
            self.method = method
        self._answers = Answers(data, self.method, p_values, **options)
        self._known = self._answers.known

    def __call__(self, X: int, Y: int, condition_set: Iterable[int] | None = None) -> float:
        """The p-value of the test of X and Y given these columns."""
        try:
            # The searches of causal-learn pass an ascending tuple; columns have the same indices as in the engine.
            return self._known[(X, Y, condition_set) if X < Y else (Y, X, condition_set)][0]  # type: ignore[index]
        except (KeyError, TypeError):
            return self._answers.ask(X, Y, () if condition_set is None else condition_set).p_value

    def __deepcopy__(self, memo: dict[int, Any]) -> BitsepCIT:
        return self  # causal-learn copies graphs with their test, whose data do not change


def register(*methods: str) -> tuple[str, ...]:
    """Register these methods of bitsep (default: all) in causal-learn by their names.

    Returns
    -------
    tuple of str
        The names registered. They can be registered several times.

    Examples
    --------
    >>> from bitsep.adapters import causallearn
    >>> causallearn.register("sci_f", "g2_adjusted")
    ('sci_f', 'g2_adjusted')
    """
    from bitsep.independence.tests import resolve_method

    names = methods or tuple(METHODS)
    for name in names:
        resolve_method(name, None, {})  # raises an error with suggestions for an unknown name
        register_ci_test(name, type(f"BitsepCIT_{name}", (BitsepCIT,), {"method": name, "__doc__": BitsepCIT.__doc__}))
    return tuple(names)
