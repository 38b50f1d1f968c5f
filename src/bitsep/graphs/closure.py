"""Meek's rules: directions of edges that follow from known directions (Meek, UAI 1995).

An undirected edge i — j becomes i → j if the other direction would create a new v-structure or a cycle:

1. k → i and k is not adjacent to j;
2. i → k → j;
3. i — k → j and i — l → j, with k and l not adjacent;
4. i — k → l → j with i adjacent to l, and k not adjacent to j (needed only with background knowledge).

The directions found in data may contradict each other, and then the result would depend on the order in which rules are
applied. Here all rules are applied at once, in rounds, so there is no order: if a round implies both directions of an
edge, or closes a cycle, the edge is *contested* and stays undirected.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from bitsep.graphs.marks import Marks, bits, reachable

OrientationTest = Callable[[Marks, int, int], bool]
"""``test(marks, i, j)`` is whether i — j becomes i → j."""


def close(
    marks: Marks,
    locked: AbstractSet[tuple[int, int]] = frozenset(),
    contested: set[tuple[int, int]] | None = None,
    rules: OrientationTest | None = None,
) -> None:
    """Apply the rules to `marks` in place until nothing changes.

    Parameters
    ----------
    marks : Marks
        The graph, which is changed in place; afterwards it has no directed cycle.
    locked : set of (from, to)
        Directed edges of `marks` that must not change; they are acyclic.
    contested : set of (i, j) with i < j, optional
        Undirected edges that must stay undirected. Contested edges that are found are added.
    rules : callable, optional
        ``rules(marks, i, j)`` is whether i — j becomes i → j; default: `follows`. It can be stricter.
    """
    rules = follows if rules is None else rules
    contested = set() if contested is None else contested
    _undo_cycles(marks, set(marks.directed_pairs()) - locked, contested)
    open_edges = set(marks.undirected_pairs())
    while implied := {(i, j) for pair in open_edges - contested for i, j in (pair, pair[::-1]) if rules(marks, i, j)}:
        agreed = {(i, j) for i, j in implied if (j, i) not in implied}
        contested |= {ordered(i, j) for i, j in implied - agreed}
        for i, j in agreed:
            marks.direct(i, j)
        _undo_cycles(marks, agreed, contested)
        open_edges = _affected(marks, agreed)


def close_consistent(marks: Marks, arrows: set[tuple[int, int]]) -> None:
    """Like `close` after new directed edges, if `marks` was closed before and has an extension with them.

    Then rules cannot contradict each other and there are no cycles, so only edges near the new ones are considered.
    """
    while arrows:
        arrows = {(i, j) for pair in _affected(marks, arrows) for i, j in (pair, pair[::-1]) if follows(marks, i, j)}
        for i, j in arrows:
            marks.direct(i, j)


def _affected(marks: Marks, arrows: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The undirected edges to which a rule may apply because of these new directed edges.

    If i → j is new, rules 1 to 3 concern edges of i and of j, and rule 4 (i → j → q) edges of children q of j.
    """
    near = 0
    for i, j in arrows:
        near |= 1 << i | 1 << j | marks.children[j]
    return {ordered(v, u) for v in bits(near) for u in bits(marks.undirected[v])}


def follows(marks: Marks, i: int, j: int) -> bool:
    """Whether one of the four rules directs i — j as i → j."""
    beside_j = marks.adjacent(j)
    if marks.parents[i] & ~beside_j:  # rule 1
        return True
    if marks.children[i] & marks.parents[j]:  # rule 2
        return True
    both = marks.undirected[i] & marks.parents[j]
    for k in bits(both):  # rule 3
        if both & ~marks.adjacent(k) & ~(1 << k):
            return True
    not_beside_j = marks.undirected[i] & ~beside_j & ~(1 << j)
    return any(marks.parents[k] & not_beside_j for k in bits(marks.adjacent(i) & marks.parents[j]))  # rule 4


def _undo_cycles(marks: Marks, arrows: set[tuple[int, int]], contested: set[tuple[int, int]]) -> None:
    """Make those of `arrows` undirected that are on a directed cycle. All cycles must contain edges of `arrows`."""
    if marks.is_acyclic:
        return
    below = reachable(marks.children)
    for i, j in [(i, j) for i, j in arrows if below[j] >> i & 1]:
        marks.undirect(i, j)
        contested.add(ordered(i, j))


def ordered(i: int, j: int) -> tuple[int, int]:
    """The pair with the smaller index first."""
    return (i, j) if i < j else (j, i)
