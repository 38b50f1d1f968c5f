"""Claims about marks, and which of them hold together in one ancestral graph.

A claim says that a triple a — c — b without an edge between a and b is a collider, or is not, or that an end of an edge
has a mark. Claims are accepted one by one; what follows from those accepted is put into the graph, and a claim that
contradicts it is refused. In an ancestral graph an arrowhead at j on the edge from i says that j is not an ancestor of
i, so the relations *is an ancestor of* and *is not an ancestor of* are kept along with the marks. What follows by
propagation is sound, but not complete: claims accepted need not hold together in any MAG (see `mag_search`).
"""

from __future__ import annotations

from typing import Literal

from bitsep.graphs.ancestral import inseparable
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import bits

Change = tuple[Literal["arrow", "tail", "apart"], int, int]
"""("arrow", i, j): an arrowhead at j on the edge from i. ("tail", i, j): a tail at i on the edge to j. ("apart", i, j):
i is not an ancestor of j."""


class AncestralClaims:
    """The marks that follow from the claims accepted so far.

    ends : the graph.
    above, below : for each variable its known ancestors and descendants (bit sets).
    apart : for each variable the variables that it is known not to be an ancestor of (bit sets).
    chains : for each variable c and neighbor a, the variables b such that a — c — b is known not to be a collider.
    """

    def __init__(self, adjacent: list[int]) -> None:
        self.ends = EndMarks.circles(adjacent)
        n = len(adjacent)
        self.above = [0] * n
        self.below = [0] * n
        self.apart = [0] * n
        self.chains: list[dict[int, int]] = [{} for _ in range(n)]

    def copy(self) -> AncestralClaims:
        other = AncestralClaims([])
        other.restore(self)
        return other

    def restore(self, saved: AncestralClaims) -> None:
        """Take over the claims of another object, of which a copy is made."""
        self.ends, self.above, self.below = saved.ends.copy(), saved.above.copy(), saved.below.copy()
        self.apart, self.chains = saved.apart.copy(), saved.chains.copy()

    def inseparable(self) -> bool:
        """Whether the marks leave a pair without an edge that no set separates."""
        return inseparable(self.ends, self.above.__getitem__)

    def no_ancestor(self, i: int, j: int) -> bool:
        """Accept that i is not an ancestor of j, or change nothing and return False."""
        return bool(self.apart[i] >> j & 1) or self._accept([("apart", i, j)])

    def bidirected(self, i: int, j: int) -> bool:
        """Accept i ↔ j, or change nothing and return False."""
        return self._accept([("arrow", i, j), ("arrow", j, i)])

    def arrow(self, i: int, j: int) -> bool:
        """Accept an arrowhead at j on the edge from i, or change nothing and return False."""
        return self._accept([("arrow", i, j)])

    def directed(self, i: int, j: int) -> bool:
        """Accept i → j, or change nothing and return False."""
        return self._accept([("tail", i, j), ("arrow", i, j)])

    def collider(self, a: int, c: int, b: int) -> bool:
        """Accept that a — c — b is a collider, or change nothing and return False."""
        if self.chains[c].get(a, 0) >> b & 1:
            return False
        return self._accept([("arrow", a, c), ("arrow", b, c)])

    def path_collider(self, a: int, b: int, c: int) -> bool:
        """Accept that b is a collider on a discriminating path (…, a, b, c), or change nothing and return False."""
        return self._accept([("arrow", a, b), ("arrow", c, b), ("arrow", b, c)])

    def no_collider(self, a: int, c: int, b: int) -> bool:
        """Accept that a — c — b is not a collider, or change nothing and return False."""
        ends = self.ends
        into = ends.arrows_at[c]
        if into >> a & into >> b & 1:
            return False
        changes: list[Change] = []
        for one, other in ((a, b), (b, a)):
            if into >> one & 1:
                changes += [("tail", c, other), ("arrow", c, other)]
        changes += [("arrow", c, d) for d in bits(ends.adjacent[c] & ends.arrows_to[a] & ends.arrows_to[b])]  # R3
        if not self._accept(changes):
            return False
        known = self.chains[c]  # copies share it
        self.chains[c] = {**known, a: known.get(a, 0) | 1 << b, b: known.get(b, 0) | 1 << a}
        return True

    def _accept(self, changes: list[Change]) -> bool:
        saved = self.ends, self.above, self.below, self.apart
        self.ends, self.above, self.below, self.apart = (kept.copy() for kept in saved)  # type: ignore[assignment]
        put = {"arrow": self._put_arrow, "tail": self._put_tail, "apart": self._put_apart}
        while changes:
            kind, i, j = changes.pop()
            if not put[kind](i, j, changes):
                self.ends, self.above, self.below, self.apart = saved
                return False
        return True

    def _put_arrow(self, i: int, j: int, changes: list[Change]) -> bool:
        ends = self.ends
        if ends.arrows_at[j] >> i & 1:
            return True
        if ends.tails_at[j] >> i & 1:
            return False
        ends.arrow(i, j)
        for b in bits(self.chains[j].get(i, 0)):  # R1
            changes += [("tail", j, b), ("arrow", j, b)]
        into = ends.arrows_at[j]
        for d in bits(ends.adjacent[j] & ends.adjacent[i]):
            if self.chains[d].get(i, 0) & into:  # R3
                changes.append(("arrow", d, j))
        if not self._put_apart(j, i, changes):
            return False
        return not ends.tails_at[i] >> j & 1 or self._put_directed(i, j, changes)

    def _put_tail(self, i: int, j: int, changes: list[Change]) -> bool:
        ends = self.ends
        if ends.tails_at[i] >> j & 1:
            return True
        if ends.arrows_at[i] >> j & 1:
            return False
        ends.tail(i, j)
        return not ends.arrows_at[j] >> i & 1 or self._put_directed(i, j, changes)

    def _put_apart(self, i: int, j: int, changes: list[Change]) -> bool:
        """i is not an ancestor of j: then nor are its descendants, nor of the ancestors of j."""
        if i == j or self.above[j] >> i & 1:
            return False
        for v in bits(self.below[i] | 1 << i):
            self._keep_apart(v, self.above[j] | 1 << j, changes)
        return True

    def _keep_apart(self, v: int, others: int, changes: list[Change]) -> None:
        new = others & ~self.apart[v]
        if not new:
            return
        self.apart[v] |= new
        changes += [("arrow", u, v) for u in bits(new & self.ends.adjacent[v])]  # R2

    def _put_directed(self, i: int, j: int, changes: list[Change]) -> bool:
        """Add the ancestors that follow from i → j; False if they form a cycle, or are known not to be ancestors."""
        if i == j or self.above[i] >> j & 1 or self.apart[i] >> j & 1:
            return False
        ends = self.ends
        sources, targets = self.above[i] | 1 << i, self.below[j] | 1 << j
        for w in bits(targets):
            new = sources & ~self.above[w]
            self.above[w] |= new
            for u in bits(new):
                self.below[u] |= 1 << w
                if ends.adjacent[w] >> u & 1:
                    changes += [("tail", u, w), ("arrow", u, w)]
            self._keep_apart(w, self.apart[i], changes)
        for v in range(len(ends)):
            if self.apart[v] >> j & 1:
                self._keep_apart(v, sources, changes)
        return True
