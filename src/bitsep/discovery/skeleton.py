"""The skeleton of PC-stable under background knowledge."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from bitsep.discovery.knowledge import Masks
from bitsep.independence.engines.base import Engine
from bitsep.independence.engines.skeleton import Mask, Skeleton, SkeletonQuery, pairs_of
from bitsep.progress import Reporter

__all__ = ["Mask", "Skeleton", "find_skeleton", "pairs_of"]


def find_skeleton(
    engine: Engine,
    max_given: int | None,
    knowledge: Masks | None,
    never_given: tuple[int, ...],
    stop: Literal["first", "never"],
    reporter: Reporter,
) -> Skeleton:
    """Remove the edge of every pair that a set of neighbors separates; pairs that knowledge decides are not tested."""
    query = SkeletonQuery(max_given, stop=stop, never_given=never_given)
    if knowledge is not None:
        query = replace(query, required=knowledge.kept, excluded=knowledge.excluded, not_parent=knowledge.forbidden)
    return engine.find_skeleton(query, reporter.stages("sets of size {}"))
