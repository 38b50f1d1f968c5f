"""Derives the evidence of a finished search by score: graph, bits of edges and of missing edges, reasons, support.

Everything is computed lazily, the scores for all edges in one batch and those for all missing edges, unless there are
very many, in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep.discovery.bootstrap import Resamples, pairs_in, support_of
from bitsep.discovery.effect_size import entropy_per_row, entropy_share
from bitsep.discovery.evidence import EdgeCost, EdgeSaving, LazyEvidence, Obstacle, Pair, Support
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.knowledge import Masks
from bitsep.discovery.pair_explanations import in_bits
from bitsep.discovery.reasons import rule_reason
from bitsep.graphs import DAG, PDAG, equivalence
from bitsep.graphs.closure import close_consistent
from bitsep.graphs.marks import Marks, bits, reachable, union
from bitsep.lazy import cached_property
from bitsep.naming import Name
from bitsep.scores.engine import GraphRules, ScoreEngine
from bitsep.scores.families import Family
from bitsep.scores.structure import structure_bits

_FEW_PAIRS = 20_000
_TIE_BITS = 1e-6  # scores that differ by less are equal but for rounding


@dataclass(frozen=True)
class ScoreTrace:
    """A finished search by score: the engine it used, the best DAG, and the rules that it obeys.

    structure : whether the structure code is part of the scores.
    constant : the variables with fewer than two levels, which have only required edges.
    """

    engine: ScoreEngine
    parents: list[list[int]]
    knowledge: Masks | None
    structure: bool
    constant: frozenset[int]
    rules: GraphRules
    resamples: Resamples | None

    @property
    def variables(self) -> tuple[Name, ...]:
        return self.engine.variables

    @cached_property
    def dag(self) -> Marks:
        """The best DAG."""
        return Marks.of_parents(self.parents)

    @cached_property
    def marks(self) -> Marks:
        return represented(self.dag, self.knowledge)

    def graph(self) -> PDAG:
        return PDAG._of(self.variables, self.marks)

    def best_dag(self) -> DAG:
        return DAG._of(self.variables, self.dag)

    def edges(self) -> LazyEvidence[EdgeSaving]:
        """Evidence for every edge."""
        return LazyEvidence(self.variables, lambda: pairs_in(self.adjacent), lambda i, j: self._savings[i, j])

    def missing(self) -> LazyEvidence[EdgeCost]:
        """Evidence for every missing edge that the knowledge does not exclude."""
        return LazyEvidence(self.variables, self._missing_pairs, lambda i, j: self._costs([(i, j)])[0], self._costs)

    def missing_rows(self, most: int) -> npt.NDArray[np.int64]:
        """The number of rows behind each missing edge that would be possible; none if there are more than `most`."""
        if self._missing_count > most:
            return np.zeros(0, np.int64)
        costs = self._costs(list(self._missing_pairs()))
        return np.array([cost.rows for cost in costs if cost.cost_bits is not None], np.int64)

    def excluded(self) -> frozenset[Pair]:
        """The pairs whose edge is forbidden by knowledge."""
        if self.knowledge is None:
            return frozenset()
        names = self.variables
        return frozenset(frozenset((names[i], names[j])) for i, j in pairs_in(self.knowledge.excluded))

    def support(self) -> LazyEvidence[Support]:
        """The bootstrap support of every pair that is adjacent here or in some bootstrap sample."""
        return support_of(self.resamples, self.variables, self.adjacent)

    @cached_property
    def adjacent(self) -> npt.NDArray[np.bool_]:
        """Entry (i, j): whether i and j have an edge."""
        arrows = self.best_dag().adjacency()
        return arrows | arrows.T

    def _missing_pairs(self) -> Iterator[tuple[int, int]]:
        missing = ~self.adjacent
        return pairs_in(missing if self.knowledge is None else missing & ~self.knowledge.excluded)

    @cached_property
    def _savings(self) -> dict[tuple[int, int], EdgeSaving]:
        arrows = list(self.dag.directed_pairs())
        reversible = {
            (a, y)
            for a, y in arrows
            if self._possible(y, a) and not self._path(a, y) and len(self.parents[a]) < self._max_parents
        }
        families = [self._family(y) for y in range(len(self.variables))]
        families += [self._family(y, without=a) for a, y in arrows]
        families += [self._family(a, plus=y) for a, y in arrows if (a, y) in reversible]
        cost, rows = self._lengths(families)
        found = {}
        for a, y in arrows:
            now, without = self._family(y), self._family(y, without=a)
            saved = cost[without] - cost[now]
            back = None
            if (a, y) in reversible:
                back = saved + cost[self._family(a, plus=y)] - cost[self._family(a)]
            i, j = sorted((a, y))
            found[i, j] = EdgeSaving(
                parent=self.variables[a],
                child=self.variables[y],
                given=self._names(without[1]),
                saved_bits=saved,
                reversed_bits=back,
                required=self.knowledge is not None and bool(self.knowledge.required[a, y]),
                rows=rows[now],
                child_rows=int(self.engine.observed[y]),
                demanded_bits=self._demanded(y),
                orientation=self._reason(a, y, back),
                support=None if self.resamples is None else self.resamples.support(i, j),
                entropy_share=self._entropy_share(a, y, saved) if rows[now] else None,
            )
        return found

    def _costs(self, pairs: Sequence[tuple[int, int]]) -> list[EdgeCost]:
        """The costs of missing edges; if there are few of them, all are computed the first time."""
        if self._missing_count > _FEW_PAIRS:
            return list(self._costs_of(pairs).values())
        return [self._all_costs[pair] for pair in pairs]

    @cached_property
    def _all_costs(self) -> dict[tuple[int, int], EdgeCost]:
        return self._costs_of(list(self._missing_pairs()))

    @cached_property
    def _missing_count(self) -> int:
        return sum(1 for _ in self._missing_pairs())

    def _costs_of(self, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], EdgeCost]:
        arrows = [arrow for i, j in pairs for arrow in ((i, j), (j, i))]
        obstacles = {arrow: self._obstacle(*arrow) for arrow in arrows}
        added = {(a, y): self._family(y, plus=a) for a, y in arrows if obstacles[a, y] is None}
        cost, rows = self._lengths([*(self._family(y) for y in range(len(self.variables))), *added.values()])
        for arrow, family in added.items():
            if not rows[family]:
                obstacles[arrow] = "rows"
        found = {}
        for i, j in pairs:
            bits = {
                (a, y): cost[added[a, y]] - cost[self._family(y)]
                for a, y in ((i, j), (j, i))
                if obstacles[a, y] is None
            }
            a, y = (j, i) if i in self.constant else (i, j)
            if bits:
                a, y = min(bits, key=lambda arrow: (bits[arrow] + self._demanded(arrow[1]), arrow))
            found[i, j] = EdgeCost(
                parent=self.variables[a],
                child=self.variables[y],
                given=self._names(self.parents[y]),
                cost_bits=bits.get((a, y)),
                opposite_bits=bits.get((y, a)),
                obstacle=obstacles[a, y],
                opposite_obstacle=obstacles[y, a],
                rows=rows[added[a, y]] if bits else 0,
                child_rows=int(self.engine.observed[y]),
                demanded_bits=self._demanded(y),
            )
        return found

    def _obstacle(self, a: int, y: int) -> Obstacle | None:
        """Why a → y cannot be added to the best DAG; None if it can."""
        if self.constant & {a, y}:
            return "constant" if self.engine.n_levels(y if y in self.constant else a) else "no_values"
        if a in self.rules.not_parents:
            return "missing"
        if not self._possible(a, y):
            return "knowledge"
        if self._below[y] >> a & 1:
            return "cycle"
        return "max_parents" if len(self.parents[y]) >= self._max_parents else None

    def _reason(self, a: int, y: int, back: float | None) -> Explanation:
        """Why the edge from a to y is directed, or why it is not."""
        marks, names = self.marks, self.variables
        if not marks.parents[y] >> a & 1:
            open_direction = Explanation(
                "The direction is open: DAGs with either direction imply the same independences."
            )
            covered = set(self.parents[a]) == set(self.parents[y]) - {a}  # else another class if reversed alone
            if back is None or not covered or abs(back) < _TIE_BITS:
                return open_direction
            better = (a, y) if back > 0 else (y, a)
            return Explanation.of(
                "{} The code is shorter by {} with {} → {}.",
                open_direction, in_bits(abs(back)), *((names[v],) for v in better),
            )  # fmt: skip
        if self.knowledge is not None and self.knowledge.forbidden[y, a]:
            return Explanation("{} → {} by the knowledge given.", ((names[a],), (names[y],)))
        partners = marks.parents[y] & ~marks.adjacent(a) & ~(1 << a)
        if partners:
            other = next(bits(partners))
            text = "{} → {} as part of the v-structure {} → {} ← {}."
            reason = Explanation(text, tuple((names[v],) for v in (a, y, a, y, other)))
        else:
            reason = rule_reason(marks, a, y, names)
        if self._path(a, y):
            return Explanation.of("{} Reversed, the edge would close a directed cycle.", reason)
        if back is None or back < 0:
            return reason
        return Explanation.of("{} With the edge reversed, the code would be longer by {}.", reason, in_bits(back))

    def _lengths(self, families: Iterable[Family]) -> tuple[dict[Family, float], dict[Family, int]]:
        """The code length of each family with the structure code, and the rows that it has values in."""
        unique = list(dict.fromkeys(families))
        lengths = self.engine.score(unique)
        observed = self.engine.observed[[variable for variable, _ in unique]]
        sizes = np.array([len(parents) for _, parents in unique])
        scaled = lengths.scaled(observed, sizes, self.engine.n).tolist()
        if self.structure:
            p = len(self.variables)
            scaled = [length + structure_bits(p, len(family[1])) for length, family in zip(scaled, unique, strict=True)]
        return dict(zip(unique, scaled, strict=True)), dict(zip(unique, lengths.rows.tolist(), strict=True))

    def _family(self, y: int, *, plus: int | None = None, without: int | None = None) -> Family:
        parents = [a for a in self.parents[y] if a != without]
        return y, tuple(parents if plus is None else sorted([*parents, plus]))

    def _possible(self, a: int, y: int) -> bool:
        """Whether the rules allow a → y."""
        return self.rules.forbidden is None or not self.rules.forbidden[a, y]

    @property
    def _max_parents(self) -> int:
        return len(self.rules.structure_bits) - 1

    def _demanded(self, y: int) -> float:
        """The bits that a parent of y must save besides its code."""
        return self.rules.min_effect * int(self.engine.observed[y])

    def _entropy_share(self, a: int, y: int, saved: float) -> float | None:
        return entropy_share(saved / int(self.engine.observed[y]), self._entropy[a], self._entropy[y])

    @cached_property
    def _entropy(self) -> list[float]:
        """The entropy of each variable in bits per row."""
        return [entropy_per_row(self.engine.level_counts(v)) for v in range(len(self.variables))]

    def _path(self, a: int, y: int) -> bool:
        """Whether a directed path other than the edge leads from a to y."""
        return bool(union(self._below, self.dag.children[a] & ~(1 << y)) >> y & 1)

    @cached_property
    def _below(self) -> list[int]:
        """The descendants of each variable."""
        return reachable(self.dag.children)

    def _names(self, variables: Iterable[int]) -> tuple[Name, ...]:
        return tuple(self.variables[v] for v in variables)


def represented(dag: Marks, knowledge: Masks | None) -> Marks:
    """The CPDAG of a DAG; with knowledge, also the directions that follow from it."""
    marks = equivalence.complete(dag)
    if knowledge is not None:
        known = {(a, y) for a, y in dag.directed_pairs() if knowledge.forbidden[y, a] and marks.undirected[a] >> y & 1}
        for a, y in known:
            marks.direct(a, y)
        close_consistent(marks, known)
    return marks
