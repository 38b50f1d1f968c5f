"""Computes the evidence of single pairs lazily from the arrays that a search returned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep.discovery.bootstrap import Resamples, pairs_in, support_of
from bitsep.discovery.effect_size import entropy_per_row, entropy_share
from bitsep.discovery.evidence import AmbiguousTriple, Conflict, EdgeEvidence, LazyEvidence, Pair, Support
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.orientation import Oriented
from bitsep.discovery.ranking import Ranking, RecordPosition, rank
from bitsep.discovery.reasons import OrientationReasons, conflict_reason, undecided_reason
from bitsep.discovery.skeleton import AnySkeleton, Mask, pair_number, pairs_of
from bitsep.graphs import PDAG
from bitsep.independence import Separation
from bitsep.independence.engines.base import Engine
from bitsep.independence.result import IndependenceResult
from bitsep.lazy import cached_property
from bitsep.naming import Name


class PairTrace(ABC):
    """The evidence of pairs, from the tests of a finished search: what searches for a PDAG and for a PAG share."""

    engine: Engine
    skeleton: AnySkeleton
    resamples: Resamples | None

    @abstractmethod
    def _orientation(self, i: int, j: int) -> Explanation:
        """Why the edge between i and j has its marks."""

    @property
    def variables(self) -> tuple[Name, ...]:
        return self.engine.variables

    @cached_property
    def ranking(self) -> Ranking:
        return rank(self.skeleton)

    def separations(self) -> LazyEvidence[Separation]:
        """Evidence for every pair that a test separated."""
        return LazyEvidence(self.variables, lambda: pairs_in(self._separated()), self._separation)

    @cached_property
    def edges(self) -> LazyEvidence[EdgeEvidence]:
        """Evidence for every edge."""
        return LazyEvidence(self.variables, lambda: pairs_in(self.skeleton.adjacent), self._edge)

    def support(self) -> LazyEvidence[Support]:
        """The bootstrap support of every pair that is adjacent here or in some bootstrap sample."""
        return support_of(self.resamples, self.variables, self.skeleton.adjacent)

    def _separated(self) -> Mask:
        missing = ~self.skeleton.adjacent
        return missing if self.skeleton.untested is None else missing & ~self.skeleton.untested

    def separation_rows(self) -> npt.NDArray[np.int64]:
        """The number of rows of the test behind each separation, in the order of pairs."""
        missing = self._separated()[pairs_of(len(self.variables))]
        found = np.zeros(len(missing), np.int64)
        best = self.ranking.best
        for number, batch in enumerate(self.skeleton.batches):
            own = np.flatnonzero((best.batch == number) & missing)
            found[own] = batch.found.record["n"][best.row[own]]
        return found[missing]

    def _separation(self, i: int, j: int) -> Separation:
        result = self._result(self.ranking.best, i, j)
        assert result is not None  # the pair was separated by a test
        runner_up = self._result(self.ranking.runner_up, i, j)
        return Separation(result.given, result, runner_up, int(self.ranking.tests[self._number(i, j)]))

    def _edge(self, i: int, j: int) -> EdgeEvidence:
        weakest = self._result(self.ranking.best, i, j)
        return EdgeEvidence(
            weakest=weakest,
            orientation=self._orientation(i, j),
            tests_run=int(self.ranking.tests[self._number(i, j)]),
            support=None if self.resamples is None else self.resamples.support(i, j),
            entropy_share=None if weakest is None else self._entropy_share(i, j, weakest.cmi_bits),
        )

    def _entropy_share(self, i: int, j: int, bits_per_row: float) -> float | None:
        entropies = self._entropy
        return None if entropies is None else entropy_share(bits_per_row, entropies[i], entropies[j])

    @cached_property
    def _entropy(self) -> list[float] | None:
        """The entropy of each variable in bits per row; None if the engine has no counts."""
        counts = [self.engine.level_counts(v) for v in range(len(self.variables))]
        return (
            None if any(one is None for one in counts) else [entropy_per_row(one) for one in counts if one is not None]
        )

    def _result(self, position: RecordPosition, i: int, j: int) -> IndependenceResult | None:
        pair = self._number(i, j)
        batch, row = int(position.batch[pair]), int(position.row[pair])
        if batch < 0:
            return None
        found = self.skeleton.batches[batch].found
        if position.second[pair]:
            return self.engine.result(i, j, sorted(found.runner_up[row]), found.runner_up_record[row])
        return self.engine.result(i, j, sorted(found.given[row]), found.record[row])

    def _number(self, i: int, j: int) -> int:
        return pair_number(len(self.variables), i, j)


@dataclass(frozen=True)
class Trace(PairTrace):
    """A finished search: the engine it used, and its results."""

    engine: Engine
    skeleton: AnySkeleton
    orient: Callable[[], Oriented]
    resamples: Resamples | None

    @cached_property
    def oriented(self) -> Oriented:
        return self.orient()

    def graph(self) -> PDAG:
        return PDAG._of(self.variables, self.oriented.marks)

    @cached_property
    def complete(self) -> bool:
        """Whether the evidence on directions is consistent; then DAGs exist for both directions of undirected edges."""
        oriented = self.oriented
        return not oriented.conflicts and not oriented.undecided and self.graph().consistent_extension() is not None

    def excluded(self) -> frozenset[Pair]:
        """The pairs whose edge is forbidden by knowledge."""
        if self.skeleton.untested is None:
            return frozenset()
        names = self.variables
        return frozenset(
            frozenset((names[i], names[j])) for i, j in pairs_in(self.skeleton.untested & ~self.skeleton.adjacent)
        )

    def conflicts(self) -> tuple[Conflict, ...]:
        names = self.variables
        return tuple(
            Conflict(
                conflict.kind,
                (names[conflict.edge[0]], names[conflict.edge[1]]),
                conflict_reason(conflict, self.oriented, self.variables),
                None if conflict.bits is None else abs(conflict.bits),
            )
            for conflict in self.oriented.conflicts
        )

    def ambiguous(self) -> tuple[AmbiguousTriple, ...]:
        names = self.variables
        return tuple(
            AmbiguousTriple(
                names[d.a], names[d.c], names[d.b], d.holding, d.lacking, undecided_reason(d, self.variables)
            )
            for d in self.oriented.undecided
        )

    @cached_property
    def _reasons(self) -> OrientationReasons:
        return OrientationReasons(self.oriented, self.variables, self.complete)

    def _orientation(self, i: int, j: int) -> Explanation:
        return self._reasons.of(i, j)
