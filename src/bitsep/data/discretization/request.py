"""What the argument `discretize` asks for: a method for each column, as text or as a mapping.

The text has parts separated by semicolons, each ``METHOD`` (for the columns that look continuous and are not named) or
``COLUMN,COLUMN=METHOD``. A name or target that has one of the signs ``,;="`` or begins with ``mdl:`` is put into double
quotes, in which a double quote is doubled.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bitsep.checks import integer, real_number, shown
from bitsep.data.encode import MAX_LEVELS
from bitsep.errors import ArgumentError, UnknownMethodError, UnsupportedTypeError
from bitsep.naming import Name, did_you_mean, name_key, unknown_column

AUTO, NONE, EQUAL_FREQUENCY, EQUAL_WIDTH, MDL = "auto", "none", "equal-frequency", "equal-width", "mdl"
DEFAULT_BINS = 5

_METHODS = (AUTO, NONE, EQUAL_FREQUENCY, EQUAL_WIDTH, f"{MDL}:TARGET")
_HINT = 'Methods are "auto", "equal-frequency:4", "equal-width:4", "mdl:TARGET", "none" or cut points such as "2,5,10".'
_QUOTED = r'"(?:[^"]|"")*"'
_PART = re.compile(rf'(?:{_QUOTED}|[^;"])+')
_COLUMNS = re.compile(rf'((?:{_QUOTED}|[^="])*)=(.*)', re.DOTALL)
_NAME = re.compile(rf'\s*({_QUOTED}|[^,"]*?)\s*(?:,|$)')


@dataclass(frozen=True, slots=True)
class Rule:
    """How a column is discretized.

    Attributes
    ----------
    method : str
        ``"auto"``, ``"none"``, ``"equal-frequency"``, ``"equal-width"``, ``"mdl"``, or empty for given cut points.
    bins : int
        The number of intervals of equal frequency or width.
    target : str
        The column that MDL cut points are informative about, as text.
    points : tuple of float
        The given cut points.
    """

    method: str
    bins: int = 0
    target: str = ""
    points: tuple[float, ...] = ()

    @property
    def title(self) -> str:
        """The method for a line about a column."""
        return self.text if self.method else "given"

    @property
    def text(self) -> str:
        """The rule as the argument of a user."""
        if not self.method:
            return ",".join(f"{point:g}" if float(f"{point:g}") == point else repr(point) for point in self.points)
        if self.method == MDL:
            return f"{MDL}:{_quoted(self.target)}"
        return f"{self.method}:{self.bins}" if self.bins else self.method


@dataclass(frozen=True, slots=True)
class Discretization:
    """The rules of named columns, and the rule of all others that look continuous (None: they are not discretized)."""

    others: Rule | None = None
    columns: tuple[tuple[Name, Rule], ...] = ()

    @classmethod
    def of(cls, value: Any, bins: int = DEFAULT_BINS) -> Discretization:
        """The argument `discretize`: text, a mapping from columns to methods or cut points, or None.

        >>> wanted = Discretization.of("auto;price,age=equal-frequency:4;dose=2,5,10")
        >>> wanted.others.method, [(name, rule.text) for name, rule in wanted.columns]
        ('auto', [('price', 'equal-frequency:4'), ('age', 'equal-frequency:4'), ('dose', '2,5,10')])
        >>> Discretization.of({"dose": [2, 5, 10], "a;b": "auto"}).text
        '"a;b"=auto;dose=2,5,10'
        """
        if value is None or isinstance(value, Discretization):
            return value or cls()
        if isinstance(value, str):
            return cls._parsed(value, bins)
        if isinstance(value, Mapping):
            return cls(None, tuple((name, _rule(rule, bins)) for name, rule in value.items()))
        raise UnsupportedTypeError(
            f"discretize: must be text or a mapping from columns to methods or cut points, got {shown(value)}.",
            hint=_HINT,
        )

    @classmethod
    def _parsed(cls, text: str, bins: int) -> Discretization:
        parts = [part for part in _PART.findall(text) if part.strip()]
        if not parts or _PART.sub("", text).strip("; "):
            raise ArgumentError(f"discretize: must have the form COLUMN,COLUMN=METHOD, got {shown(text)}.", hint=_HINT)
        others: Rule | None = None
        columns: dict[Name, Rule] = {}
        for part in parts:
            named = _COLUMNS.fullmatch(part)
            if named is None or named[1].strip().startswith(f"{MDL}:"):
                if others is not None:
                    raise ArgumentError(f"discretize: only one method can be without columns, got {shown(text)}.")
                others = _parsed_rule(part.strip(), bins)
                continue
            rule = _parsed_rule(named[2].strip(), bins)
            for name in _names(named[1]):
                if name in columns:
                    raise ArgumentError(f"discretize: column {name!r} must be named once, got {shown(text)}.")
                columns[name] = rule
        if others is not None and not others.method:
            raise ArgumentError(
                f"discretize: cut points must follow the name of a column, got {shown(text)}.",
                hint="Name it, as in dose=2,5,10.",
            )
        return cls(others, tuple(columns.items()))

    @property
    def text(self) -> str:
        """The same request as text, in canonical order; empty if nothing is discretized."""
        columns = sorted(self.columns, key=lambda one: name_key(one[0]))
        parts = [f"{_quoted(str(name))}={rule.text}" for name, rule in columns]
        return ";".join(parts if self.others is None else [self.others.text, *parts])

    @property
    def _rules(self) -> list[Rule]:
        return [rule for _, rule in self.columns] + ([] if self.others is None else [self.others])

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets of MDL, as text."""
        return tuple(dict.fromkeys(rule.target for rule in self._rules if rule.method == MDL))

    @property
    def has_bins(self) -> bool:
        """Whether a rule has a number of intervals."""
        return any(rule.bins for rule in self._rules)

    def with_others(self, method: str) -> Discretization:
        """The same request; columns that it does not mention are discretized by this method."""
        return self if self.others is not None else replace(self, others=_parsed_rule(method, DEFAULT_BINS))

    def named_in(self, names: Iterable[Name], *, partial: bool = False) -> dict[Name, Rule]:
        """The rules of the named columns, by their names in the data.

        Unless `partial`, all of them must be in the data.
        """
        known = tuple(names)
        by_text = {str(name): name for name in known}
        found: dict[Name, Rule] = {}
        for name, rule in self.columns:
            actual = name if name in known else by_text.get(name) if isinstance(name, str) else None
            if actual in known and (actual is not None or name is None):
                found[actual] = rule
            elif not partial:
                raise unknown_column("discretize", name, known)
        return found


