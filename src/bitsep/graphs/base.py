"""The common part of DAG and PDAG: checked construction, queries, and display."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from html import escape
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs.marks import Marks, bits
from bitsep.lazy import cached_property
from bitsep.naming import Name, name_key, shown_name, shown_names, unknown_column

Pair = frozenset[Name]
"""Two variables, without order."""

Edges = tuple[list[Name], list[tuple[Name, Name]], list[tuple[Name, Name]]]
"""A graph as read from a file, before any check: variables, directed edges, undirected edges."""

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


def number_edges(
    variables: Iterable[Name], directed: Iterable[Any], undirected: Iterable[Any]
) -> tuple[tuple[Name, ...], dict[Name, int], Marks]:
    """The names in canonical order, their indices, and the edges as marks; everything is checked except cycles."""
    names = canonical_variables(variables)
    index = {name: i for i, name in enumerate(names)}
    taken: dict[tuple[int, int], str] = {}
    arrows = [_number_edge(edge, index, taken, "→") for edge in directed]
    lines = [_number_edge(edge, index, taken, "—") for edge in undirected]
    return names, index, Marks.of(len(names), arrows, lines)


def _number_edge(edge: Any, index: dict[Name, int], taken: dict[tuple[int, int], str], sign: str) -> tuple[int, int]:
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


class Graph:
    """The base class of DAG and PDAG."""

    variables: tuple[Name, ...]
    _index: dict[Name, int]
    _marks: Marks

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one instead of setting {name!r}.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one instead of deleting {name!r}.")

    def _fill(self, variables: Iterable[Name], directed: Iterable[Any], undirected: Iterable[Any]) -> None:
        """Check the graph and set the attributes; called by `__init__`."""
        names, index, marks = number_edges(variables, directed, undirected)
        if cycle := marks.find_cycle():
            shown = " → ".join(repr(names[i]) for i in cycle)
            raise ArgumentError(f"edges: a {type(self).__name__} cannot have a directed cycle, got {shown}.")
        self._set(names, index, marks)

    def _set(self, variables: tuple[Name, ...], index: dict[Name, int], marks: Marks) -> None:
        for field, value in {"variables": variables, "_index": index, "_marks": marks}.items():
            object.__setattr__(self, field, value)

    @classmethod
    def _of(cls, variables: tuple[Name, ...], marks: Marks) -> Self:
        """A graph from the result of an algorithm, without checks: the names must be in canonical order, and the marks
        must be acyclic and must not be changed afterwards."""
        graph = object.__new__(cls)
        graph._set(variables, {name: i for i, name in enumerate(variables)}, marks)
        return graph

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.variables == other.variables and self._marks == other._marks

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

    def parents(self, variable: Name) -> frozenset[Name]:
        """The parents: all variables with a directed edge to this one."""
        return self._names(self._marks.parents[self._number(variable)])

    def children(self, variable: Name) -> frozenset[Name]:
        """The children: all variables to which this one has a directed edge."""
        return self._names(self._marks.children[self._number(variable)])

    def neighbors(self, variable: Name) -> frozenset[Name]:
        """All variables that have an edge with this one, directed or undirected."""
        return self._names(self._marks.adjacent(self._number(variable)))

    def adjacent(self, a: Name, b: Name) -> bool:
        """Whether a and b have an edge, directed or undirected."""
        return bool(self._marks.adjacent(self._number(a)) >> self._number(b) & 1)

    @cached_property
    def skeleton(self) -> frozenset[Pair]:
        """The edges without their directions, as pairs."""
        pairs = (*self._marks.directed_pairs(), *self._marks.undirected_pairs())
        return frozenset(frozenset((self.variables[i], self.variables[j])) for i, j in pairs)

    @cached_property
    def v_structures(self) -> frozenset[tuple[Name, Name, Name]]:
        """(a, c, b) for every a → c ← b with a and b not adjacent; a is before b in canonical order."""
        marks = self._marks
        found = []
        for i, j in marks.collider_arrows():
            later = marks.parents[j] & ~marks.adjacent(i) & ~((1 << (i + 1)) - 1)
            found += [(self.variables[i], self.variables[j], self.variables[k]) for k in bits(later)]
        return frozenset(found)

    def adjacency(self) -> npt.NDArray[np.bool_]:
        """A matrix in the order of `variables`: (i, j) is true for i → j, (i, j) and (j, i) are true for i — j."""
        matrix = np.zeros((len(self.variables),) * 2, dtype=np.bool_)
        for i, targets in enumerate(self._marks.children):
            for j in bits(targets | self._marks.undirected[i]):
                matrix[i, j] = True
        return matrix

    def edge_lines(self) -> tuple[tuple[Name, str, Name], ...]:
        """Every edge as (a, "→" or "—", b), sorted by names; a directed edge is from a to b."""
        signed = [(i, "→", j) for i, j in self._marks.directed_pairs()]
        signed += [(i, "—", j) for i, j in self._marks.undirected_pairs()]
        return tuple(
            (self.variables[i], sign, self.variables[j]) for i, sign, j in sorted(signed, key=lambda e: (e[0], e[2]))
        )

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
