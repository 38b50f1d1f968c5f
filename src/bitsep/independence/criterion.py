"""The contract for tests written in Python by users."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Protocol, TypeGuard, runtime_checkable

from bitsep.checks import real_number, shown
from bitsep.counting import Counts
from bitsep.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Judgment:
    """The result of a test written in Python.

    Set `threshold_bits`, which n · CMI must exceed for a verdict "dependent", and the score follows; or set
    `score_bits` directly (above zero means dependent) if the test does not compare n · CMI with a threshold.

    Parameters
    ----------
    threshold_bits : float
        The verdict is "dependent" if n · CMI is above it.
    score_bits : float, optional
        The score; default: n · CMI − `threshold_bits`.
    statistic, df, p_value : float, optional
        Values shown in the result; the verdict does not depend on them.

    Raises
    ------
    ArgumentError
        If a value is not a number.

    Examples
    --------
    >>> Judgment(threshold_bits=12)
    Judgment(threshold_bits=12.0, score_bits=None, statistic=None, df=None, p_value=None)
    """

    threshold_bits: float = 0.0
    score_bits: float | None = None
    statistic: float | None = None
    df: float | None = None
    p_value: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            number = real_number(value)
            if number is None and (value is not None or field.name == "threshold_bits"):
                raise ArgumentError(f"{field.name}: must be a number, got {shown(value)}.")
            object.__setattr__(self, field.name, number)


@runtime_checkable
class IndependenceCriterion(Protocol):
    """A test written in Python: pass an object with these members as ``method=``.

    It sees counts, not rows, and can be used wherever the name of a built-in test can: in single tests, PC-stable and
    Markov blankets, with any counting backend.

    A search with ``checkpoint=`` also needs an attribute `identity`, a text that changes whenever verdicts may change:
    it must name all parameters and the version of the code, for example ``"at_least 0.1, version 1"``.

    Examples
    --------
    >>> import bitsep
    >>> class AtLeast:
    ...     '''Dependent if X and Y share more than a tenth of a bit per row.'''
    ...     name = "at_least"
    ...     def judge(self, counts):
    ...         return bitsep.Judgment(threshold_bits=0.1 * counts.n)
    >>> data = {"x": [0, 0, 1, 1] * 10, "y": [0, 0, 1, 1] * 10}
    >>> bitsep.independence_test(data, "x", "y", method=AtLeast()).independent
    False
    """

    name: str

    def judge(self, counts: Counts) -> Judgment:
        """Decide about one table of counts."""


def identity_of(criterion: IndependenceCriterion) -> str:
    """The identity of a test written in Python: what its verdicts depend on."""
    identity = getattr(criterion, "identity", None)
    if not isinstance(identity, str) or not identity:
        raise ArgumentError(
            f"checkpoint: the test {criterion.name!r} needs an attribute `identity`, a text that changes whenever its "
            f"verdicts may change, got {identity!r}."
        )
    return f"criterion {criterion.name!r} identity {identity!r}"


def is_criterion(method: object) -> TypeGuard[IndependenceCriterion]:
    """Whether an object follows the contract; attributes of these names are not enough, since a table can have them."""
    judges = callable(getattr(method, "judge", None)) and isinstance(getattr(method, "name", None), str)
    return judges and not isinstance(method, type)