def target_in(names: Iterable[Name], target: str) -> Name:
    """The target of MDL by its name in the data: columns of a NumPy array have integers as names."""
    known = tuple(names)
    for name in known:
        if str(name) == target:
            return name
    raise unknown_column("discretize", target, known)


def _rule(value: Any, bins: int) -> Rule:
    if isinstance(value, Rule):
        return value
    if value is None:
        return Rule(NONE)
    if isinstance(value, str):
        return _parsed_rule(value.strip(), bins)
    points = value if isinstance(value, Iterable) else [value]
    return _points([real_number(point) for point in points], value)


def _parsed_rule(text: str, bins: int) -> Rule:
    if text.startswith(f"{MDL}:"):
        return Rule(MDL, target=_unquoted(text.removeprefix(f"{MDL}:").strip()))
    method, sign, count = text.partition(":")
    if method in (EQUAL_FREQUENCY, EQUAL_WIDTH):
        if sign and not count.strip().isdecimal():
            raise ArgumentError(f"discretize: the number of intervals must be an integer of at least 2, got {count!r}.")
        number = integer("bins", int(count) if sign else bins, at_least=2)
        return Rule(method, min(number, MAX_LEVELS))  # there are never more levels
    if text in (AUTO, NONE):
        return Rule(text)
    try:
        numbers = [float(number) for number in text.split(",")]
    except ValueError:
        raise UnknownMethodError(
            f"discretize: unknown method {shown(text)}.", hint=did_you_mean(method, _METHODS)
        ) from None
    return _points(numbers, text)


def _points(numbers: Iterable[float | None], given: Any) -> Rule:
    found = [number for number in numbers if number is not None and math.isfinite(number)]
    if not found or len(found) < len(list(numbers)):
        raise ArgumentError(f"discretize: cut points must be finite numbers, at least one, got {shown(given)}.")
    return Rule("", points=tuple(sorted({number + 0.0 for number in found})))


def _names(text: str) -> list[str]:
    names, place = [], 0
    while True:
        found = _NAME.match(text, place)
        if found is None:
            raise ArgumentError(f"discretize: must have the form COLUMN,COLUMN=METHOD, got {shown(text)}.", hint=_HINT)
        names.append(_unquoted(found[1]))
        if found.end() == len(text) and not found[0].endswith(","):
            return names
        place = found.end()


def _quoted(name: str) -> str:
    # A name that begins like a method with a target is quoted as well.
    plain = name == name.strip() != "" and not re.search(r'[,;="]', name) and not name.startswith(f"{MDL}:")
    return name if plain else '"' + name.replace('"', '""') + '"'


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text
