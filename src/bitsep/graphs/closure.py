"""Meek's rules: the arrows that follow from arrows already known (Meek, UAI 1995).

With i — j undirected, the edge becomes i → j where anything else would make a new v-structure or a cycle:

1. k → i and k is not adjacent to j;
2. i → k → j;
3. i — k → j and i — l → j, with k and l not adjacent;
4. i — k → l → j with i adjacent to l, and k not adjacent to j (needed only with background knowledge).

On data the given arrows may contradict each other, and then what the rules yield depends on the order in which
they are applied. Here they are applied in rounds, all at once, so no order exists that could matter: where a round
asks for both directions of an edge, or closes a cycle, the edge is *contested* and stays undirected.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from bitsep.graphs.marks import Marks, bits, reachable

Rules = Callable[[Marks, int, int], bool]


def close(
    marks: Marks,
    locked: AbstractSet[tuple[int, int]] = frozenset(),
    contested: set[tuple[int, int]] | None = None,
    rules: Rules | None = None,
) -> None:
    """Apply the rules to `marks` in place until nothing more follows.

    Parameters
    ----------
    marks : Marks
        Changed in place; without a directed cycle afterwards.
    locked : set of (from, to)
        Arrows of `marks` that nothing may undo; they are acyclic.
    contested : set of (i, j) with i < j, optional
        Undirected edges that are to stay so. Edges found to be contested are added.
    rules : callable, optional
        ``rules(marks, i, j)`` says whether i — j becomes i → j; `follows` by default. It may be stricter.
    """
    rules = follows if rules is None else rules
    contested = set() if contested is None else contested
    _undo_cycles(marks, set(marks.directed_pairs()) - locked, contested)
    open_edges = set(marks.undirected_pairs())
    while wanted := {(i, j) for pair in open_edges - contested for i, j in (pair, pair[::-1]) if rules(marks, i, j)}:
        agreed = {(i, j) for i, j in wanted if (j, i) not in wanted}
        contested |= {ordered(i, j) for i, j in wanted - agreed}
        for i, j in agreed:
            marks.direct(i, j)
        _undo_cycles(marks, agreed, contested)
        open_edges = _affected(marks, agreed)


def close_consistent(marks: Marks, arrows: set[tuple[int, int]]) -> None:
    """What `close` does after new `arrows`, where `marks` was closed before them and has an extension with them.

    Then no two rules disagree and no cycle can arise, so nothing is looked at but what the new arrows touch.
    """
    while arrows:
        arrows = {(i, j) for pair in _affected(marks, arrows) for i, j in (pair, pair[::-1]) if follows(marks, i, j)}
        for i, j in arrows:
            marks.direct(i, j)


def _affected(marks: Marks, arrows: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The undirected edges for which a rule may newly hold because of these arrows.

    With i → j new, rules 1 to 3 look at edges of i and of j, and rule 4 (i → j → q) at edges of j's children q.
    """
    near = 0
    for i, j in arrows:
        near |= 1 << i | 1 << j | marks.children[j]
    return {ordered(v, u) for v in bits(near) for u in bits(marks.undirected[v])}


def follows(marks: Marks, i: int, j: int) -> bool:
    """Whether one of the four rules turns i — j into i → j."""
    beside_j = marks.adjacent(j)
    if marks.parents[i] & ~beside_j:  # rule 1
        return True
    if marks.children[i] & marks.parents[j]:  # rule 2
        return True
    both = marks.undirected[i] & marks.parents[j]
    for k in bits(both):  # rule 3
        if both & ~marks.adjacent(k) & ~(1 << k):
            return True
    afar = marks.undirected[i] & ~beside_j & ~(1 << j)
    return any(marks.parents[k] & afar for k in bits(marks.adjacent(i) & marks.parents[j]))  # rule 4


def _undo_cycles(marks: Marks, arrows: set[tuple[int, int]], contested: set[tuple[int, int]]) -> None:
    """Take back those of the arrows that lie on a directed cycle. All cycles must run through `arrows`."""
    if marks.is_acyclic:
        return
    below = reachable(marks.children)
    for i, j in [(i, j) for i, j in arrows if below[j] >> i & 1]:
        marks.undirect(i, j)
        contested.add(ordered(i, j))


def ordered(i: int, j: int) -> tuple[int, int]:
    """The pair, smaller number first."""
    return (i, j) if i < j else (j, i)
