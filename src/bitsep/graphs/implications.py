"""The independences that a DAG implies: for every pair without an edge a minimal set that separates it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

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


def _separator(dag: Marks, ancestors: int, x: int, y: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """A minimal separator of x and y, which are not adjacent; `ancestors` are those of x and y, and x and y.

    In the moral graph of the ancestors (edges without directions, and parents of a common child joined), sets that
    separate are those that cut all paths. The neighbors of y do; those of them that can be reached from x without
    passing another of them are enough, and each of them is needed (van der Zander, Liśkiewicz & Textor, Separators and
    adjustment sets in causal graphs, Artificial Intelligence 270, 2019).
    """

    def key(found: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        product = 1
        for member in found:
            product *= sizes[member]
        return product, len(found), found

    return min((_nearest(dag, ancestors, x, y), _nearest(dag, ancestors, y, x)), key=key)


def _nearest(dag: Marks, ancestors: int, start: int, end: int) -> tuple[int, ...]:
    """The minimal separator of start and end that is nearest to end."""

    def neighbors(v: int) -> int:
        children = dag.children[v] & ancestors
        return (dag.parents[v] | children | union(dag.parents, children)) & ~(1 << v)

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
