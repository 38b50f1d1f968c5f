"""What the paper says and what was measured: reading the claims file, and deciding each claim by its rule.

The rules are data (``claims.toml``, which explains them); this file only carries them out. A verdict is computed from
results and can be nothing else.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bitsep.errors import FormatError
from reproduction.results import Results

Outcome = Literal["holds", "does not hold", "not decided"]
Values = npt.NDArray[np.float64]

_TAKE: dict[str, Callable[[Values], float]] = {
    "mean": lambda v: float(v.mean()),
    "min": lambda v: float(v.min()),
    "max": lambda v: float(v.max()),
    "median": lambda v: float(np.median(v)),
}
# How the values of the groups become one: (values, places), places being the values of the column that splits.
_OVER: dict[str, Callable[[Values, Values], float]] = {
    "mean": lambda v, _: float(v.mean()),
    "min": lambda v, _: float(v.min()),
    "max": lambda v, _: float(v.max()),
    "place of max": lambda v, at: float(at[np.argmax(v)]),
    "largest step": lambda v, _: float(np.diff(v).max()),
    "smallest step": lambda v, _: float(np.diff(v).min()),
    "last / first": lambda v, _: float(v[-1] / v[0]),
    "log slope": lambda v, at: float(np.polyfit(np.log(at), np.log(v), 1)[0]),
}
_DECIDE: dict[str, str] = {"at_least": "≥", "at_most": "≤", "equals": "=", "middle_90_holds": "middle 90% holds"}


@dataclass(frozen=True, slots=True)
class Check:
    """One measurement and what it has to be. See ``claims.toml`` for the meaning of each field."""

    what: str
    column: str
    where: Mapping[str, Any]
    decide: str
    wanted: float
    take: str = "mean"
    split: str | None = None
    over: str = "mean"
    minus: Mapping[str, Any] | None = None
    divided_by: Mapping[str, Any] | None = None
    tolerance: float = 0.0


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the paper (or, if `ours`, one that it should have made) in our words."""

    id: str
    experiment: str
    section: str
    statement: str
    checks: tuple[Check, ...]
    difference: str = ""
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check measured: the value, how far the entries behind it spread, and what it had to be."""

    what: str
    value: float | None
    low: float | None
    high: float | None
    entries: int
    wanted: str
    passed: bool | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim with its outcome. `difference` is the reason where it does not hold."""

    claim: Claim = field(repr=False)
    outcome: Outcome
    findings: tuple[Finding, ...]

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def difference(self) -> str:
        return self.claim.difference if self.outcome == "does not hold" else ""

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
            "difference": self.difference,
            "findings": [{name: getattr(finding, name) for name in names} for finding in self.findings],
        }


def load_claims(text: str | None = None) -> tuple[Claim, ...]:
    """The claims of the paper, or of a text in the same form.

    >>> len({claim.id for claim in load_claims()}) == len(load_claims())
    True
    """
    if text is None:
        text = files("reproduction").joinpath("claims.toml").read_text(encoding="utf-8")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"claims: {error}") from error
    claims = tuple(_claim(entry) for entry in document.get("claim", []))
    ids = [claim.id for claim in claims]
    if repeated := {name for name in ids if ids.count(name) > 1}:
        raise FormatError(f"claims: the id {min(repeated)!r} occurs twice")
    return claims


def _claim(entry: Mapping[str, Any]) -> Claim:
    where = f"claim {entry.get('id', '?')!r}"
    checks = tuple(_check(check, where) for check in entry.get("check", []))
    fields = {name: value for name, value in entry.items() if name != "check"}
    if not checks:
        raise FormatError(f"claims: {where} has no check")
    try:
        return Claim(checks=checks, **fields)
    except TypeError as error:
        raise FormatError(f"claims: {where}: {error}") from error


