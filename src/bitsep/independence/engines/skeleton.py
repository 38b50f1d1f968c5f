"""The skeleton of PC-stable: the pairs that no conditioning set separates (Colombo & Maathuis 2014).

The loop over the sizes of conditioning sets is native (`native/src/search/skeleton.cpp`) for all engines. Variables are
given by index in canonical order, pairs by their number in the list of all pairs (`pairs_of`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bitsep._native import SkeletonSearch
from bitsep.independence.engines.base import RECORD, Engine, Found, Indices, Ragged, Tasks
from bitsep.lazy import cached_property
from bitsep.progress import Step

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
Stages = Callable[[int], Step | None]


@dataclass(frozen=True, slots=True)
class SkeletonQuery:
    """The pairs to test, and the conditioning sets. Matrices are symmetric unless stated otherwise.

    Adjacencies are not changed while sets of one size are tested, so the result does not depend on the order of pairs.

    max_given : the largest size of conditioning sets; None for no limit.
    required : pairs that keep their edge and are not tested.
    excluded : pairs that have no edge and are not tested.
    not_parent : if ``not_parent[z, x]``, z is not used in sets chosen from the neighbors of x, since the theory needs
        no separator with a variable that cannot be a parent of x. Not symmetric.
    never_given : the variables that no conditioning set contains, ascending.
    stop : "first" removes an edge at the first separator found; "never" tests all sets of its size and chooses the
        separator with the lowest score, whatever the names of the variables. Both give the same skeleton.
    max_pool_items : the number of variables in the pools of one batch, which limits memory while the graph is dense.
    """

    max_given: int | None = None
    required: Mask | None = None
    excluded: Mask | None = None
    not_parent: Mask | None = None
    stop: Literal["first", "never"] = "first"
    max_pool_items: int = 1 << 24
    never_given: tuple[int, ...] = ()

    @property
    def untested(self) -> Mask | None:
        """The pairs that knowledge decides."""
        return None if self.required is None or self.excluded is None else self.required | self.excluded

    def native(self, n: int) -> SkeletonSearch:
        """The native search over n variables."""
        limit = None if self.max_given is None else min(self.max_given, n)
        first = self.stop == "first"
        not_given = self.not_parent
        if self.never_given:
            not_given = np.zeros((n, n), np.bool_) if not_given is None else not_given.copy()
            not_given[list(self.never_given), :] = True
        return SkeletonSearch(n, self.untested, self.excluded, not_given, limit, self.max_pool_items, first)


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch of a search: the numbers of the pairs tested, and the results; all sets have the same size."""

    size: int
    pairs: Numbers
    found: Found


class Skeleton:
    """The result of the search; arrays are computed lazily.

    untested : the pairs that knowledge decides, as a symmetric matrix; None without knowledge.
    never_given : the variables that no conditioning set contains.
    """

    def __init__(self, search: SkeletonSearch, query: SkeletonQuery) -> None:
        self.untested = query.untested
        self.never_given = query.never_given
        self._search = search

    @cached_property
    def adjacent(self) -> Mask:
        """Symmetric matrix of the pairs that no set separates."""
        n = self._search.variables
        return self._search.adjacent().view(np.bool_).reshape(n, n)

    @cached_property
    def pools(self) -> Mask:
        """Entry (x, z): whether z is a neighbor of x that a conditioning set may contain."""
        pools = self.adjacent.copy()
        pools[:, list(self.never_given)] = False
        return pools

    @cached_property
    def tests(self) -> int:
        """The number of tests made."""
        return self._search.tests

    @cached_property
    def batches(self) -> tuple[Batch, ...]:
        """The answers of the engine, in order."""
        raw = [self._search.batch(number) for number in range(len(self._search))]
        # All arrays are computed now, so that the search, which uses more memory than they do, can be released.
        _ = self.adjacent, self.tests, self.colliders
        del self._search
        return tuple(Batch(size, pairs, Found.of(found)) for size, pairs, found in raw)

    @cached_property
    def colliders(self) -> Indices:
        """The v-structures a → c ← b (a < b) that follow from the separators, as rows (a, c, b) sorted by a, b, c."""
        return self._search.colliders().reshape(-1, 3)


@lru_cache(maxsize=8)
def pairs_of(n: int) -> tuple[Indices, Indices]:
    """All pairs x < y of n variables, in order."""
    x, y = np.triu_indices(n, 1)
    return x.astype(np.int32), y.astype(np.int32)


def search_by_size(engine: Engine, query: SkeletonQuery, stages: Stages | None) -> Skeleton:
    """Run the search with one call of `engine.separate` per batch."""

    def answer(size: int, x: Indices, y: Indices, first: Any, second: Any) -> Any:
        pools = Ragged(*first), Ragged(*second) if size > 0 else None
        tasks = Tasks(x, y, *pools, min_size=size, max_size=size, stop=query.stop)
        return _raw(engine.separate(tasks, stages(size) if stages else None))

    search = query.native(len(engine.variables))
    search.ask(answer)
    return Skeleton(search, query)


def _raw(found: Found) -> tuple[npt.NDArray[Any], ...]:
    """An answer as native code expects it: truth values and records as bytes."""
    return tuple(
        np.ascontiguousarray(array).view(np.uint8) if array.dtype in (np.bool_, RECORD) else array
        for array in found.arrays().values()
    )
