"""The sets that FCI tests besides those of neighbors: Possible-D-Sep (Spirtes, Glymour & Scheines 2000).

With hidden variables a separator of x and y need not consist of neighbors of x or y, but some separator is in
Possible-D-Sep of x or of y: the variables v with a path from x to v on which every variable between is a collider, or
its two neighbors on the path are adjacent. It also lies in the biconnected component of the edge between x and y
(Colombo, Maathuis, Kalisch & Richardson 2012).
"""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.discovery.skeleton import RefinedSkeleton, masks_of
from bitsep.discovery.wider_sets import remove_separated
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import bits, mask_of
from bitsep.independence.engines.base import Engine
from bitsep.progress import Reporter

Triple = tuple[int, int, int]


def remove_by_possible_d_sep(
    engine: Engine, skeleton: RefinedSkeleton, colliders: Sequence[Triple], max_given: int | None, reporter: Reporter
) -> RefinedSkeleton:
    """Remove the edges of pairs that a subset of Possible-D-Sep separates.

    `colliders` must have all unshielded triples of the skeleton that may be colliders.
    """
    ends = EndMarks.circles(masks_of(skeleton.adjacent))
    for a, c, b in colliders:
        ends.arrow(a, c)
        ends.arrow(b, c)
    reached = [possible_d_sep(ends, x) for x in range(len(ends))]
    never = mask_of(skeleton.never_given)
    pools = {}
    for component in biconnected(ends.adjacent):
        for i in bits(component):
            for j in bits(component & ends.adjacent[i]):
                pools[i, j] = reached[i] & component & ~never & ~(1 << i) & ~(1 << j)
    # Pairs whose pools have only neighbors were tested given all their subsets.
    pairs = [
        (i, j)
        for i, j in ends.pairs()
        if (pools[i, j] & ~ends.adjacent[i] or pools[j, i] & ~ends.adjacent[j]) and not skeleton.is_required(i, j)
    ]
    return remove_separated(
        engine, skeleton, pairs, pools, max_given, reporter, "possible d-separating sets of size {}"
    )


def possible_d_sep(ends: EndMarks, x: int) -> int:
    """The variables with a path from x on which every variable between is a collider or shields a triangle."""
    found = 0
    entered = [0] * len(ends)  # for each variable, the neighbors from which it was entered
    waiting = [(x, v) for v in bits(ends.adjacent[x])]
    for v in bits(ends.adjacent[x]):
        entered[v] |= 1 << x
    while waiting:
        u, v = waiting.pop()
        found |= 1 << v
        colliders = ends.arrows_at[v] if ends.arrows_at[v] >> u & 1 else 0
        for w in bits(ends.adjacent[v] & (ends.adjacent[u] | colliders) & ~(1 << u) & ~(1 << x)):
            if not entered[w] >> v & 1:
                entered[w] |= 1 << v
                waiting.append((v, w))
    return found


def biconnected(adjacent: Sequence[int]) -> list[int]:
    """The biconnected components with at least one edge, as bit sets; every edge is in exactly one (Tarjan 1972)."""
    depth: dict[int, int] = {}
    low: dict[int, int] = {}
    components = []
    for root in range(len(adjacent)):
        if root in depth:
            continue
        depth[root] = low[root] = 0
        trail = [root]  # visited variables whose component is not complete
        stack = [(root, -1, bits(adjacent[root]))]
        while stack:
            v, parent, neighbors = stack[-1]
            w = next(neighbors, None)
            if w is not None:
                if w not in depth:
                    depth[w] = low[w] = len(stack)
                    trail.append(w)
                    stack.append((w, v, bits(adjacent[w])))
                elif w != parent:
                    low[v] = min(low[v], depth[w])
                continue
            stack.pop()
            if not stack:
                continue
            low[parent] = min(low[parent], low[v])
            if low[v] >= depth[parent]:
                component = 1 << parent
                while True:
                    member = trail.pop()
                    component |= 1 << member
                    if member == v:
                        break
                components.append(component)
    return components
