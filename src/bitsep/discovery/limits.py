"""The arguments of all searches about missing values and weak dependence, and the columns that they restrict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from bitsep.checks import real_number, shown
from bitsep.data.contract import EncodedData
from bitsep.data.missing_level import MissingAsLevel, checked_missing_as_level, with_missing_level
from bitsep.data.profile import Alert, percent
from bitsep.errors import ArgumentError
from bitsep.naming import Name, plain_name, shown_name, sorted_names

DEFAULT_MIN_ROWS_SHARE = 0.5

_ROLES = {"tests": "not used as a conditioning variable", "scores": "not used as a parent"}


@dataclass(frozen=True, slots=True)
class Limits:
    """The arguments, checked.

    min_rows_share : a column with values in a smaller share of the rows is not used as a conditioning variable (in
        searches by tests) or as a parent (in searches by score).
    min_effect : the bits per row that an edge needs besides the threshold of the test, or the code of a parent.
    missing_as_level : the columns in which missing values are a level.
    """

    min_rows_share: float
    min_effect: float
    missing_as_level: MissingAsLevel

    @classmethod
    def of(cls, min_rows_share: Any, min_effect: Any, missing_as_level: Any) -> Limits:
        """Check the arguments."""
        share, effect = real_number(min_rows_share), real_number(min_effect)
        if share is None or not 0 <= share <= 1:
            raise ArgumentError(f"min_rows_share: must lie between 0 and 1, got {shown(min_rows_share)}.")
        if effect is None or not 0 <= effect < math.inf:
            raise ArgumentError(f"min_effect: must be a number of at least 0 (bits per row), got {shown(min_effect)}.")
        return cls(share, effect, checked_missing_as_level(missing_as_level))

    @property
    def named(self) -> tuple[Name, ...]:
        """The columns that the arguments name."""
        return () if isinstance(self.missing_as_level, bool) else self.missing_as_level

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments as values that JSON can represent."""
        levels = self.missing_as_level
        return {
            "min_rows_share": self.min_rows_share,
            "min_effect": self.min_effect,
            "missing_as_level": levels if isinstance(levels, bool) else [plain_name(name) for name in levels],
        }

    def refuse_for_engine(self) -> None:
        """Raise an error if an argument is given that an engine, whose tests are made already, cannot obey."""
        for name in ("min_effect", "missing_as_level"):
            if getattr(self, name):
                raise ArgumentError(
                    f"{name}: an engine has its own data and thresholds, so it must not be given for one.",
                    hint="Give it where the engine is made, or pass the data.",
                )

    def applied(self, data: EncodedData) -> EncodedData:
        """The data with missing values as a level where the arguments say so."""
        return with_missing_level(data, self.missing_as_level)

    def restricted(self, data: EncodedData | None, kind: Literal["tests", "scores"]) -> tuple[Alert, ...]:
        """The columns with values in too few rows, by name, with what a search of this kind does not use them for."""
        if data is None or not self.min_rows_share:
            return ()
        alerts = []
        for name in sorted_names(data.names):
            missing = data.n_missing(name)
            if data.n - missing < self.min_rows_share * data.n:
                message = f"{shown_name(name)} is missing in {percent(missing / data.n)} of the rows."
                advice = f"It is {_ROLES[kind]} (min_rows_share {self.min_rows_share:g})."
                alerts.append(Alert(name, "mostly_missing", message, advice))
        return tuple(alerts)
