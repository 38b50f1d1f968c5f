"""Edges with a mark at each end, as bit sets: tails, arrowheads and circles.

Variables are given by their index, sets of variables by bit sets, as in `marks`. An edge has a mark at both ends; the
mark of an edge between i and j *at i* says whether i is a cause of j (tail), is not (arrowhead), or may be (circle).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from bitsep.graphs.marks import Marks, bits

Mark = Literal["tail", "arrow", "circle"]

SIGNS: dict[str, tuple[Mark, Mark]] = {
    "→": ("tail", "arrow"),
    "↔": ("arrow", "arrow"),
    "—": ("tail", "tail"),
    "o→": ("circle", "arrow"),
    "o—o": ("circle", "circle"),
    "—o": ("tail", "circle"),
}
"""The marks at the first and at the second end for each sign; every edge can be written by one of them."""

_SIGN_OF = {marks: sign for sign, marks in SIGNS.items()}


@dataclass(slots=True)
class EndMarks:
    """A graph with marks at the ends of edges that algorithms can change.

    Attributes
    ----------
    adjacent : list of int
        Bit sets: the neighbors of each variable.
    arrows_at, tails_at : list of int
        Bit sets: for each variable i the neighbors j such that the edge between i and j has this mark at i.
    arrows_to, tails_to : list of int
        The same edges seen from the other end: the neighbors j such that the edge has this mark at j.
    """

    adjacent: list[int]
    arrows_at: list[int]
    arrows_to: list[int]
    tails_at: list[int]
    tails_to: list[int]

    @classmethod
    def circles(cls, adjacent: Iterable[int]) -> EndMarks:
        """The graph with these neighbors and only circles."""
        neighbors = list(adjacent)
        n = len(neighbors)
        return cls(neighbors, [0] * n, [0] * n, [0] * n, [0] * n)

    @classmethod
    def of(cls, n: int, edges: Iterable[tuple[int, str, int]]) -> EndMarks:
        """The graph with these edges, each (i, sign, j)."""
        ends = cls.circles([0] * n)
        for i, sign, j in edges:
            ends.join(i, j)
            first, second = SIGNS[sign]
            ends.put(i, j, first)
            ends.put(j, i, second)
        return ends

    @classmethod
    def of_dag(cls, dag: Marks) -> EndMarks:
        """A DAG, which is also a MAG."""
        return cls.of(len(dag), ((i, "→", j) for i, j in dag.directed_pairs()))

    def __len__(self) -> int:
        return len(self.adjacent)

    def copy(self) -> EndMarks:
        return EndMarks(
            self.adjacent.copy(), self.arrows_at.copy(), self.arrows_to.copy(), self.tails_at.copy(),
            self.tails_to.copy(),
        )  # fmt: skip

    def join(self, i: int, j: int) -> None:
        """Add the edge i o—o j."""
        self.adjacent[i] |= 1 << j
        self.adjacent[j] |= 1 << i

    def arrow(self, i: int, j: int) -> None:
        """Put an arrowhead at j on the edge between i and j, in place of any other mark."""
        self.tails_at[j] &= ~(1 << i)
        self.tails_to[i] &= ~(1 << j)
        self.arrows_at[j] |= 1 << i
        self.arrows_to[i] |= 1 << j

    def tail(self, i: int, j: int) -> None:
        """Put a tail at i on the edge between i and j, in place of any other mark."""
        self.arrows_at[i] &= ~(1 << j)
        self.arrows_to[j] &= ~(1 << i)
        self.tails_at[i] |= 1 << j
        self.tails_to[j] |= 1 << i

    def put(self, i: int, j: int, mark: Mark) -> None:
        """Put a mark at i on the edge between i and j, in place of a circle."""
        if mark == "arrow":
            self.arrow(j, i)
        elif mark == "tail":
            self.tail(i, j)

    def mark(self, i: int, j: int) -> Mark:
        """The mark at i on the edge between i and j."""
        return "arrow" if self.arrows_at[i] >> j & 1 else "tail" if self.tails_at[i] >> j & 1 else "circle"

    def circles_at(self, i: int) -> int:
        """The neighbors whose edge with i has a circle at i."""
        return self.adjacent[i] & ~self.arrows_at[i] & ~self.tails_at[i]

    def circles_to(self, i: int) -> int:
        """The neighbors whose edge with i has a circle at the neighbor."""
        return self.adjacent[i] & ~self.arrows_to[i] & ~self.tails_to[i]

    def parents(self, i: int) -> int:
        """All j with j → i."""
        return self.arrows_at[i] & self.tails_to[i]

    def children(self, i: int) -> int:
        """All j with i → j."""
        return self.tails_at[i] & self.arrows_to[i]

    def spouses(self, i: int) -> int:
        """All j with i ↔ j."""
        return self.arrows_at[i] & self.arrows_to[i]

    def undirected(self, i: int) -> int:
        """All j with i — j."""
        return self.tails_at[i] & self.tails_to[i]

    def is_collider(self, a: int, c: int, b: int) -> bool:
        """Whether the edges from a and from b both have an arrowhead at c."""
        return bool(self.arrows_at[c] >> a & self.arrows_at[c] >> b & 1)

    def within(self, group: list[int]) -> EndMarks:
        """The subgraph of these variables, which are renumbered by their position in `group`."""
        position = {v: k for k, v in enumerate(group)}
        inside = [(position[i], sign, position[j]) for i, sign, j in self.edges() if i in position and j in position]
        return EndMarks.of(len(group), inside)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """(i, j) with i < j for every edge, ascending."""
        for i, others in enumerate(self.adjacent):
            for j in bits(others >> (i + 1)):
                yield i, i + 1 + j

    def edges(self) -> Iterator[tuple[int, str, int]]:
        """Every edge as (i, sign, j); if the marks can be written from both ends, i < j."""
        for i, j in self.pairs():
            marks = self.mark(i, j), self.mark(j, i)
            if marks in _SIGN_OF:
                yield i, _SIGN_OF[marks], j
            else:
                yield j, _SIGN_OF[marks[::-1]], i

    def unshielded(self) -> Iterator[tuple[int, int, int]]:
        """(a, c, b) with a < b for every a and b that are not adjacent to each other but to c, ascending by c."""
        for c, beside in enumerate(self.adjacent):
            for a in bits(beside):
                for b in bits((beside & ~self.adjacent[a]) >> (a + 1)):
                    yield a, c, a + 1 + b
