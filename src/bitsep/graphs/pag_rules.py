"""The orientation rules R1 to R10 of FCI (Zhang 2008), for a graph whose unshielded triples are decided.

The arrowheads of unshielded colliders must be in the graph already; every other unshielded triple is not a collider.
A mark put by a rule is the same in all MAGs with these independences. The rules are complete if they are applied in
three stages: R1 to R4 (`arrowheads`), R5 to R7 (`lines`, which apply only if rows are selected), R8 to R10 (`tails`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import bits, mask_of

Collider = Callable[[tuple[int, ...]], bool | None]
"""Whether b is a collider on the discriminating path (d, …, a, b, c); None if that is open."""

Reasons = dict[tuple[int, int], tuple[str, tuple[int, ...]]]
"""For the mark at j on the edge between i and j, at (i, j): the rule that put it, and the variables it used."""


class Rules:
    """Applies the rules to a graph in place.

    Parameters
    ----------
    ends : EndMarks
        The graph.
    collider : callable
        Decides rule R4.
    """

    def __init__(self, ends: EndMarks, collider: Collider) -> None:
        self.ends = ends
        self.reasons: Reasons = {}
        self._collider = collider

    def close(self, selection: bool) -> None:
        """Apply all rules; R5 to R7 only with selection."""
        self.arrowheads()
        if selection:
            self.lines()
        self.tails()

    def arrowheads(self) -> None:
        """Apply R1 to R4 until nothing changes; R4 takes the longest and so comes last."""
        while self._rule_1() | self._rule_2() | self._rule_3() or self._rule_4():
            pass

    def lines(self) -> None:
        """Apply R5 to R7 until nothing changes."""
        self._rule_5()
        while self._rule_6() | self._rule_7():
            pass

    def tails(self) -> None:
        """Apply R8 to R10 until nothing changes."""
        while self._rule_8() or self._rule_9() or self._rule_10():
            pass

    def _arrow(self, i: int, j: int, rule: str, *used: int) -> None:
        self.ends.arrow(i, j)
        self.reasons[i, j] = rule, used

    def _tail(self, i: int, j: int, rule: str, *used: int) -> None:
        self.ends.tail(i, j)
        self.reasons[j, i] = rule, used

    def _rule_1(self) -> bool:
        """a *→ c o—* b, a and b not adjacent: c → b."""
        ends, changed = self.ends, False
        for c in range(len(ends)):
            for a in bits(ends.arrows_at[c]):
                for b in bits(ends.circles_at(c) & ~ends.adjacent[a] & ~(1 << a)):
                    self._tail(c, b, "R1", a, c, b)
                    if not ends.arrows_at[b] >> c & 1:
                        self._arrow(c, b, "R1", a, c, b)
                    changed = True
        return changed

    def _rule_2(self) -> bool:
        """a → b *→ c or a *→ b → c, and a *—o c: a *→ c."""
        ends, changed = self.ends, False
        for a in range(len(ends)):
            for c in bits(ends.circles_to(a)):
                between = ends.children(a) & ends.arrows_at[c] | ends.arrows_to[a] & ends.parents(c)
                if between:
                    self._arrow(a, c, "R2", a, next(bits(between)), c)
                    changed = True
        return changed

    def _rule_3(self) -> bool:
        """a *→ b ←* c, a *—o d o—* c, a and c not adjacent, d *—o b: d *→ b."""
        ends, changed = self.ends, False
        for d in range(len(ends)):
            for b in bits(ends.circles_to(d)):
                beside = ends.circles_at(d) & ends.arrows_at[b]
                for a in bits(beside):
                    if others := beside & ~ends.adjacent[a] & ~(1 << a):
                        self._arrow(d, b, "R3", a, b, next(bits(others)), d)
                        changed = True
                        break
        return changed

    def _rule_4(self) -> bool:
        """A discriminating path (d, …, a, b, c) with b o—* c: a ↔ b ↔ c if b is a collider on it, else b → c."""
        ends, changed = self.ends, False
        for b in range(len(ends)):
            for c in bits(ends.circles_at(b)):
                path = next(discriminating_paths(ends, b, c), None)
                is_collider = None if path is None else self._collider(path)
                if path is None or is_collider is None:
                    continue
                changed = True
                a = path[-3]
                if is_collider:
                    self._arrow(c, b, "R4", *path)
                    for i, j in ((a, b), (b, c)):
                        if not ends.arrows_at[j] >> i & 1:
                            self._arrow(i, j, "R4", *path)
                else:
                    self._tail(b, c, "R4", *path)
                    if not ends.arrows_at[c] >> b & 1:
                        self._arrow(b, c, "R4", *path)
        return changed

    def _rule_5(self) -> None:
        """a o—o b and an uncovered circle path (a, c, …, d, b), a and d, b and c not adjacent: all edges are —."""
        ends = self.ends
        circles = [ends.circles_at(i) & ends.circles_to(i) for i in range(len(ends))]
        found: dict[tuple[int, int], tuple[int, ...]] = {}
        for a in range(len(ends)):
            for b in bits(circles[a] >> (a + 1)):
                b += a + 1
                path = circle_path(ends, circles, a, b)
                if path is not None:
                    for i, j in zip(path, (*path[1:], a), strict=True):
                        found.setdefault((min(i, j), max(i, j)), path)
        for (i, j), path in found.items():
            self._tail(i, j, "R5", *path)
            self._tail(j, i, "R5", *path)

    def _rule_6(self) -> bool:
        """a — b o—* c: b —* c."""
        ends, changed = self.ends, False
        for b in range(len(ends)):
            if lines := ends.undirected(b):
                for c in bits(ends.circles_at(b)):
                    self._tail(b, c, "R6", next(bits(lines)), b, c)
                    changed = True
        return changed

    def _rule_7(self) -> bool:
        """a —o b o—* c, a and c not adjacent: b —* c."""
        ends, changed = self.ends, False
        for b in range(len(ends)):
            for a in bits(ends.tails_to[b] & ends.circles_at(b)):
                for c in bits(ends.circles_at(b) & ~ends.adjacent[a] & ~(1 << a)):
                    self._tail(b, c, "R7", a, b, c)
                    changed = True
        return changed

    def _open_arrows(self) -> Iterator[tuple[int, int]]:
        """(a, c) for every a o→ c."""
        ends = self.ends
        for a in range(len(ends)):
            for c in bits(ends.circles_at(a) & ends.arrows_to[a]):
                yield a, c

    def _rule_8(self) -> bool:
        """a → b → c or a —o b → c, and a o→ c: a → c."""
        ends, changed = self.ends, False
        for a, c in self._open_arrows():
            if between := ends.tails_at[a] & ~ends.tails_to[a] & ends.parents(c):
                self._tail(a, c, "R8", a, next(bits(between)), c)
                changed = True
        return changed

    def _rule_9(self) -> bool:
        """a o→ c and an uncovered possibly directed path (a, b, …, c), b and c not adjacent: a → c."""
        ends, changed = self.ends, False
        for a, c in self._open_arrows():
            for b in bits(possible_children(ends, a) & ~ends.adjacent[c] & ~(1 << c)):
                if path := uncovered_path(ends, a, b, 1 << c):
                    self._tail(a, c, "R9", *path)
                    changed = True
                    break
        return changed

    def _rule_10(self) -> bool:
        """a o→ c, b → c ← d, uncovered possibly directed paths from a to b and to d that begin with different variables
        that are not adjacent: a → c."""
        ends, changed = self.ends, False
        for a, c in self._open_arrows():
            parents = ends.parents(c)
            if parents.bit_count() < 2:
                continue
            begins = possible_children(ends, a) & ~(1 << c)
            good = mask_of(v for v in bits(begins) if uncovered_path(ends, a, v, parents, without=1 << c))
            for v in bits(good):
                if others := good & ~ends.adjacent[v] & ~(1 << v):
                    self._tail(a, c, "R10", a, v, next(bits(others)), c)
                    changed = True
                    break
        return changed


def discriminating_paths(ends: EndMarks, b: int, c: int) -> Iterator[tuple[int, ...]]:
    """The discriminating paths (d, …, a, b, c) for b: for every a and d the shortest one, first by index.

    Every variable between d and b is a collider on the path and a parent of c, and d is not adjacent to c.
    """
    inner = ends.parents(c)
    outside = ~ends.adjacent[c] & ~(1 << c) & ~(1 << b)
    for a in bits(inner & ends.arrows_to[b] & ~(1 << b)):
        before = {a: b}
        seen = 1 << a | 1 << b
        frontier = [a]
        while frontier:
            following = []
            for v in frontier:
                for d in bits(ends.arrows_at[v] & outside & ~seen):
                    path = [d, v]
                    while path[-1] != b:
                        path.append(before[path[-1]])
                    yield (*path, c)
                    seen |= 1 << d
                for u in bits(ends.spouses(v) & inner & ~seen):
                    seen |= 1 << u
                    before[u] = v
                    following.append(u)
            frontier = following


def possible_children(ends: EndMarks, i: int) -> int:
    """The neighbors to which a possibly directed edge leads from i: no arrowhead at i, and no tail at the other end."""
    return ends.adjacent[i] & ~ends.arrows_at[i] & ~ends.tails_to[i]


def uncovered_path(ends: EndMarks, a: int, b: int, targets: int, without: int = 0) -> tuple[int, ...] | None:
    """The shortest uncovered possibly directed path that begins with a, b and ends in one of the targets, first by
    index; None if there is none. Uncovered means that variables two steps apart are not adjacent."""
    if targets >> b & 1:
        return (a, b)
    return _shortest_uncovered(ends, [(a, b)], targets, lambda v: possible_children(ends, v) & ~without)


def circle_path(ends: EndMarks, circles: list[int], a: int, b: int) -> tuple[int, ...] | None:
    """The shortest uncovered path (a, c, …, d, b) of o—o edges, a and d, b and c not adjacent, first by index; None if
    there is none. `circles` has the neighbors of each variable by o—o edges."""
    beside = ends.adjacent[a]
    begins = [(a, c) for c in bits(circles[a] & ~ends.adjacent[b] & ~(1 << b))]
    return _shortest_uncovered(ends, begins, 1 << b, lambda v: circles[v] & ~((beside >> v & 1) << b))


def _shortest_uncovered(
    ends: EndMarks, begins: list[tuple[int, int]], targets: int, following: Callable[[int], int]
) -> tuple[int, ...] | None:
    """The shortest uncovered path that begins with one of these edges, all from the same variable, and ends in one of
    the targets. Its next steps from v are to `following(v)`.

    It may visit a variable twice, so that the work is quadratic in the number of edges and not exponential. The rules
    hold for such paths, too: they conclude from an arrowhead on the path that all edges behind it are directed.
    """
    came_from: dict[tuple[int, int], tuple[int, int]] = {}
    frontier = begins
    been = set(begins)
    while frontier:
        reached = []
        for state in frontier:
            u, v = state
            for w in bits(following(v) & ~ends.adjacent[u] & ~(1 << u) & ~(1 << begins[0][0])):
                step = (v, w)
                if step in been:
                    continue
                been.add(step)
                came_from[step] = state
                if targets >> w & 1:
                    path = [w, v]
                    while step in came_from:
                        step = came_from[step]
                        path.append(step[0])
                    return tuple(reversed(path))
                reached.append(step)
        frontier = reached
    return None
