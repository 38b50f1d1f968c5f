"""From counts to figures: shares with intervals, which cells are admissible, what `x2_calibrated` has to keep."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.stats import beta, norm

from calibration.cells import ALPHAS, Cell
from calibration.results import Result
from calibration.simulate import REFERENCE, SUBJECT, Counted

CONFIDENCE = 0.999
REACHED = 0.9  # of alpha, by the permutation test, in an admissible cell
LOWEST, HIGHEST = 0.8, 1.2  # times alpha
LOST_POWER = 0.02


@dataclass(frozen=True)
class Share:
    """The share of the data sets in which a test says dependent."""

    count: int
    runs: int

    @property
    def value(self) -> float:
        """As a number from 0 to 1."""
        return self.count / self.runs

    @property
    def interval(self) -> tuple[float, float]:
        """With 99.9% confidence (Clopper & Pearson)."""
        out = (1 - CONFIDENCE) / 2
        low = beta.ppf(out, self.count, self.runs - self.count + 1) if self.count else 0.0
        high = beta.isf(out, self.count + 1, self.runs - self.count) if self.count < self.runs else 1.0
        return float(low), float(high)


def shares(counted: Counted, test: str) -> list[Share]:
    """One for each alpha, or a single one of a test without a significance level."""
    if test == REFERENCE:
        return [Share(count, counted.permutation_runs) for count in counted.reference]
    return [Share(count, counted.runs) for count in counted.dependent[test]]


@dataclass(frozen=True)
class Level:
    """The type I error of `x2_calibrated` in a cell at one alpha.

    `reference` estimates that of the permutation test, which sees fewer data sets: the share of `x2_calibrated` in all
    data sets, plus the difference of the two where both were made. They agree in nearly every data set, so this is
    nearly as good as if the permutation test had seen all of them. `reference_error` is half its 99.9% interval.
    """

    cell: Cell
    alpha: float
    share: Share
    reference: float
    reference_error: float

    @property
    def is_admissible(self) -> bool:
        """Whether the permutation test may reach .9 alpha; if not, X² has too few values."""
        return self.reference + self.reference_error >= REACHED * self.alpha

    @property
    def is_kept(self) -> bool:
        """Whether the interval meets [.8, 1.2] alpha."""
        low, high = self.share.interval
        return high >= LOWEST * self.alpha and low <= HIGHEST * self.alpha


def levels(result: Result) -> list[Level]:
    """One for each alpha."""
    counted = result.independent
    z = float(norm.isf((1 - CONFIDENCE) / 2))
    found = []
    for i, alpha in enumerate(ALPHAS):
        share = shares(counted, SUBJECT)[i]
        more, less = counted.only_reference[i], counted.only_subject[i]
        n = counted.permutation_runs
        difference = (more - less) / n
        variance = share.value * (1 - share.value) / share.runs + ((more + less) / n - difference**2) / n
        reference = max(0.0, share.value + difference)
        found.append(Level(result.cell, alpha, share, reference, z * math.sqrt(variance)))
    return found


def power_difference(result: Result) -> float:
    """The power of `x2_calibrated` less that of the permutation test, on the same data."""
    counted = result.dependent
    return (counted.subject[0] - counted.reference[0]) / counted.permutation_runs


def failures(result: Result) -> list[str]:
    """A sentence for each thing that `x2_calibrated` does not keep in a cell."""
    wrong = []
    for one in levels(result):
        if one.is_admissible and not one.is_kept:
            low, high = one.share.interval
            wrong.append(
                f"{result.cell.name}: type I error {one.share.value:.4f} ({low:.4f} to {high:.4f}) at {one.alpha}, "
                f"where the permutation test has {one.reference:.4f}."
            )
    if power_difference(result) < -LOST_POWER:
        wrong.append(f"{result.cell.name}: power {power_difference(result):+.3f} against the permutation test.")
    return wrong