def _check(entry: Mapping[str, Any], where: str) -> Check:
    decides = [name for name in _DECIDE if name in entry]
    if len(decides) != 1:
        raise FormatError(f"claims: {where} needs exactly one of {', '.join(_DECIDE)} in each check")
    fields = {name: value for name, value in entry.items() if name not in _DECIDE}
    try:
        check = Check(decide=decides[0], wanted=float(entry[decides[0]]), **fields)
    except TypeError as error:
        raise FormatError(f"claims: {where}: {error}") from error
    for name, known in ((check.take, _TAKE), (check.over, _OVER)):
        if name not in known:
            raise FormatError(f"claims: {where}: {name!r} is none of {', '.join(known)}")
    return check


def decide(claim: Claim, results: Mapping[str, Results]) -> Verdict:
    """The verdict on a claim; not decided where an experiment was not run or has no rows a check asks for."""
    if claim.experiment not in results:
        return Verdict(claim, "not decided", ())
    findings = tuple(measure(check, results[claim.experiment]) for check in claim.checks)
    if any(finding.passed is None for finding in findings):
        return Verdict(claim, "not decided", findings)
    return Verdict(claim, "holds" if all(finding.passed for finding in findings) else "does not hold", findings)


def measure(check: Check, results: Results) -> Finding:
    """Carry out one check."""
    wanted = f"{_DECIDE[check.decide]} {check.wanted:g}" + (f" ± {check.tolerance:g}" if check.tolerance else "")
    chosen, rivals = results.where(check.where), _rivals(check, results)
    if check.split is None:
        entries, places = chosen[check.column].astype(np.float64), np.zeros(0)
        value = _compared(check, chosen, rivals)
        if rivals:
            entries = np.array([value])
    else:
        places = np.array(chosen.distinct(check.split), dtype=np.float64)
        groups = ({check.split: at} for at in places)
        entries = np.array([_compared(check, chosen.where(g), [rival.where(g) for rival in rivals]) for g in groups])
        value = _OVER[check.over](entries, places) if len(entries) >= (2 if "step" in check.over else 1) else math.nan
    if not math.isfinite(value):
        return Finding(check.what, None, None, None, len(entries), wanted, None)
    low, high = float(entries.min()), float(entries.max())
    if check.decide == "middle_90_holds":
        low, high = (float(q) for q in np.quantile(entries, (0.05, 0.95)))
    return Finding(check.what, value, low, high, len(entries), wanted, _passes(check, value, low, high))


def _other(check: Check) -> Mapping[str, Any] | None:
    return check.minus if check.minus is not None else check.divided_by


def _rivals(check: Check, results: Results) -> list[Results]:
    """The rows to compare with: one selection, or one for each method of a list."""
    if (other := _other(check)) is None:
        return []
    place = {**check.where, **{key: value for key, value in other.items() if key != "column"}}
    methods = other.get("method")
    return (
        [results.where({**place, "method": m}) for m in methods]
        if isinstance(methods, list)
        else [results.where(place)]
    )


def _compared(check: Check, rows: Results, rivals: list[Results]) -> float:
    """The value of the rows, minus or divided by the greatest of the rivals; NaN if one of them was not measured."""

    def taken(from_rows: Results, column: str) -> float:
        values = from_rows[column].astype(np.float64)
        return _TAKE[check.take](values) if len(values) else math.nan

    value, other = taken(rows, check.column), _other(check)
    if other is None:
        return value
    rival = float(np.max([taken(rows, other.get("column", check.column)) for rows in rivals]))
    if check.minus is not None:
        return value - rival
    return value / rival if rival else math.nan


def _passes(check: Check, value: float, low: float, high: float) -> bool:
    slack = check.tolerance + 1e-12
    if check.decide == "at_least":
        return value >= check.wanted - slack
    if check.decide == "at_most":
        return value <= check.wanted + slack
    if check.decide == "equals":
        return abs(value - check.wanted) <= slack
    return low <= check.wanted <= high
