"""The skeleton of PC-stable under background knowledge."""

from __future__ import annotations

from typing import Literal

from bitsep.discovery.knowledge import Masks
from bitsep.independence.engines.base import Engine
from bitsep.independence.engines.skeleton import Mask, Skeleton, SkeletonQuery, pairs_of
from bitsep.progress import Reporter

__all__ = ["Mask", "Skeleton", "find_skeleton", "pairs_of"]


def find_skeleton(
    engine: Engine, max_given: int | None, knowledge: Masks | None, stop: Literal["first", "never"], reporter: Reporter
) -> Skeleton:
    """Remove the edge of every pair that a set of neighbors separates; pairs that knowledge decides are not tested."""
    query = SkeletonQuery(max_given, stop=stop)
    if knowledge is not None:
        query = SkeletonQuery(max_given, knowledge.kept, knowledge.excluded, knowledge.forbidden, stop)
    return engine.find_skeleton(query, reporter.stages("sets of size {}"))
