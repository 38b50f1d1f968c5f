"""The contract by which a user adds a test of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bitsep.counting import Counts


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a test of one's own says about counts.

    Give `threshold_bits`, what n · CMI has to exceed, and the score follows; or give `score_bits` itself (above
    zero means dependent) where the test does not work that way.
    """

    threshold_bits: float = 0.0
    score_bits: float | None = None
    statistic: float | None = None
    df: float | None = None
    p_value: float | None = None


@runtime_checkable
class IndependenceCriterion(Protocol):
    """A test of one's own: pass an object like this as ``method=``.

    It sees counts, never rows, and works wherever a built-in name does: single tests, PC-stable, Markov blankets, any
    counting backend.

    Examples
    --------
    >>> import bitsep
    >>> class AtLeast:
    ...     '''Dependent if X tells more than a tenth of a bit per row about Y.'''
    ...     name = "at_least"
    ...     def judge(self, counts):
    ...         return bitsep.Judgement(threshold_bits=0.1 * counts.n)
    >>> data = {"x": [0, 0, 1, 1] * 10, "y": [0, 0, 1, 1] * 10}
    >>> bitsep.independence_test(data, "x", "y", method=AtLeast()).independent
    False
    """

    name: str

    def judge(self, counts: Counts) -> Judgement:
        """Judge one table of counts."""
