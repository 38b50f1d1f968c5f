"""The marks of a graph as bit sets, on which the algorithms of this package work.

Variables are given by their index in canonical order of the names; a set of variables is one Python integer whose bit i
stands for variable i. Set operations need about one machine instruction per 30 variables, and no library.
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


def union(sets: Sequence[int], members: int) -> int:
    """The union of the bit sets of these members.

    >>> union([0b001, 0b010, 0b100], 0b101)
    5
    """
    result = 0
    for i in bits(members):
        result |= sets[i]
    return result


def spread(edges: Sequence[int], start: int) -> int:
    """The variables in `start`, and all that can be reached from them along these edges."""
    found, frontier = 0, start
    while frontier:
        found |= frontier
        frontier = union(edges, frontier) & ~found
    return found


@dataclass(slots=True)
class Marks:
    """A partially directed graph that algorithms can change.

    Attributes
    ----------
    parents, children : list of int
        Bit sets: for i → j, ``parents[j]`` contains i, and ``children[i]`` contains j.
    undirected : list of int
        Bit sets: for i — j, ``undirected[i]`` contains j, and ``undirected[j]`` contains i.
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

    @classmethod
    def of_parents(cls, parents: Sequence[Iterable[int]]) -> Marks:
        """The directed graph in which each variable has these parents."""
        return cls.of(len(parents), [(a, y) for y, some in enumerate(parents) for a in some])

    def __len__(self) -> int:
        return len(self.parents)

    def copy(self) -> Marks:
        return Marks(self.parents.copy(), self.children.copy(), self.undirected.copy())

    def adjacent(self, i: int) -> int:
        """All variables that have an edge with i."""
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
        """The subgraph of these variables, which are renumbered by their position in `group`."""
        position = {v: k for k, v in enumerate(group)}
        mask = mask_of(group)

        def renumbered(sets: list[int]) -> list[int]:
            return [mask_of(position[u] for u in bits(sets[v] & mask)) for v in group]

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
        """Every edge i → j that is part of a v-structure: j has a parent that is not adjacent to i."""
        for i, j in self.directed_pairs():
            if self.parents[j] & ~self.adjacent(i) & ~(1 << i):
                yield i, j

    @property
    def is_acyclic(self) -> bool:
        """Whether there is no directed cycle."""
        left = [i for i, parents in enumerate(self.parents) if parents]
        mask = mask_of(left)
        while left:  # remove variables without parents, in rounds
            left = [i for i in left if self.parents[i] & mask]
            rest = mask_of(left)
            if rest == mask:
                return False
            mask = rest
        return True

    def topological_order(self) -> list[int] | None:
        """The variables with parents before children, ties by index; None if there is a cycle.

        Undirected edges are ignored.
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
        """The variables on directed cycles (empty if there are none)."""
        below = reachable(self.children)
        return mask_of(i for i, mask in enumerate(below) if mask >> i & 1)

    def find_cycle(self) -> list[int]:
        """A directed cycle, with its first variable repeated at the end; empty if there is none."""
        if self.is_acyclic:
            return []
        core = self.cyclic_core()
        walk = [next(bits(core))]
        while True:
            following = next(bits(self.children[walk[-1]] & core))
            if following in walk:
                return [*walk[walk.index(following) :], following]
            walk.append(following)


def unshielded_triples(marks: Marks) -> Iterator[tuple[int, int, int]]:
    """(a, c, b) with a < b for every a and b that are not adjacent to each other but to c, ascending by c."""
    for c in range(len(marks)):
        beside = marks.adjacent(c)
        for a in bits(beside):
            for b in bits((beside & ~marks.adjacent(a)) >> (a + 1)):
                yield a, c, a + 1 + b


def reachable(arrows: list[int]) -> list[int]:
    """For each variable, those that can be reached from it by a directed path (itself only on a cycle)."""
    order = _acyclic_order(arrows)
    if order is not None:  # one pass, starting with the sinks
        found = [0] * len(arrows)
        for i in order:
            found[i] = arrows[i] | union(found, arrows[i])
        return found
    # Cycles are rare (contradictory data), so a search from each variable is fast enough.
    return [spread(arrows, targets) for targets in arrows]


def _acyclic_order(arrows: list[int]) -> list[int] | None:
    """The variables with children before parents; None if there is a cycle."""
    backwards = [0] * len(arrows)
    for i, targets in enumerate(arrows):
        for j in bits(targets):
            backwards[j] |= 1 << i
    waiting = [targets.bit_count() for targets in arrows]
    order = [i for i, count in enumerate(waiting) if count == 0]
    for i in order:  # grows during the loop
        for j in bits(backwards[i]):
            waiting[j] -= 1
            if waiting[j] == 0:
                order.append(j)
    return order if len(order) == len(arrows) else None
