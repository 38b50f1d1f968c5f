"""What a claim is, and the measurements and rules that claims are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd

Outcome = Literal["holds", "partly", "does not hold", "misprint", "not decided"]
"""holds: all findings pass; partly: some do; does not hold: none does; misprint: none does, and the reason is an error
in print on which nothing else depends; not decided: the results lack something that is measured."""

Take = Callable[[pd.Series], float]
"""How the measured values become one number."""

_SLACK = 1e-12  # rounding must not decide


@dataclass(frozen=True, slots=True)
class Finding:
    """What was measured: the value, how far the entries behind it spread, what it had to be, and whether it is that.

    `value` is None where the results do not have what is measured.
    """

    what: str
    value: float | None
    low: float | None
    high: float | None
    entries: int
    wanted: str
    passed: bool | None


Findings = Iterator[Finding]


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the paper, in our words, or, if `ours`, a check that we add.

    `measure` yields the findings that decide it; `difference` is what we find where it does not hold in full.
    `misprint` says that the reason is an error in print. `other_reading` is the id of the same statement in another
    reading.
    """

    id: str
    experiment: str
    section: str
    statement: str
    measure: Callable[[pd.DataFrame], Findings]
    difference: str = ""
    ours: bool = False
    misprint: bool = False
    other_reading: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim with its outcome."""

    claim: Claim = field(repr=False)
    outcome: Outcome
    findings: tuple[Finding, ...]

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def difference(self) -> str:
        return "" if self.outcome in ("holds", "not decided") else self.claim.difference

    def to_dict(self) -> dict[str, Any]:
        """As ``claims.json`` has it."""
        names = Finding.__slots__
        return {
            "id": self.id,
            "experiment": self.claim.experiment,
            "section": self.claim.section,
            "in_the_paper": not self.claim.ours,
            "statement": self.claim.statement,
            "outcome": self.outcome,
            "other_reading": self.claim.other_reading or None,
            "difference": self.difference,
            "findings": [{name: getattr(finding, name) for name in names} for finding in self.findings],
        }


CLAIMS: list[Claim] = []
"""All claims, in the order of the experiments."""


def claim(
    experiment: str,
    section: str,
    statement: str,
    difference: str = "",
    ours: bool = False,
    misprint: bool = False,
    other_reading: str = "",
) -> Callable[[Callable[[pd.DataFrame], Findings]], Callable[[pd.DataFrame], Findings]]:
    """Make a function that yields findings a claim of the table `CLAIMS`; its name is the claim's id."""

    def register(measure: Callable[[pd.DataFrame], Findings]) -> Callable[[pd.DataFrame], Findings]:
        name = measure.__name__.replace("_", "-")
        CLAIMS.append(Claim(name, experiment, section, statement, measure, difference, ours, misprint, other_reading))
        return measure

    return register


def decide(claim: Claim, results: pd.DataFrame) -> Verdict:
    """The verdict on a claim; not decided where the results lack something it measures."""
    findings = tuple(claim.measure(results))
    if any(finding.passed is None for finding in findings):
        return Verdict(claim, "not decided", findings)
    passed = sum(bool(finding.passed) for finding in findings)
    if passed == len(findings):
        return Verdict(claim, "holds", findings)
    return Verdict(claim, "partly" if passed else "misprint" if claim.misprint else "does not hold", findings)


# --- measuring


def mean(values: pd.Series) -> float:
    return float(values.to_numpy().mean()) if len(values) else math.nan


def largest_step(values: pd.Series) -> float:
    """From one entry to the next."""
    return float(np.diff(values).max()) if len(values) > 1 else math.nan


def place_of_max(values: pd.Series) -> float:
    return float(values.index[int(values.to_numpy().argmax())])


def last_by_first(values: pd.Series) -> float:
    return float(values.iloc[-1] / values.iloc[0])


def log_slope(values: pd.Series) -> float:
    """The exponent with which the values grow with their places."""
    return float(np.polyfit(np.log(values.index), np.log(values), 1)[0])


def means(rows: pd.DataFrame, column: str, by: str) -> pd.Series:
    """The mean of a column at each value of another."""
    return pd.Series({at: mean(group[column]) for at, group in rows.groupby(by)}, dtype=float)


def best_means(rows: pd.DataFrame, methods: Sequence[str], column: str, by: str) -> pd.Series:
    """The greatest of the means of several methods, at each value of `by`; NaN where one was not measured."""
    each = [means(rows[rows["method"] == method], column, by) for method in methods]
    return pd.concat(each, axis=1).max(axis=1, skipna=False)


def best_mean(rows: pd.DataFrame, methods: Sequence[str], column: str) -> float:
    """The greatest of the means of several methods; NaN if one was not measured."""
    return float(np.max([mean(rows[rows["method"] == method][column]) for method in methods]))


# --- rules


def at_least(wanted: float, what: str, values: pd.Series | float, take: Take = mean) -> Finding:
    return _finding(f"≥ {wanted:g}", what, values, take, lambda value, low, high: value >= wanted - _SLACK)


def at_most(wanted: float, what: str, values: pd.Series | float, take: Take = mean) -> Finding:
    return _finding(f"≤ {wanted:g}", what, values, take, lambda value, low, high: value <= wanted + _SLACK)


def equals(
    wanted: float, what: str, values: pd.Series | float, take: Take = mean, *, tolerance: float = 0.0
) -> Finding:
    text = f"= {wanted:g}" + (f" ± {tolerance:g}" if tolerance else "")
    return _finding(text, what, values, take, lambda value, low, high: abs(value - wanted) <= tolerance + _SLACK)


def middle_90_holds(wanted: float, what: str, values: pd.Series) -> Finding:
    """The 5% and 95% quantiles of the values enclose the wanted one; the median is reported."""
    text = f"middle 90% holds {wanted:g}"
    passes: Callable[[float, float, float], bool] = lambda value, low, high: low <= wanted <= high  # noqa: E731
    return _finding(text, what, values, pd.Series.median, passes, (0.05, 0.95))


def _finding(
    wanted: str,
    what: str,
    values: pd.Series | float,
    take: Take,
    passes: Callable[[float, float, float], bool],
    spread: tuple[float, float] = (0.0, 1.0),
) -> Finding:
    entries = values if isinstance(values, pd.Series) else pd.Series([values], dtype=float)
    value = float(take(entries)) if len(entries) else math.nan
    if not math.isfinite(value):
        return Finding(what, None, None, None, len(entries), wanted, None)
    low, high = (float(q) for q in np.quantile(entries, spread))
    return Finding(what, value, low, high, len(entries), wanted, passes(value, low, high))
