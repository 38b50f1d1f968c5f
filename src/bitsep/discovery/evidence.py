"""The evidence behind a graph: why edges are missing, why they were kept, and where the data are contradictory."""

from __future__ import annotations

import math
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from typing import Literal, TypeVar

from bitsep.discovery.explanation import Explanation
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name

Pair = frozenset[Name]

ConflictKind = Literal["v-structures", "cycle", "rules", "knowledge", "evidence"]

DecisionKind = Literal["undirected", "v-structure", "reversed", "left out"]

Obstacle = Literal["knowledge", "cycle", "max_parents", "rows", "constant", "no_values", "missing"]

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Support:
    """Shares of bootstrap samples.

    edge : share in which the pair is adjacent.
    forward, backward : share in which the edge is directed from the first variable of the pair by name to the second,
        and from the second to the first. In a PAG: with an arrowhead at the second, and at the first; ↔ counts as both.
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
        Of all tests made, the one that came closest to separating the pair; None if knowledge requires the edge.
    orientation : Explanation
        The reason for the direction of the edge, or why it has none; ``str`` returns the sentence.
    tests_run : int
        The number of tests made for this pair.
    support : Support or None
        The shares of bootstrap samples with the edge, and with each direction.
    entropy_share : float or None
        `bits_per_row` as a share of the entropy of the variable that has less of it: 0 if they share nothing, 1 if one
        determines the other. None if there is no test or there are no data.
    """

    weakest: IndependenceResult | None
    orientation: Explanation
    tests_run: int = 0
    support: Support | None = None
    entropy_share: float | None = None

    @property
    def given(self) -> tuple[Name, ...]:
        """The conditioning set of the weakest test."""
        return () if self.weakest is None else self.weakest.given

    @property
    def rows(self) -> int:
        """The number of rows of the weakest test."""
        return 0 if self.weakest is None else self.weakest.n

    @property
    def margin_bits(self) -> float | None:
        """The score of the weakest test: by how much its information exceeds its threshold."""
        return None if self.weakest is None else self.weakest.score_bits

    @property
    def strength_bits(self) -> float | None:
        """The information in the weakest test, over all rows."""
        return None if self.weakest is None else self.weakest.n * self.weakest.cmi_bits

    @property
    def bits_per_row(self) -> float | None:
        """The information in the weakest test, per row; None without a test or rows."""
        return None if self.weakest is None or not self.weakest.n else self.weakest.cmi_bits


@dataclass(frozen=True, slots=True)
class EdgeSaving:
    """Why a search by score has an edge, and why it has its direction.

    Attributes
    ----------
    parent, child : name
        The direction of the edge in the best DAG (`Discovery.to_dag`).
    given : tuple of names
        The other parents of the child.
    saved_bits : float
        By how much the code of the child is longer without the edge; negative only if knowledge requires the edge.
        Without meaning if `rows` is 0.
    reversed_bits : float or None
        By how much the code is longer with the edge reversed; None if that would close a directed cycle, or the
        knowledge or the largest number of parents does not allow it.
    required : bool
        Whether the knowledge requires the edge.
    rows : int
        The number of rows without missing values in the child and its parents.
    child_rows : int
        The number of rows in which the child has a value: the bits are scaled to these rows.
    demanded_bits : float
        The bits that `min_effect` demands for these rows.
    orientation : Explanation
        The reason for the direction of the edge, or why it has none; ``str`` returns the sentence.
    support : Support or None
        The shares of bootstrap samples with the edge, and with each direction.
    entropy_share : float or None
        `bits_per_row` as a share of the entropy of the variable that has less of it, between 0 and 1; None if `rows` or
        this entropy is 0.
    """

    parent: Name
    child: Name
    given: tuple[Name, ...]
    saved_bits: float
    reversed_bits: float | None
    required: bool
    rows: int
    child_rows: int
    demanded_bits: float
    orientation: Explanation
    support: Support | None = None
    entropy_share: float | None = None

    @property
    def margin_bits(self) -> float:
        """The bits that the edge saves, minus those that `min_effect` demands."""
        return self.saved_bits - self.demanded_bits

    @property
    def strength_bits(self) -> float:
        """The bits that the edge saves."""
        return self.saved_bits

    @property
    def bits_per_row(self) -> float | None:
        """The bits that the edge saves for each row in which the child has a value; None without rows."""
        return self.saved_bits / self.child_rows if self.rows else None


