"""The common part of all graphs: names of variables, value semantics, and display."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from html import escape
from itertools import combinations
from typing import Any, Self

import numpy as np

from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs.marks import bits, mask_of
from bitsep.lazy import cached_property
from bitsep.naming import Name, is_no_name, name_key, shown_name, shown_names, unknown_column

Pair = frozenset[Name]
"""Two variables, without order."""

SignedEdge = tuple[Name, str, Name]
"""An edge (a, sign, b) with one of the signs of `end_marks`: → and — in a PDAG; ↔, o→, o—o and —o only in a PAG."""

Edges = tuple[list[Name], list[SignedEdge]]
"""A graph as read from a file, before any check: variables and edges."""

_MAX_SHOWN = 12
"""The number of edges that ``repr`` lists; of the others only the number is shown."""


def python_name(name: object) -> Name:
    """A name with NumPy integers and strings converted to Python types, so that text formats can represent it."""
    if isinstance(name, np.integer):
        return int(name)
    if isinstance(name, np.str_):
        return str(name)
    if not isinstance(name, Hashable):
        raise UnsupportedTypeError(f"variables: a name must be text or an integer, got {name!r}.")
    return name


def canonical_variables(variables: Iterable[Name]) -> tuple[Name, ...]:
    """The names in canonical order, after a check."""
    if isinstance(variables, str | bytes):
        raise UnsupportedTypeError(f"variables: must be a list of names, got the text {variables!r}.")
    if not isinstance(variables, Iterable):
        raise UnsupportedTypeError(f"variables: must be a list of names, got {variables!r}.")
    # The name of the type decides the order of names with the same text, such as 1.5 and "1.5".
    ordered = sorted(map(python_name, variables), key=lambda name: (name_key(name), type(name).__name__))
    seen: set[Name] = set()
    for name in ordered:
        if is_no_name(name):
            raise UnsupportedTypeError(f"variables: a name must be text or an integer, got {name!r}.")
        if name in seen:
            raise ArgumentError(f"variables: {name!r} occurs twice; every variable needs its own name.")
        seen.add(name)
    return tuple(ordered)


def collect(names: object, known: Mapping[Name, int]) -> tuple[Name, ...]:
    """One name, or a collection of names, as a tuple. A tuple that is the name of a variable is one name."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        return (names,) if isinstance(names, Hashable) else ()
    if isinstance(names, Hashable) and names in known:
        return (names,)
    return tuple(names)


def number_edge(edge: Any, index: dict[Name, int], taken: dict[tuple[int, int], str], sign: str) -> tuple[int, int]:
    """One edge as a pair of indices; `taken` contains the pairs that have an edge, to find duplicates."""
    if isinstance(edge, str) or not isinstance(edge, Iterable):
        raise UnsupportedTypeError(f"edges: an edge must be a pair of names, got {edge!r}.")
    ends = [python_name(end) for end in edge]
    for end in ends:
        if end not in index:
            raise unknown_column(f"edges: {edge!r}", end, index, "variable")
    if len(ends) == 1 and isinstance(edge, frozenset | set):
        ends = ends * 2  # {a, a} has one member; the error must mention a self loop
    if len(ends) != 2:
        raise ArgumentError(f"edges: an edge must be a pair of names, got {len(ends)} in {edge!r}.")
    i, j = index[ends[0]], index[ends[1]]
    shown = f"{ends[0]!r} {sign} {ends[1]!r}"
    if i == j:
        raise ArgumentError(f"edges: an edge cannot join a variable with itself, got {shown}.")
    pair = (min(i, j), max(i, j))
    if pair in taken:
        raise ArgumentError(f"edges: each pair can have one edge, got {taken[pair]} and {shown}.")
    taken[pair] = shown
    return i, j


