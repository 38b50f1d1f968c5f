"""Markov blankets as feature selection in scikit-learn, and dependence in bits as score functions.

Example::

    selector = bitsep.adapters.sklearn.MarkovBlanketSelector()
    make_pipeline(selector, OneHotEncoder(handle_unknown="ignore"), LogisticRegression()).fit(X, y)

``SelectKBest(bitsep.adapters.sklearn.sci_bits, k=5)`` ranks features by the bits that they save about the target.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.adapters._host import missing
from bitsep.data import Table
from bitsep.discovery import markov_blanket
from bitsep.independence import evaluate
from bitsep.naming import Name

try:
    from sklearn.base import BaseEstimator
    from sklearn.feature_selection import SelectorMixin
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError as error:
    raise missing("scikit-learn", "sklearn", error) from error


class MarkovBlanketSelector(SelectorMixin, BaseEstimator):
    """Select the features in the Markov blanket of the target: given them, it is independent of all others.

    The number of features is found by the search. Features and target are discrete: numbers, text, categories; each
    test leaves out rows with missing values (NaN, None).

    Parameters
    ----------
    algorithm : str
        The search algorithm, as for `bitsep.markov_blanket`.
    method : str or IndependenceCriterion
        The test of independence.
    alpha : float, optional
        The significance level; for SCI tests an explicit alpha adds −log2 alpha bits to the threshold.
    max_given : int, optional
        The largest size of conditioning sets in searches through subsets.
    threads : int, optional
        The number of threads; default: all cores. The selection does not depend on it.
    options : mapping, optional
        Options of the test, such as ``{"threshold": 0.01}`` for "cmi".

    Attributes
    ----------
    blanket_ : MarkovBlanket
        The Markov blanket, with the evidence for each member: ``blanket_.explain(name)``.
    support_ : array of bool
        Whether each feature is in the blanket.
    n_features_in_, feature_names_in_
        As in all estimators of scikit-learn. Features without names are named 0, 1, ….

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("sachs").sample(2000, seed=1)
    >>> X, y = data.drop(columns="Mek"), data["Mek"]
    >>> selector = bitsep.adapters.sklearn.MarkovBlanketSelector().fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['Erk', 'PKA', 'PKC', 'Raf']
    """

    def __init__(
        self,
        algorithm: str = "pcmb",
        method: Any = "sci_f",
        alpha: float | None = None,
        max_given: int | None = None,
        threads: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.method = method
        self.alpha = alpha
        self.max_given = max_given
        self.threads = threads
        self.options = options

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MarkovBlanketSelector:
        """Find the Markov blanket of `y` among the columns of `X`.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The features.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of integers, optional
            How often each row counts; rows of weight 0 are left out.
        """
        columns, target = validate_data(self, X, y, dtype=None, ensure_all_finite=False)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, columns)
        names: list[Name] = list(getattr(self, "feature_names_in_", range(columns.shape[1])))
        table, target_name = _table(columns, names, target, getattr(y, "name", None), sample_weight)
        self.blanket_ = markov_blanket(
            table, target_name, self.algorithm, self.method, self.alpha, self.max_given, self.threads,
            **(self.options or {}),
        )  # fmt: skip
        members = set(self.blanket_.members)
        self.support_ = np.array([name in members for name in names], dtype=bool)
        return self

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


def mutual_information_bits(X: Any, y: Any) -> npt.NDArray[np.float64]:
    """The plug-in mutual information of each column of `X` with `y`, in bits per row.

    A score function for `SelectKBest` and similar classes. It favors features with many levels; `sci_bits` does not.

    >>> import numpy as np
    >>> y = np.array([0, 0, 1, 1] * 25)
    >>> mutual_information_bits(np.column_stack([y, np.zeros(100, dtype=int)]), y).tolist()
    [1.0, 0.0]
    """
    return np.array([result.cmi_bits for result in _against_target(X, y, "cmi")])


def sci_bits(X: Any, y: Any) -> npt.NDArray[np.float64]:
    """The SCI_f score of each column of `X` with `y`: the bits saved by coding them together, at most 0 if none are.

    A score function for `SelectKBest` and similar classes.

    >>> import numpy as np
    >>> y = np.array([0, 0, 1, 1] * 25)
    >>> sci_bits(np.column_stack([y, np.zeros(100, dtype=int)]), y).round(1).tolist()
    [97.2, 0.0]
    """
    return np.array([result.score_bits for result in _against_target(X, y, "sci_f")])


def _against_target(X: Any, y: Any, method: str) -> list[Any]:
    columns = np.asarray(X)
    names: list[Name] = list(range(columns.shape[1]))
    table, target = _table(columns, names, np.asarray(y), None, None)
    return evaluate(table, [(name, target, ()) for name in names], method)


def _table(
    columns: npt.NDArray[Any], names: list[Name], target: npt.NDArray[Any], target_name: Any, weights: Any
) -> tuple[Table, Name]:
    """Features and target as one table, with a name for the target that no feature has."""
    name = target_name if isinstance(target_name, str) else "target"
    while name in names:
        name = f"{name} (target)"
    data: dict[Name, Any] = {feature: columns[:, i] for i, feature in enumerate(names)}
    data[name] = target
    return Table(data, weights=weights), name
