"""The significance level at which the edges of PC-stable keep a false discovery rate.

A pair without an edge in the true graph keeps one only if all its tests say "dependent", also the test given its true
separator: at level alpha this has a probability of at most alpha. So the largest p-value of the tests of a pair can be
used as the p-value of its edge. Of m pairs, a level alpha keeps R edges; if alpha ≤ fdr · R/(m (1 + 1/2 + … + 1/m)),
the expected share of false ones among them is at most fdr, however the tests depend on each other (Benjamini &
Yekutieli 2001; Blanchard & Roquain, Electronic Journal of Statistics 2, 2008, for rules of this kind).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bitsep.checks import real_number, shown
from bitsep.errors import ArgumentError
from bitsep.independence import METHODS, Engine, Oracle
from bitsep.independence.adjustment import harmonic


def checked_rate(fdr: Any, data: Any, method: Any, alpha: Any, checkpoint: Any) -> float | None:
    """The false discovery rate as a number; raises if it cannot be controlled in such a search."""
    if fdr is None:
        return None
    rate = real_number(fdr)
    if rate is None or not 0 < rate < 1:
        raise ArgumentError(f"fdr: must lie between 0 and 1, both excluded, got {shown(fdr)}.")
    if alpha is not None:
        raise ArgumentError(f"alpha, fdr: at most one can be given, got {shown(alpha)} and {shown(fdr)}.")
    if checkpoint is not None:
        raise ArgumentError(
            "checkpoint, fdr: cannot be combined, because a folder belongs to one significance level.",
            hint="Search once with fdr, then use the alpha of its settings.",
        )
    if isinstance(data, Engine | Oracle):
        raise ArgumentError(f"fdr: needs data, got {type(data).__name__}.")
    if not isinstance(method, str) or (method in METHODS and METHODS[method].family != "significance"):
        name = repr(method) if isinstance(method, str) else type(method).__name__
        raise ArgumentError(
            f"fdr: needs a built-in test with p-values, got {name}.",
            hint="Use method='x2_calibrated' or another test with a significance level.",
        )
    return rate


def largest_level(rate: float, pairs: int, edges_at: Callable[[float], int]) -> float:
    """The significance level, from the number of tested pairs and the number of edges by significance level.

    The level is lowered until it fits to the number of edges that it keeps. With no edge left, it is the level for one.

    >>> round(largest_level(0.05, 100, lambda alpha: 40 if alpha > 0.004 else 30), 5)
    0.00289
    """
    unit = rate / (pairs * harmonic(pairs))
    edges = pairs
    while (found := max(1, edges_at(unit * edges))) < edges:
        edges = found
    return unit * edges
