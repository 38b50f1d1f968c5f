"""The marks of a graph as bit sets: what the algorithms of this package work on.

Variables are numbers here, in canonical order of their names; a set of variables is one Python integer whose bit i
stands for variable i. Set algebra on them is a machine instruction per 30 variables, with no library behind it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


def bits(mask: int) -> Iterator[int]:
    """The members of a bit set, ascending.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(members: Iterable[int]) -> int:
    """The bit set with these members.

    >>> mask_of([1, 3])
    10
    """
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


@dataclass(slots=True)
class Marks:
    """A partially directed graph that algorithms may change.

    Attributes
    ----------
    parents, children : list of int
        Bit sets: ``parents[j]`` holds i, and ``children[i]`` holds j, where i → j.
    undirected : list of int
        ``undirected[i]`` holds j, and the other way round, where i — j.
    """

    parents: list[int]
    children: list[int]
    undirected: list[int]

    @classmethod
    def of(cls, n: int, directed: Iterable[tuple[int, int]], undirected: Iterable[tuple[int, int]] = ()) -> Marks:
        marks = cls([0] * n, [0] * n, [0] * n)
        for i, j in directed:
            marks.parents[j] |= 1 << i
            marks.children[i] |= 1 << j
        for i, j in undirected:
            marks.undirected[i] |= 1 << j
            marks.undirected[j] |= 1 << i
        return marks

    def __len__(self) -> int:
        return len(self.parents)

    def copy(self) -> Marks:
        return Marks(self.parents.copy(), self.children.copy(), self.undirected.copy())

    def adjacent(self, i: int) -> int:
        """Everything joined to i, whatever the mark."""
        return self.parents[i] | self.children[i] | self.undirected[i]

    def direct(self, i: int, j: int) -> None:
        """Turn i — j into i → j."""
        self.undirected[i] &= ~(1 << j)
        self.undirected[j] &= ~(1 << i)
        self.parents[j] |= 1 << i
        self.children[i] |= 1 << j

    def undirect(self, i: int, j: int) -> None:
        """Turn i → j into i — j."""
        self.parents[j] &= ~(1 << i)
        self.children[i] &= ~(1 << j)
        self.undirected[i] |= 1 << j
        self.undirected[j] |= 1 << i

    def within(self, group: Sequence[int]) -> Marks:
        """The part of the graph among these variables, which are renumbered by their place in `group`."""
        place = {v: k for k, v in enumerate(group)}
        mask = mask_of(group)

        def renumbered(sets: list[int]) -> list[int]:
            return [mask_of(place[u] for u in bits(sets[v] & mask)) for v in group]

        return Marks(renumbered(self.parents), renumbered(self.children), renumbered(self.undirected))

    def directed_pairs(self) -> Iterator[tuple[int, int]]:
        """(i, j) for every i → j, ascending."""
        for i, children in enumerate(self.children):
            for j in bits(children):
                yield i, j

    def undirected_pairs(self) -> Iterator[tuple[int, int]]:
        """(i, j) with i < j for every i — j, ascending."""
        for i, others in enumerate(self.undirected):
            for j in bits(others >> (i + 1)):
                yield i, i + 1 + j

    def collider_arrows(self) -> Iterator[tuple[int, int]]:
        """Every arrow i → j that is part of a v-structure: j has a parent that is not adjacent to i."""
        for i, j in self.directed_pairs():
            if self.parents[j] & ~self.adjacent(i) & ~(1 << i):
                yield i, j

    @property
    def is_acyclic(self) -> bool:
        """Whether the arrows form no cycle."""
        left = [i for i, parents in enumerate(self.parents) if parents]
        mask = mask_of(left)
        while left:  # take away, round by round, what has no parent left
            left = [i for i in left if self.parents[i] & mask]
            rest = mask_of(left)
            if rest == mask:
                return False
            mask = rest
        return True

    def topological_order(self) -> list[int] | None:
        """Parents before children, the lowest number first where there is a choice; None if there is a cycle.

        Only arrows count; undirected edges are ignored.
        """
        waiting = [parents.bit_count() for parents in self.parents]
        ready = [i for i, count in enumerate(waiting) if count == 0]
        order = []
        while ready:
            i = heapq.heappop(ready)
            order.append(i)
            for j in bits(self.children[i]):
                waiting[j] -= 1
                if waiting[j] == 0:
                    heapq.heappush(ready, j)
        return order if len(order) == len(self) else None

    def cyclic_core(self) -> int:
        """The variables that lie on a directed cycle (empty if there is none)."""
        below = reachable(self.children)
        return mask_of(i for i, mask in enumerate(below) if mask >> i & 1)


def reachable(arrows: list[int]) -> list[int]:
    """For each variable, what can be reached from it along one arrow or more (itself only on a cycle)."""
    order = _acyclic_order(arrows)
    if order is not None:  # one sweep from the sinks upwards
        found = [0] * len(arrows)
        for i in order:
            mask = arrows[i]
            for j in bits(arrows[i]):
                mask |= found[j]
            found[i] = mask
        return found
    found = []
    for start in arrows:  # cycles are rare (contradictory data), so a plain search from each variable will do
        seen, frontier = 0, start
        while frontier:
            seen |= frontier
            step = 0
            for j in bits(frontier):
                step |= arrows[j]
            frontier = step & ~seen
        found.append(seen)
    return found


def _acyclic_order(arrows: list[int]) -> list[int] | None:
    """Sinks first; None if the arrows have a cycle."""
    backwards = [0] * len(arrows)
    for i, targets in enumerate(arrows):
        for j in bits(targets):
            backwards[j] |= 1 << i
    waiting = [targets.bit_count() for targets in arrows]
    order = [i for i, count in enumerate(waiting) if count == 0]
    for i in order:  # grows while we walk it
        for j in bits(backwards[i]):
            waiting[j] -= 1
            if waiting[j] == 0:
                order.append(j)
    return order if len(order) == len(arrows) else None
