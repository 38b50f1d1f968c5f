"""bitsep's tests inside causal-learn, by name.

Two lines make every method of bitsep a name that `pc`, `fci`, `cdnod` and `CIT` understand::

    bitsep.adapters.causallearn.register()
    pc(X, 0.05, "sci_f")                      # fci(X, "sci_f", 0.05)

SCI's rule, "above 0 bits means dependent", holds at any alpha causal-learn takes (from 0 to below 1).
``pc(X, 0.05, "sci_f", p_values="hypercompression")`` gives alpha the meaning it has in the paper's discussion: −log2
alpha bits more are asked for.
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
    """A test of bitsep as causal-learn calls it: with column numbers, for a p-value.

    Parameters
    ----------
    data : 2-D NumPy array
        Values of any kind bitsep reads; NaN is missing, and each test leaves out the rows it lacks.
    p_values : {"verdict", "hypercompression"}
        What SCI tests report; see the module.
    method : str or IndependenceCriterion, optional
        By default the one the class was registered for.
    **options
        Of the method.

    Notes
    -----
    causal-learn's result cache is not used: it knows data by an abbreviated print of them. `cache_path` is refused.
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
        """The p-value of X against Y given these columns."""
        try:
            # As causal-learn's searches ask: a tuple, ascending. Columns are numbered as the engine numbers them.
            return self._known[(X, Y, condition_set) if X < Y else (Y, X, condition_set)][0]  # type: ignore[index]
        except (KeyError, TypeError):
            return self._answers.ask(X, Y, () if condition_set is None else condition_set).p_value

    def __deepcopy__(self, memo: dict[int, Any]) -> BitsepCIT:
        return self  # causal-learn copies graphs together with their test, whose data never change


def register(*methods: str) -> tuple[str, ...]:
    """Make bitsep's methods known to causal-learn by their names, all of them unless some are named.

    Returns
    -------
    tuple of str
        The names registered. Doing it again changes nothing.

    Examples
    --------
    >>> from bitsep.adapters import causallearn
    >>> causallearn.register("sci_f", "g2_adjusted")
    ('sci_f', 'g2_adjusted')
    """
    from bitsep.independence.tests import resolve_method

    names = methods or tuple(METHODS)
    for name in names:
        resolve_method(name, None, {})  # an unknown name is told apart here, with suggestions
        register_ci_test(name, type(f"BitsepCIT_{name}", (BitsepCIT,), {"method": name, "__doc__": BitsepCIT.__doc__}))
    return tuple(names)
