"""Options of tests and scores, as registered in the native core."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bitsep import _native
from bitsep.checks import real_number, shown
from bitsep.errors import ArgumentError

Value = float | str


@dataclass(frozen=True, slots=True)
class Option:
    """An option: one of `choices`, by default the first, or a number of at least 0, by default `number`."""

    name: str
    choices: tuple[str, ...] = ()
    number: float = 0.0

    @property
    def default(self) -> Value:
        """The value used if none is given."""
        return self.choices[0] if self.choices else self.number

    def checked(self, value: Any) -> Value:
        """The value as the native core expects it."""
        if self.choices:
            if value not in self.choices:
                allowed = ", ".join(map(repr, self.choices))
                raise ArgumentError(f"{self.name}: must be one of {allowed}, got {shown(value)}.")
            return str(value)
        number = real_number(value)
        if number is None or not 0 <= number < math.inf:
            raise ArgumentError(f"{self.name}: must be a number of at least 0, got {shown(value)}.")
        return number


def options_of(entries: Iterable[_native.Option]) -> Mapping[str, Option]:
    """The options of an entry of the native registry, by name."""
    return MappingProxyType({each.name: Option(each.name, tuple(each.choices), each.number) for each in entries})


def checked_options(
    name: str, known: Mapping[str, Option], given: Mapping[str, Any], others: str
) -> tuple[tuple[str, Value], ...]:
    """The given options of the test or score `name`, checked; `others` says what it takes if it has no options."""
    for option in given:
        if option not in known:
            allowed = ", ".join(sorted(known)) or others
            raise ArgumentError(f"options: {name!r} takes {allowed}, got {option!r}.")
    return tuple((key, known[key].checked(value)) for key, value in given.items())
