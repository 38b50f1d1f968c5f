"""The skeleton of PC-stable: which pairs no conditioning set separates (Colombo & Maathuis 2014).

The search speaks of variables by their index in canonical order, and of pairs by their number in the list of all
pairs (`pairs_of`). It keeps what the engine answered, batch by batch, and makes nothing per pair in Python, so that
the engine, not the search, decides how long it takes. `trace.py` turns the batches into evidence when asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bitsep._native import pools_of_pairs, settle_pairs, unshielded_colliders
from bitsep.discovery.progress import Reporter
from bitsep.independence.engine import Engine, Found, Indices, Ragged, Tasks

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

_POOL_ITEMS = 1 << 24  # entries in the pools of one engine call: bounds memory where the graph is still dense


@dataclass(frozen=True, slots=True)
class Batch:
    """One call of the engine: the numbers of the pairs asked about, and what was found; all sets have one size."""

    size: int
    pairs: Numbers
    found: Found


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What the search found.

    adjacent : symmetric matrix of the pairs that no set separates.
    batches : what the engine answered, in the order of asking.
    separated_in, separated_row : per pair, the batch that separated it (-1: none) and the row there.
    untested : pairs that knowledge decided, as a symmetric matrix; None without knowledge.
    """

    adjacent: Mask
    batches: tuple[Batch, ...]
    separated_in: npt.NDArray[np.int32]
    separated_row: npt.NDArray[np.int32]
    untested: Mask | None

    @property
    def tests(self) -> int:
        """Tests made."""
        return sum(int(batch.found.tests.sum()) for batch in self.batches)

    def colliders(self) -> Indices:
        """The v-structures a → c ← b (a < b) that the separators tell, as rows of (a, c, b) in order of a, b, c."""
        separators = [(batch.found.given.offsets, batch.found.given.items) for batch in self.batches]
        found = unshielded_colliders(self.adjacent, self.separated_in, self.separated_row, separators)
        return found.reshape(-1, 3)


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
) -> Skeleton:
    """Remove every pair that some set of neighbours separates.

    Adjacencies are frozen while sets of one size are tried, so the outcome does not depend on the order of the pairs.
    `required` pairs stay and `excluded` ones go untested (both symmetric); ``not_parent[z, x]`` keeps z out of the
    sets drawn from x's neighbours: a variable that cannot be a parent of x is in no separator the theory needs.
    """
    n = len(engine.variables)
    adjacent = np.ones((n, n), bool)
    adjacent.flat[:: n + 1] = False
    untested = None
    alive: Numbers = np.arange(n * (n - 1) // 2)
    if required is not None and excluded is not None:
        adjacent &= ~excluded
        untested = required | excluded
        alive = alive[~untested[pairs_of(n)]]
    separated_in = np.full(n * (n - 1) // 2, -1, np.int32)
    separated_row = np.zeros(n * (n - 1) // 2, np.int32)
    batches: list[Batch] = []
    size = 0
    while max_given is None or size <= max_given:
        pool = adjacent.copy() if not_parent is None else adjacent & ~not_parent.T  # frozen for this size
        survived = []
        for pairs, tasks in _level(alive, pool, size):
            found = engine.separate(tasks, reporter.stage(f"sets of size {size}"))
            survived.append(settle_pairs(adjacent, separated_in, separated_row, len(batches), pairs, found.separated))
            batches.append(Batch(size, pairs, found))
        if not survived:
            break
        # A pair with too few neighbours for this size has too few for the next one as well.
        alive = survived[0] if len(survived) == 1 else np.concatenate(survived)
        size += 1
    return Skeleton(adjacent, tuple(batches), separated_in, separated_row, untested)


def _level(alive: Numbers, pool: Mask, size: int, most: int = _POOL_ITEMS) -> Iterator[tuple[Numbers, Tasks]]:
    """The tasks of one size, in pieces of bounded memory; nothing where no pair has enough neighbours left."""
    if size == 0:
        if len(alive):
            x, y = pairs_of(len(pool))
            yield alive, Tasks(x[alive], y[alive], Ragged.empty(len(alive)))
        return
    begin = 0
    while begin < len(alive):
        pairs, x, y, *pools, begin = pools_of_pairs(pool, alive, size, begin, most)
        if len(pairs):
            first, second = Ragged(*pools[:2]), Ragged(*pools[2:])
            yield pairs, Tasks(x, y, first, second, min_size=size, max_size=size)
