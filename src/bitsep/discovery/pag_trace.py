"""The evidence of a finished search for a PAG."""

from __future__ import annotations

from dataclasses import dataclass

from bitsep.discovery.bootstrap import Resamples
from bitsep.discovery.evidence import AmbiguousTriple, Conflict
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.mark_orientation import Marked
from bitsep.discovery.mark_reasons import MarkReasons, conflict_reason
from bitsep.discovery.reasons import undecided_reason
from bitsep.discovery.skeleton import RefinedSkeleton
from bitsep.discovery.trace import PairTrace
from bitsep.graphs import PAG
from bitsep.independence.engines.base import Engine
from bitsep.lazy import cached_property


@dataclass(frozen=True)
class PagTrace(PairTrace):
    """A finished search for a PAG: the engine it used, and its results."""

    engine: Engine
    skeleton: RefinedSkeleton
    marked: Marked
    resamples: Resamples | None

    def graph(self) -> PAG:
        return PAG._of(self.variables, self.marked.ends)

    def conflicts(self) -> tuple[Conflict, ...]:
        names = self.variables
        return tuple(
            Conflict(
                conflict.kind,
                (names[conflict.edge[0]], names[conflict.edge[1]]),
                conflict_reason(conflict, self.variables),
                None if conflict.bits is None else abs(conflict.bits),
            )
            for conflict in self.marked.conflicts
        )

    def ambiguous(self) -> tuple[AmbiguousTriple, ...]:
        names = self.variables
        return tuple(
            AmbiguousTriple(names[d.a], names[d.c], names[d.b], d.holding, d.lacking, undecided_reason(d, names))
            for d in self.marked.undecided
        )

    @cached_property
    def _reasons(self) -> MarkReasons:
        return MarkReasons(self.marked, self.skeleton.separators, self.variables)

    def _orientation(self, i: int, j: int) -> Explanation:
        return self._reasons.of(i, j)
