"""The evidence behind a graph: why an edge is missing, why it was kept, and where the data contradict themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from bitsep.discovery.explanation import Explanation
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name

Pair = frozenset[Name]

ConflictKind = Literal["v-structures", "cycle", "rules", "knowledge"]

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Support:
    """How often bootstrap samples agree, as fractions of all resamples.

    edge : the pair is adjacent.
    forward, backward : the edge is an arrow from the first to the second of the pair by name, or back.
    """

    edge: float
    forward: float
    backward: float


@dataclass(frozen=True, slots=True)
class EdgeEvidence:
    """Why an edge was kept, and why it has its direction.

    Attributes
    ----------
    weakest : IndependenceResult or None
        Of all tests made, the one that came closest to separating the pair; None where knowledge required the edge.
    orientation : Explanation
        The reason for the edge's direction, or for its absence; ``str`` gives the sentence.
    tests_run : int
        Tests made for this pair.
    support : Support or None
        Share of bootstrap samples that have the edge, and each direction.
    """

    weakest: IndependenceResult | None
    orientation: Explanation
    tests_run: int = 0
    support: Support | None = None

    @property
    def margin_bits(self) -> float | None:
        """The score of the weakest test: by how much the edge survived."""
        return None if self.weakest is None else self.weakest.score_bits

    @property
    def strength_bits(self) -> float | None:
        """The information in the weakest test, over all rows: what the two always tell about each other."""
        return None if self.weakest is None else self.weakest.n * self.weakest.cmi_bits


@dataclass(frozen=True, slots=True)
class Conflict:
    """An edge about whose direction the evidence contradicts itself.

    kind : "v-structures" (they ask for both directions), "cycle" (the arrow would close one), "rules" (Meek's rules
        ask for both directions) or "knowledge" (v-structures against what is known).
    edge : the two variables, in canonical order.
    reason : why; ``str`` gives the sentence.
    """

    kind: ConflictKind
    edge: tuple[Name, Name]
    reason: Explanation


@dataclass(frozen=True, slots=True)
class AmbiguousTriple:
    """A triple a — center — b of which the data do not say whether it is a v-structure.

    holding, lacking : how many of the sets that separate a and b hold the center, and how many do not.
    reason : why; ``str`` gives the sentence.
    """

    a: Name
    center: Name
    b: Name
    holding: int
    lacking: int
    reason: Explanation


class LazyEvidence(Mapping[Pair, V]):
    """A read-only mapping from pairs of names to evidence, made when first asked for, then kept."""

    def __init__(self, variables: tuple[Name, ...], pairs: Callable[[], Iterator[tuple[int, int]]],
                 make: Callable[[int, int], V]) -> None:  # fmt: skip
        self._variables = variables
        self._pairs = pairs
        self._make = make
        self._index: dict[Pair, tuple[int, int]] | None = None
        self._made: dict[Pair, V] = {}

    def _keys(self) -> dict[Pair, tuple[int, int]]:
        if self._index is None:
            names = self._variables
            self._index = {frozenset((names[i], names[j])): (i, j) for i, j in self._pairs()}
        return self._index

    def __getitem__(self, pair: Pair) -> V:
        if pair not in self._made:
            self._made[pair] = self._make(*self._keys()[pair])
        return self._made[pair]

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._keys())

    def __contains__(self, pair: object) -> bool:
        return pair in self._keys()

    def __repr__(self) -> str:
        return f"<evidence for {len(self):,} pairs, made when asked for>"