class Graph(ABC):
    """The base class of all graphs; the algorithms work on `_marks`."""

    variables: tuple[Name, ...]
    _index: dict[Name, int]
    _marks: Any

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one instead of setting {name!r}.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one instead of deleting {name!r}.")

    def _set(self, variables: tuple[Name, ...], index: dict[Name, int], marks: Any) -> None:
        for field, value in {"variables": variables, "_index": index, "_marks": marks}.items():
            object.__setattr__(self, field, value)

    @classmethod
    def _of(cls, variables: tuple[Name, ...], marks: Any) -> Self:
        """A graph from the result of an algorithm, without checks: the names must be in canonical order, and the marks
        must be legal and must not be changed afterwards."""
        graph = object.__new__(cls)
        graph._set(variables, {name: i for i, name in enumerate(variables)}, marks)
        return graph

    @abstractmethod
    def _adjacent(self, i: int) -> int:
        """The neighbors of a variable, by index."""

    @abstractmethod
    def edge_lines(self) -> tuple[SignedEdge, ...]:
        """Every edge as (a, sign, b), sorted by names."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.variables == other.variables and bool(self._marks == other._marks)

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.variables, self.skeleton))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self)._of, (self.variables, self._marks))

    def _number(self, variable: Name) -> int:
        """The index of a variable in canonical order."""
        try:
            return self._index[variable]
        except (KeyError, TypeError):
            raise unknown_column("graph", variable, self.variables, "variable") from None

    def _names(self, mask: int) -> frozenset[Name]:
        return frozenset(self.variables[i] for i in bits(mask))

    def _disjoint(self, **named: object) -> dict[str, int]:
        """Sets of variables by argument, as bit sets; all but `given` must have members, and they must not overlap."""
        sets = {}
        for argument, value in named.items():
            sets[argument] = mask_of(self._number(name) for name in collect(value, self._index))
            if not sets[argument] and argument in ("x", "y"):
                raise ArgumentError(f"{argument}: must name at least one variable, got none.")
        for one, other in combinations(sets, 2):
            if shared := sets[one] & sets[other]:
                name = self.variables[next(bits(shared))]
                raise ArgumentError(f"{one}: {name!r} is also in {other}.", hint="Take it out of one of them.")
        return sets

    def neighbors(self, variable: Name) -> frozenset[Name]:
        """All variables that have an edge with this one, whatever its marks."""
        return self._names(self._adjacent(self._number(variable)))

    def adjacent(self, a: Name, b: Name) -> bool:
        """Whether a and b have an edge, whatever its marks."""
        return bool(self._adjacent(self._number(a)) >> self._number(b) & 1)

    @cached_property
    def skeleton(self) -> frozenset[Pair]:
        """The edges without their marks, as pairs."""
        return frozenset(frozenset((a, b)) for a, _, b in self.edge_lines())

    def __repr__(self) -> str:
        lines = self.edge_lines()
        shown = [f"{a!r} {sign} {b!r}" for a, sign, b in lines[:_MAX_SHOWN]]
        if len(lines) > _MAX_SHOWN:
            shown.append(f"… {len(lines) - _MAX_SHOWN} more")
        counts = f"{len(self.variables)} variables, {len(lines)} edge{'' if len(lines) == 1 else 's'}"
        return f"{type(self).__name__}({counts}{': ' if shown else ''}{', '.join(shown)})"

    def _repr_html_(self) -> str:
        lines = self.edge_lines()
        rows = "".join(
            f"<tr><td>{escape(shown_name(a))}</td><td>{sign}</td><td>{escape(shown_name(b))}</td></tr>"
            for a, sign, b in lines
        )
        isolated = [v for v in self.variables if not self.neighbors(v)]
        foot = f"<p>without an edge: {escape(shown_names(isolated, ''))}</p>" if isolated else ""
        title = f"{type(self).__name__}: {len(self.variables)} variables, {len(lines)} edges"
        return (
            f'<div style="max-height:24em;overflow:auto"><table><caption>{title}</caption>'
            f"<tbody>{rows}</tbody></table>{foot}</div>"
        )