@dataclass(frozen=True, slots=True)
class EdgeCost:
    """Why a search by score does not have an edge: what the edge would cost at its best place in the best DAG.

    Attributes
    ----------
    parent, child : name
        The better direction for the edge.
    given : tuple of names
        The parents of the child.
    cost_bits : float or None
        By how much the code of the child would be longer with the edge; None if neither direction is possible.
        It is negative where the search did not try the edge (see the notes of `bitsep.boss`).
    opposite_bits : float or None
        The same for the other direction; None if it is not possible.
    obstacle, opposite_obstacle : str or None
        Why a direction is not possible: "knowledge" (which forbids it), "cycle" (it would close one), "max_parents"
        (the child has as many already), "rows" (no row has values in all variables), "missing" (the parent has values
        in too few rows, see `min_rows_share`), "constant" or "no_values" (the child, or the parent of the other
        direction).
    rows : int
        The number of rows without missing values in the child, its parents and the new parent.
    child_rows : int
        The number of rows in which the child has a value: the bits are scaled to these rows.
    demanded_bits : float
        The bits that `min_effect` demands for these rows.
    """

    parent: Name
    child: Name
    given: tuple[Name, ...]
    cost_bits: float | None
    opposite_bits: float | None
    obstacle: Obstacle | None
    opposite_obstacle: Obstacle | None
    rows: int
    child_rows: int
    demanded_bits: float

    @property
    def margin_bits(self) -> float:
        """The bits that the edge would cost, with those that `min_effect` demands; infinite if no direction is
        possible."""
        return math.inf if self.cost_bits is None else self.cost_bits + self.demanded_bits

    @property
    def bits_per_row(self) -> float | None:
        """The bits that the edge would save for each row in which the child has a value; None without rows."""
        return -self.cost_bits / self.child_rows if self.cost_bits is not None and self.rows else None


@dataclass(frozen=True, slots=True)
class Conflict:
    """An edge with contradictory evidence about its direction.

    kind : "v-structures" (they imply both directions), "cycle" (the directed edge would close one), "rules" (Meek's
        rules imply both directions), "knowledge" (a v-structure contradicts the knowledge) or "evidence" (a decision
        about a triple contradicts decisions with more bits).
    edge : the two variables, in canonical order.
    reason : the contradiction; ``str`` returns the sentence.
    bits : the evidence that was overruled, with the rule "evidence"; otherwise None.
    """

    kind: ConflictKind
    edge: tuple[Name, Name]
    reason: Explanation
    bits: float | None = None


@dataclass(frozen=True, slots=True)
class AmbiguousTriple:
    """A triple a — center — b for which the data do not decide whether it is a v-structure.

    holding, lacking : the number of sets that separate a and b and contain the center, and of those that do not.
    reason : why it is undecided; ``str`` returns the sentence.
    """

    a: Name
    center: Name
    b: Name
    holding: int
    lacking: int
    reason: Explanation


@dataclass(frozen=True, slots=True)
class Decision:
    """An edge whose mark in the DAG of `Discovery.to_dag` differs from its mark in the graph.

    kind : "undirected" (undirected in the graph; DAGs with the other direction are as good), "v-structure" (undirected
        in the graph; its direction makes a v-structure that the graph does not have), "reversed" (the graph has the
        other direction) or "left out" (the directions that knowledge allows form a cycle, so the DAG lacks the edge).
    edge : (from, to) in the DAG; for "left out" the two variables in canonical order.
    reason : what was decided and why; ``str`` returns the sentence.
    """

    kind: DecisionKind
    edge: tuple[Name, Name]
    reason: Explanation


class LazyEvidence(Mapping[Pair, V]):
    """A read-only mapping from pairs of names to evidence, which is computed lazily and cached."""

    def __init__(
        self,
        variables: tuple[Name, ...],
        pairs: Callable[[], Iterator[tuple[int, int]]],
        make: Callable[[int, int], V],
        make_many: Callable[[Sequence[tuple[int, int]]], Sequence[V]] | None = None,
    ) -> None:
        self._variables = variables
        self._pairs = pairs
        self._make = make
        self._make_many = make_many
        self._index: dict[Pair, tuple[int, int]] | None = None
        self._cache: dict[Pair, V] = {}

    def load(self, pairs: Iterable[Pair]) -> None:
        """Compute the evidence of these pairs together, where that is faster than one by one."""
        if self._make_many is None:
            return
        keys = self._keys()
        new = [pair for pair in pairs if pair not in self._cache]
        self._cache.update(zip(new, self._make_many([keys[pair] for pair in new]), strict=True))

    def items(self) -> ItemsView[Pair, V]:
        self.load(self)
        return super().items()

    def values(self) -> ValuesView[V]:
        self.load(self)
        return super().values()

    def _keys(self) -> dict[Pair, tuple[int, int]]:
        if self._index is None:
            names = self._variables
            self._index = {frozenset((names[i], names[j])): (i, j) for i, j in self._pairs()}
        return self._index

    def __getitem__(self, pair: Pair) -> V:
        if pair not in self._cache:
            self._cache[pair] = self._make(*self._keys()[pair])
        return self._cache[pair]

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._keys())

    def __contains__(self, pair: object) -> bool:
        return pair in self._keys()

    def __repr__(self) -> str:
        return f"<evidence for {len(self):,} pairs, computed lazily>"
