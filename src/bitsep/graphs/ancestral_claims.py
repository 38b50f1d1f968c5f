"""Claims about marks, and which of them hold together in one ancestral graph.

A claim says that a triple a — c — b without an edge between a and b is a collider, or is not, or that an end of an edge
has a mark. Claims are accepted one by one; what follows from those accepted is put into the graph, and a claim that
contradicts it is refused. In an ancestral graph an arrowhead at j on the edge from i says that j is not an ancestor of
i, so the relation *is an ancestor of* is kept along with the marks. What follows by propagation is sound, but not
complete: claims accepted need not hold together in any MAG.
"""

from __future__ import annotations

from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import bits

Change = tuple[bool, int, int]
"""(True, i, j): an arrowhead at j on the edge from i. (False, i, j): a tail at i on the edge to j."""


class AncestralClaims:
    """The marks that follow from the claims accepted so far.

    ends : the graph.
    above, below : for each variable its known ancestors and descendants (bit sets).
    chains : for each variable c and neighbor a, the variables b such that a — c — b is known not to be a collider.
    """

    def __init__(self, adjacent: list[int]) -> None:
        self.ends = EndMarks.circles(adjacent)
        n = len(adjacent)
        self.above = [0] * n
        self.below = [0] * n
        self.chains: list[dict[int, int]] = [{} for _ in range(n)]

    def arrow(self, i: int, j: int) -> bool:
        """Accept an arrowhead at j on the edge from i, or change nothing and return False."""
        return self._accept([(True, i, j)])

    def directed(self, i: int, j: int) -> bool:
        """Accept i → j, or change nothing and return False."""
        return self._accept([(False, i, j), (True, i, j)])

    def collider(self, a: int, c: int, b: int) -> bool:
        """Accept that a — c — b is a collider, or change nothing and return False."""
        if self.chains[c].get(a, 0) >> b & 1:
            return False
        return self._accept([(True, a, c), (True, b, c)])

    def path_collider(self, a: int, b: int, c: int) -> bool:
        """Accept that b is a collider on a discriminating path (…, a, b, c), or change nothing and return False."""
        return self._accept([(True, a, b), (True, c, b), (True, b, c)])

    def no_collider(self, a: int, c: int, b: int) -> bool:
        """Accept that a — c — b is not a collider, or change nothing and return False."""
        ends = self.ends
        into = ends.arrows_at[c]
        if into >> a & into >> b & 1:
            return False
        changes: list[Change] = []
        for one, other in ((a, b), (b, a)):
            if into >> one & 1:
                changes += [(False, c, other), (True, c, other)]
        changes += [(True, c, d) for d in bits(ends.adjacent[c] & ends.arrows_to[a] & ends.arrows_to[b])]  # R3
        if not self._accept(changes):
            return False
        for one, other in ((a, b), (b, a)):
            self.chains[c][one] = self.chains[c].get(one, 0) | 1 << other
        return True

    def _accept(self, changes: list[Change]) -> bool:
        saved = self.ends, self.above, self.below
        self.ends, self.above, self.below = saved[0].copy(), saved[1].copy(), saved[2].copy()
        while changes:
            is_arrow, i, j = changes.pop()
            if not (self._put_arrow(i, j, changes) if is_arrow else self._put_tail(i, j, changes)):
                self.ends, self.above, self.below = saved
                return False
        return True

    def _put_arrow(self, i: int, j: int, changes: list[Change]) -> bool:
        ends = self.ends
        if ends.arrows_at[j] >> i & 1:
            return True
        if ends.tails_at[j] >> i & 1 or self.above[i] >> j & 1:
            return False
        ends.arrow(i, j)
        for b in bits(self.chains[j].get(i, 0)):  # R1
            changes += [(False, j, b), (True, j, b)]
        into = ends.arrows_at[j]
        changes += [(True, d, j) for d in bits(ends.adjacent[j] & ends.adjacent[i]) if self.chains[d].get(i, 0) & into]
        changes += [(True, a, j) for a in bits(self.above[i] & ends.adjacent[j])]  # R2
        changes += [(True, i, c) for c in bits(self.below[j] & ends.adjacent[i])]
        return not ends.tails_at[i] >> j & 1 or self._put_directed(i, j, changes)

    def _put_tail(self, i: int, j: int, changes: list[Change]) -> bool:
        ends = self.ends
        if ends.tails_at[i] >> j & 1:
            return True
        if ends.arrows_at[i] >> j & 1:
            return False
        ends.tail(i, j)
        return not ends.arrows_at[j] >> i & 1 or self._put_directed(i, j, changes)

    def _put_directed(self, i: int, j: int, changes: list[Change]) -> bool:
        """Add the ancestors that follow from i → j; False if they form a cycle."""
        if i == j or self.above[i] >> j & 1:
            return False
        ends = self.ends
        sources, targets = self.above[i] | 1 << i, self.below[j] | 1 << j
        for w in bits(targets):
            new = sources & ~self.above[w]
            self.above[w] |= new
            for u in bits(new):
                self.below[u] |= 1 << w
                if ends.adjacent[w] >> u & 1:
                    changes += [(False, u, w), (True, u, w)]
                changes += [(True, a, w) for a in bits(ends.arrows_at[u] & ends.adjacent[w])]
                changes += [(True, u, c) for c in bits(ends.arrows_to[w] & ends.adjacent[u])]
        return True
