"""The independences that a DAG or a MAG implies: for every pair without an edge a minimal set that separates it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.marks import Marks, bits, reachable, spread, union

Statement = tuple[int, int, tuple[int, ...]]
"""The indices of x < y, and of a set that separates them, ascending."""


def implied_independences(dag: Marks, sizes: Sequence[int]) -> Iterator[Statement]:
    """For every pair without an edge a set that separates it, and of which no proper subset does.

    A pair can have many such sets. Of the one nearest to x and the one nearest to y that with fewer combinations of
    levels is taken (`sizes`, the domain sizes), then that with fewer variables, then that with the first ones.
    """
    above = _with_ancestors(dag)
    for x, y in combinations(range(len(dag)), 2):
        if not dag.adjacent(x) >> y & 1:
            yield x, y, _separator(dag, above[x] | above[y], x, y, sizes)


def separators_without_edges(dag: Marks, sizes: Sequence[int]) -> Iterator[Statement]:
    """For every edge x — y a set that would separate x and y if the graph did not have this edge."""
    for parent, child in sorted(dag.directed_pairs(), key=lambda edge: (min(edge), max(edge))):
        rest = dag.copy()
        rest.parents[child] &= ~(1 << parent)
        rest.children[parent] &= ~(1 << child)
        above = spread(rest.parents, 1 << parent | 1 << child)
        x, y = min(parent, child), max(parent, child)
        yield x, y, _separator(rest, above, x, y, sizes)


def implied_by_mag(mag: EndMarks, sizes: Sequence[int]) -> Iterator[Statement]:
    """For every pair without an edge of a MAG a set that separates it, chosen as by `implied_independences`."""
    for x, y in combinations(range(len(mag)), 2):
        if not mag.adjacent[x] >> y & 1:
            yield x, y, _choose(_collider_connected(mag, x, y), x, y, sizes)


def separators_without_edges_of_mag(mag: EndMarks, sizes: Sequence[int]) -> Iterator[Statement]:
    """For every edge x — y a set that would separate x and y without this edge; if no set would, the empty one."""
    for x, y in mag.pairs():
        rest = EndMarks.of(len(mag), [edge for edge in mag.edges() if {edge[0], edge[2]} != {x, y}])
        neighbors = _collider_connected(rest, x, y)
        yield x, y, () if neighbors(x) >> y & 1 else _choose(neighbors, x, y, sizes)


def _separator(dag: Marks, ancestors: int, x: int, y: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """A minimal separator of x and y, which are not adjacent; `ancestors` are those of x and y, and x and y.

    Sets separate that cut all paths in the moral graph of the ancestors: edges without directions, and parents of a
    common child joined.
    """

    def neighbors(v: int) -> int:
        children = dag.children[v] & ancestors
        return (dag.parents[v] | children | union(dag.parents, children)) & ~(1 << v)

    return _choose(neighbors, x, y, sizes)


def _collider_connected(mag: EndMarks, x: int, y: int) -> Callable[[int], int]:
    """The neighbors of a variable in the augmented graph of a MAG, in which sets separate x and y that cut all paths.

    It has the variables from which x or y can be reached by directed and undirected edges; two of them are joined if
    they have an edge, or a path on which all variables between are colliders (Richardson & Spirtes 2002).
    """
    n = len(mag)
    inside = spread([mag.parents(v) | mag.undirected(v) for v in range(n)], 1 << x | 1 << y)
    spouses = [mag.spouses(v) & inside for v in range(n)]

    def neighbors(v: int) -> int:
        colliders = spread(spouses, mag.arrows_to[v] & inside)
        return (mag.adjacent[v] | colliders | union(mag.arrows_at, colliders)) & inside & ~(1 << v)

    return neighbors


def _choose(neighbors: Callable[[int], int], x: int, y: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Of the minimal separators nearest to x and nearest to y the one with fewer combinations of levels."""

    def key(found: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        product = 1
        for member in found:
            product *= sizes[member]
        return product, len(found), found

    return min((_nearest(neighbors, x, y), _nearest(neighbors, y, x)), key=key)


def _nearest(neighbors: Callable[[int], int], start: int, end: int) -> tuple[int, ...]:
    """The minimal set that cuts all paths between start and end, which are not neighbors, and is nearest to end.

    The neighbors of the end cut all paths; those of them that can be reached from the start without passing another of
    them are enough, and each of them is needed (van der Zander, Liśkiewicz & Textor, Separators and adjustment sets in
    causal graphs, Artificial Intelligence 270, 2019).
    """
    cut = neighbors(end)
    found, passed, frontier = 0, 0, 1 << start
    while frontier:
        passed |= frontier
        reached = 0
        for v in bits(frontier):
            reached |= neighbors(v)
        found |= reached & cut
        frontier = reached & ~cut & ~passed
    return tuple(bits(found))


def _with_ancestors(dag: Marks) -> list[int]:
    """For each variable its ancestors and itself."""
    return [mask | 1 << v for v, mask in enumerate(reachable(dag.parents))]
