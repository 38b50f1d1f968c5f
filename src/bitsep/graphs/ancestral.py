"""Maximal ancestral graphs (MAGs): m-separation, what makes a graph one, and the MAG of a DAG with hidden variables.

A MAG describes the independences among some variables of a DAG, if the others are hidden or select the rows (Richardson
& Spirtes 2002): i → j says that i is a cause of j, i ↔ j that neither is a cause of the other, i — j that both are
causes of selection.
"""

from __future__ import annotations

from collections.abc import Callable

from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import Marks, bits, mask_of, reachable, spread, union
from bitsep.graphs.separation import connected


def m_connected(mag: EndMarks, sources: int, given: int) -> int:
    """All variables outside `given` that an open path connects with one of the sources, including the sources.

    A path is open if no non-collider on it is in `given`, and every collider on it is in `given` or an ancestor of it.
    """
    n = len(mag)
    parents = [mag.parents(i) for i in range(n)]
    children = [mag.children(i) for i in range(n)]
    spouses = [mag.spouses(i) for i in range(n)]
    lines = [mag.undirected(i) for i in range(n)]
    open_colliders = spread(parents, given)
    # To be visited: variables reached by an edge with a tail, and with an arrowhead, at their end.
    by_tail, by_arrow = sources, 0
    been_tail = been_arrow = 0
    while by_tail or by_arrow:
        been_tail |= by_tail
        been_arrow |= by_arrow
        passing = (by_tail | by_arrow) & ~given  # can leave by an edge with a tail
        turning = (by_tail & ~given) | (by_arrow & open_colliders)  # can leave by an edge with an arrowhead
        by_tail = (union(parents, turning) | union(lines, passing)) & ~been_tail
        by_arrow = (union(children, passing) | union(spouses, turning)) & ~been_arrow
    return (been_tail | been_arrow) & ~given


def mag_of_dag(dag: Marks, hidden: int, selection: int) -> EndMarks:
    """The MAG of the variables that are neither hidden nor select; the others keep their indices, without edges.

    Two variables are adjacent if and only if they are connected given selection and all observed ancestors of either
    of them or of selection; the mark at i is a tail if i is an ancestor of the other variable or of selection.
    """
    above = [ancestors | 1 << i for i, ancestors in enumerate(reachable(dag.parents))]
    observed = [i for i in range(len(dag)) if not (hidden | selection) >> i & 1]
    of_selection = union(above, selection)
    mag = EndMarks.circles([0] * len(dag))
    for place, i in enumerate(observed):
        for j in observed[place + 1 :]:
            given = (above[i] | above[j] | of_selection) & ~hidden & ~(1 << i) & ~(1 << j)
            if connected(dag, 1 << i, given) >> j & 1:
                mag.join(i, j)
                for a, b in ((i, j), (j, i)):
                    mag.put(a, b, "tail" if (above[b] | of_selection) >> a & 1 else "arrow")
    return mag


def flaw(graph: EndMarks) -> str | None:
    """Why a graph without circles is not a MAG, as the end of a sentence about it; None if it is one.

    It must be ancestral: no directed cycle, no i ↔ j with i an ancestor of j, and no arrowhead at the end of an
    undirected edge. It must be maximal: every pair without an edge is separated by some set; if any set does, the
    variables from which one of the two can be reached by directed and undirected edges do.
    """
    n = len(graph)
    if any(graph.circles_at(i) for i in range(n)):
        return "it has circles"
    parents = [graph.parents(i) for i in range(n)]
    above = reachable(parents)
    for i in range(n):
        if above[i] >> i & 1:
            return "it has a directed cycle"
        if above[i] & graph.spouses(i):
            return "it has a bidirected edge between a variable and an ancestor of it"
        if graph.undirected(i) and graph.arrows_at[i]:
            return "it has an undirected edge at a variable with an arrowhead"
    back = [parents[i] | graph.undirected(i) for i in range(n)]
    if inseparable(graph, lambda i: spread(back, 1 << i)):
        return "it is not maximal: a pair without an edge cannot be separated"
    return None


def inseparable(graph: EndMarks, before: Callable[[int], int]) -> bool:
    """Whether there is a pair without an edge that no set separates; the graph is ancestral, and can have circles.

    `before` gives the variables from which one can be reached by directed and undirected edges.
    """
    n = len(graph)
    spouses = [graph.spouses(i) for i in range(n)]
    # The variables inside an inducing path are colliders, and before one of its ends. The first is not before i, as it
    # has an arrowhead from i, so it is before j, and the last is before i: there are two or more, joined by ↔.
    inside = mask_of(i for i in range(n) if spouses[i])
    arrows_at = graph.arrows_at
    for i in range(n):
        first = graph.arrows_to[i] & inside
        before_i = before(i) & ~(1 << i) if first else 0
        if not before_i & inside:
            continue
        last = spread(spouses, first) & before_i
        for j in bits((union(arrows_at, last) & ~graph.adjacent[i]) >> (i + 1)):
            j += i + 1
            allowed = (before_i | before(j)) & ~(1 << i) & ~(1 << j)
            colliders = _spread_within(spouses, first & allowed, allowed)
            if union(arrows_at, colliders) >> j & 1:
                return True
    return False


def _spread_within(edges: list[int], start: int, allowed: int) -> int:
    found, frontier = 0, start
    while frontier:
        found |= frontier
        frontier = union(edges, frontier) & allowed & ~found
    return found
