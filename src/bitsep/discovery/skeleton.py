"""The skeleton of PC-stable: which pairs no conditioning set separates (Colombo & Maathuis 2014).

The search itself is native (`native/src/search/skeleton.cpp`), for all engines. It speaks of variables by their index
in canonical order, and of pairs by their number in the list of all pairs (`pairs_of`), and keeps what the engine
answered, batch by batch. `trace.py` turns the batches into evidence when asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep._native import SkeletonSearch
from bitsep.discovery.progress import Reporter
from bitsep.independence.engines.base import Engine, Found, Indices, Progress, Ragged, Tasks
from bitsep.independence.engines.native import AnswersNatively, raw_of

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

_POOL_ITEMS = 1 << 24  # entries in the pools of one engine call: bounds memory where the graph is still dense


@dataclass(frozen=True, slots=True)
class Batch:
    """One call of the engine: the numbers of the pairs asked about, and what was found; all sets have one size."""

    size: int
    pairs: Numbers
    found: Found


class Skeleton:
    """What the search found. Arrays are made of it when somebody looks.

    untested : pairs that knowledge decided, as a symmetric matrix; None without knowledge.
    """

    def __init__(self, search: SkeletonSearch, untested: Mask | None) -> None:
        self.untested = untested
        self._search = search

    # The search itself is kept until all arrays are made of it: it takes more room than they do.

    @cached_property
    def adjacent(self) -> Mask:
        """Symmetric matrix of the pairs that no set separates."""
        n = self._search.variables
        return self._search.adjacent().view(np.bool_).reshape(n, n)

    @cached_property
    def tests(self) -> int:
        """Tests made."""
        return self._search.tests

    @cached_property
    def batches(self) -> tuple[Batch, ...]:
        """What the engine answered, in the order of asking."""
        raw = [self._search.batch(number) for number in range(len(self._search))]
        _ = self.adjacent, self.tests, self.colliders
        del self._search
        return tuple(Batch(size, pairs, Found.of(*found)) for size, pairs, found in raw)

    @cached_property
    def colliders(self) -> Indices:
        """The v-structures a → c ← b (a < b) that the separators tell, as rows of (a, c, b) in order of a, b, c."""
        return self._search.colliders().reshape(-1, 3)


@lru_cache(maxsize=8)
def pairs_of(n: int) -> tuple[Indices, Indices]:
    """All pairs x < y of n variables, in order."""
    x, y = np.triu_indices(n, 1)
    return x.astype(np.int32), y.astype(np.int32)


def find_skeleton(
    engine: Engine,
    *,
    max_given: int | None,
    required: Mask | None = None,
    excluded: Mask | None = None,
    not_parent: Mask | None = None,
    reporter: Reporter,
    most: int = _POOL_ITEMS,
) -> Skeleton:
    """Remove every pair that some set of neighbors separates.

    Adjacencies are frozen while sets of one size are tried, so the outcome does not depend on the order of the pairs.
    `required` pairs stay and `excluded` ones go untested (both symmetric); ``not_parent[z, x]`` keeps z out of the
    sets drawn from x's neighbors: a variable that cannot be a parent of x is in no separator the theory needs.
    """
    untested = None if required is None or excluded is None else required | excluded
    n = len(engine.variables)
    search = SkeletonSearch(n, untested, excluded, not_parent, None if max_given is None else min(max_given, n), most)
    stages = reporter.stages("sets of size {}")
    if isinstance(engine, AnswersNatively) and engine.answers_as_made:
        engine.search(search, stages)
    else:
        search.ask(lambda size, *task: _answer(engine, size, *task, progress=stages(size) if stages else None))
    return Skeleton(search, untested)


def _answer(
    engine: Engine, size: int, x: Indices, y: Indices, first: Any, second: Any, *, progress: Progress | None
) -> Any:
    """One batch, from an engine that may be anything."""
    tasks = Tasks(x, y, Ragged(*first), Ragged(*second) if size > 0 else None, min_size=size, max_size=size)
    return raw_of(engine.separate(tasks, progress))
