"""Background knowledge: required edges, forbidden edges, and tiers (the order in time)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.checks import listed, shown
from bitsep.errors import KnowledgeError
from bitsep.graphs.marks import Marks
from bitsep.naming import Name, did_you_mean, name_key, sorted_names

Edge = tuple[Name, Name]


@dataclass(frozen=True, slots=True)
class Masks:
    """Knowledge about a fixed set of variables, as matrices in canonical order; entry (a, b) concerns a → b."""

    required: npt.NDArray[np.bool_]
    forbidden: npt.NDArray[np.bool_]

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """Pairs whose edge is required, in either direction."""
        return self.required | self.required.T

    @property
    def excluded(self) -> npt.NDArray[np.bool_]:
        """Pairs that cannot have an edge: both directions are forbidden."""
        return self.forbidden & self.forbidden.T


@dataclass(frozen=True, init=False, repr=False)
class Knowledge:
    """Background knowledge for a search.

    What follows is what `boss`, `hill_climb` and `pc_stable` make of it. `fci` reads the same entries as statements
    about causes, which say less about edges; see its notes.

    Parameters
    ----------
    required : iterable of (from, to)
        Directed edges of the graph. Their pairs are not tested, and the edges have the given direction.
    forbidden : iterable of (from, to)
        Directed edges that the graph does not have. If both directions are forbidden, the pair has no edge and is not
        tested; if one direction is forbidden, an edge found in the data has the other direction.
    tiers : iterable of groups of names
        The order in time, earliest first: no edge is directed from a later tier to an earlier one. Variables in no
        tier are unrestricted.

    Raises
    ------
    KnowledgeError
        If the knowledge contradicts itself: an edge is required and forbidden, or required against the tiers, required
        edges form a directed cycle, or a variable is in two tiers; or if an edge is not a pair of names.

    Examples
    --------
    >>> k = Knowledge(required=[("smoke", "lung")], tiers=[["age"], ["smoke", "lung"]])
    >>> k
    Knowledge(required=[('smoke', 'lung')], tiers=[['age'], ['lung', 'smoke']])
    >>> k.forbids("lung", "age")
    True
    """

    required: tuple[Edge, ...]
    forbidden: tuple[Edge, ...]
    tiers: tuple[tuple[Name, ...], ...]

    def __init__(
        self,
        required: Iterable[Sequence[Name]] = (),
        forbidden: Iterable[Sequence[Name]] = (),
        tiers: Iterable[Iterable[Name]] = (),
    ) -> None:
        object.__setattr__(self, "required", _edges(required, "required"))
        object.__setattr__(self, "forbidden", _edges(forbidden, "forbidden"))
        object.__setattr__(self, "tiers", _tiers(tiers))
        self._check()

    def _check(self) -> None:
        for a, b in self.required:
            if (a, b) in self.forbidden:
                raise KnowledgeError(
                    f"required: the arrow {a!r} → {b!r} is both required and forbidden.",
                    hint="Take it out of one of the lists.",
                )
            if self.forbids(a, b):
                raise KnowledgeError(
                    f"required: the arrow {a!r} → {b!r} goes from a later tier to an earlier one.",
                    hint="Leave it out, or move one of the two variables to another tier.",
                )
        cycle = _cycle(self.required)
        if cycle:
            shown = " → ".join(map(repr, cycle))
            raise KnowledgeError(f"required: the arrows form a directed cycle, {shown}.", hint="Leave out one of them.")

    def forbids(self, a: Name, b: Name) -> bool:
        """Whether a → b is forbidden, by `forbidden` or by the tiers."""
        return (a, b) in self.forbidden or _later(self.tiers, a, b)

    def named(self) -> list[tuple[Name, str]]:
        """All variables that the knowledge mentions, each with the argument that mentions it."""
        named = [(name, "required") for edge in self.required for name in edge]
        named += [(name, "forbidden") for edge in self.forbidden for name in edge]
        return named + [(name, "tiers") for tier in self.tiers for name in tier]

    def on(self, variables: Sequence[Name]) -> Masks:
        """The knowledge as matrices over these variables.

        Raises
        ------
        KnowledgeError
            If the knowledge contains another variable.
        """
        index = {name: i for i, name in enumerate(variables)}
        for name, where in self.named():
            if name not in index:
                raise KnowledgeError(f"{where}: no column {name!r}.", hint=did_you_mean(name, variables))
        n = len(variables)
        required, forbidden = np.zeros((n, n), bool), np.zeros((n, n), bool)
        for a, b in self.required:
            required[index[a], index[b]] = True
        for a, b in self.forbidden:
            forbidden[index[a], index[b]] = True
        tier = np.full(n, -1)
        for number, members in enumerate(self.tiers):
            tier[[index[name] for name in members]] = number
        forbidden |= (tier[:, None] > tier[None, :]) & (tier[None, :] >= 0)
        return Masks(required, forbidden | required.T)

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.tiers)

    def to_dict(self) -> dict[str, Any]:
        """The knowledge as lists, for JSON."""
        return {
            "required": [list(edge) for edge in self.required],
            "forbidden": [list(edge) for edge in self.forbidden],
            "tiers": [list(tier) for tier in self.tiers],
        }

    def __repr__(self) -> str:
        parts = [f"{name}={list(edges)!r}" for name in ("required", "forbidden") if (edges := getattr(self, name))]
        if self.tiers:
            parts.append(f"tiers={[list(tier) for tier in self.tiers]!r}")
        return f"Knowledge({', '.join(parts)})"


def _edges(edges: Iterable[Sequence[Name]], where: str) -> tuple[Edge, ...]:
    found: set[Edge] = set()
    for arrow in listed(where, edges, "pairs (from, to)"):
        if isinstance(arrow, str) or not isinstance(arrow, Sequence) or len(arrow) != 2:
            raise KnowledgeError(f"{where}: each arrow must be a pair (from, to), got {arrow!r}.")
        a, b = (_named(where, name) for name in arrow)
        if a == b:
            raise KnowledgeError(f"{where}: an arrow cannot join a variable with itself, got {a!r} → {b!r}.")
        found.add((a, b))
    return tuple(sorted(found, key=lambda edge: (name_key(edge[0]), name_key(edge[1]))))


def _tiers(tiers: Iterable[Iterable[Name]]) -> tuple[tuple[Name, ...], ...]:
    found: list[tuple[Name, ...]] = []
    seen: set[Name] = set()
    for tier in listed("tiers", tiers, "lists of names"):
        if isinstance(tier, str) or not isinstance(tier, Iterable):
            raise KnowledgeError(f"tiers: each tier must be a list of names, got {tier!r}.")
        members = tuple(sorted((_named("tiers", name) for name in tier), key=name_key))
        for name in members:
            if name in seen:
                raise KnowledgeError(f"tiers: {name!r} occurs twice; every variable belongs to one tier at most.")
            seen.add(name)
        found.append(members)
    return tuple(found)


def _named(where: str, name: Name) -> Name:
    """The name, or KnowledgeError if it cannot be the name of a variable."""
    try:
        hash(name)
    except TypeError:
        raise KnowledgeError(f"{where}: a name must be text or an integer, got {shown(name)}.") from None
    return name


def _later(tiers: tuple[tuple[Name, ...], ...], a: Name, b: Name) -> bool:
    tier = {name: number for number, members in enumerate(tiers) for name in members}
    return a in tier and b in tier and tier[a] > tier[b]


def _cycle(edges: tuple[Edge, ...]) -> list[Name]:
    """A directed cycle of these edges, with its first name repeated at the end; empty if there is none."""
    names = sorted_names({name for edge in edges for name in edge})
    index = {name: i for i, name in enumerate(names)}
    marks = Marks.of(len(names), [(index[a], index[b]) for a, b in edges])
    return [names[i] for i in marks.find_cycle()]
