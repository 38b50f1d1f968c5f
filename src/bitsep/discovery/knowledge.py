"""What is known beforehand: arrows that must be there, arrows that cannot be, and the order of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.errors import KnowledgeError
from bitsep.naming import Name, did_you_mean, name_key

Arrow = tuple[Name, Name]


@dataclass(frozen=True, slots=True)
class Masks:
    """Knowledge about a fixed set of variables, as matrices in canonical order; entry (a, b) is about a → b."""

    required: npt.NDArray[np.bool_]
    forbidden: npt.NDArray[np.bool_]

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """Pairs whose edge is required, in either direction."""
        return self.required | self.required.T

    @property
    def excluded(self) -> npt.NDArray[np.bool_]:
        """Pairs that may have no edge: forbidden both ways."""
        return self.forbidden & self.forbidden.T


@dataclass(frozen=True, init=False, repr=False)
class Knowledge:
    """Background knowledge for a search.

    Parameters
    ----------
    required : iterable of (from, to)
        Arrows that are there. Their pairs are never tested, and the edge is oriented as given.
    forbidden : iterable of (from, to)
        Arrows that are not. A pair forbidden in both directions loses its edge without a test; with one direction
        forbidden, an edge the data keep takes the other.
    tiers : iterable of groups of names
        The order of time, earliest first: no arrow leads from a later tier to an earlier one. Variables in no tier
        are free.

    Raises
    ------
    KnowledgeError
        If the knowledge contradicts itself: an arrow required and forbidden, required against the tiers, a cycle of
        required arrows, a variable in two tiers.

    Examples
    --------
    >>> k = Knowledge(required=[("smoke", "lung")], tiers=[["age"], ["smoke", "lung"]])
    >>> k
    Knowledge(required=[('smoke', 'lung')], tiers=[['age'], ['lung', 'smoke']])
    >>> k.forbids("lung", "age")
    True
    """

    required: tuple[Arrow, ...]
    forbidden: tuple[Arrow, ...]
    tiers: tuple[tuple[Name, ...], ...]

    def __init__(
        self,
        required: Iterable[Sequence[Name]] = (),
        forbidden: Iterable[Sequence[Name]] = (),
        tiers: Iterable[Iterable[Name]] = (),
    ) -> None:
        object.__setattr__(self, "required", _arrows(required, "required"))
        object.__setattr__(self, "forbidden", _arrows(forbidden, "forbidden"))
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
        """Whether a → b is ruled out, by `forbidden` or by the tiers."""
        return (a, b) in self.forbidden or _later(self.tiers, a, b)

    def on(self, variables: Sequence[Name]) -> Masks:
        """The knowledge as matrices over these variables.

        Raises
        ------
        KnowledgeError
            If the knowledge speaks of a variable that is not among them.
        """
        index = {name: i for i, name in enumerate(variables)}
        named = [(name, "required") for arrow in self.required for name in arrow]
        named += [(name, "forbidden") for arrow in self.forbidden for name in arrow]
        named += [(name, "tiers") for tier in self.tiers for name in tier]
        for name, where in named:
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
        """Plain lists, ready for JSON."""
        return {
            "required": [list(arrow) for arrow in self.required],
            "forbidden": [list(arrow) for arrow in self.forbidden],
            "tiers": [list(tier) for tier in self.tiers],
        }

    def __repr__(self) -> str:
        parts = [f"{name}={list(arrows)!r}" for name in ("required", "forbidden") if (arrows := getattr(self, name))]
        if self.tiers:
            parts.append(f"tiers={[list(tier) for tier in self.tiers]!r}")
        return f"Knowledge({', '.join(parts)})"


def _arrows(arrows: Iterable[Sequence[Name]], where: str) -> tuple[Arrow, ...]:
    found: set[Arrow] = set()
    for arrow in arrows:
        if isinstance(arrow, str) or not isinstance(arrow, Sequence) or len(arrow) != 2:
            raise KnowledgeError(f"{where}: each arrow must be a pair (from, to), got {arrow!r}.")
        a, b = arrow
        if a == b:
            raise KnowledgeError(f"{where}: an arrow cannot join a variable with itself, got {a!r} → {b!r}.")
        found.add((a, b))
    return tuple(sorted(found, key=lambda arrow: (name_key(arrow[0]), name_key(arrow[1]))))


def _tiers(tiers: Iterable[Iterable[Name]]) -> tuple[tuple[Name, ...], ...]:
    found: list[tuple[Name, ...]] = []
    seen: set[Name] = set()
    for tier in tiers:
        if isinstance(tier, str) or not isinstance(tier, Iterable):
            raise KnowledgeError(f"tiers: each tier must be a list of names, got {tier!r}.")
        members = tuple(sorted(tier, key=name_key))
        for name in members:
            if name in seen:
                raise KnowledgeError(f"tiers: {name!r} occurs twice; every variable belongs to one tier at most.")
            seen.add(name)
        found.append(members)
    return tuple(found)


def _later(tiers: tuple[tuple[Name, ...], ...], a: Name, b: Name) -> bool:
    tier = {name: number for number, members in enumerate(tiers) for name in members}
    return a in tier and b in tier and tier[a] > tier[b]


def _cycle(arrows: tuple[Arrow, ...]) -> list[Name]:
    """A cycle of these arrows, its first name repeated at the end; empty if there is none."""
    children: dict[Name, list[Name]] = {}
    for a, b in arrows:
        children.setdefault(a, []).append(b)
    done: set[Name] = set()
    for start in children:
        path: list[Name] = []
        branches = [iter([start])]
        while branches:
            name = next(branches[-1], None)
            if name is None:
                branches.pop()
                if path:
                    done.add(path.pop())
            elif name in path:
                return [*path[path.index(name) :], name]
            elif name not in done:
                path.append(name)
                branches.append(iter(children.get(name, [])))
    return []
