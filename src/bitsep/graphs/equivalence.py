"""Markov equivalence: the CPDAG of a DAG, consistent extensions, and all members of a class."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from bitsep.graphs.closure import close, close_consistent
from bitsep.graphs.marks import Marks, bits, spread


def complete(dag: Marks) -> Marks:
    """The CPDAG of a DAG: its v-structures, and the directions that follow by Meek's rules (exact: Meek 1995)."""
    arrows = set(dag.collider_arrows())
    cpdag = Marks.of(len(dag), arrows, set(dag.directed_pairs()) - arrows)
    close(cpdag)
    return cpdag


def extend(pdag: Marks) -> Marks | None:
    """A DAG with the same skeleton, v-structures and directed edges, or None if there is none.

    Dor & Tarsi (1992): remove a variable that can be a sink (it has no children, and each of its undirected neighbors
    is adjacent to all its other neighbors) and direct its undirected edges to it, until no variable is left. Of several
    sinks the last by name is removed first, so that edges tend to be directed from earlier to later names.
    """
    rest = pdag.copy()
    result = pdag.copy()
    queue = [-i for i in range(len(pdag)) if _can_be_sink(rest, i)]
    heapq.heapify(queue)
    removed = 0
    while queue:
        i = -heapq.heappop(queue)
        if removed >> i & 1:
            continue
        removed |= 1 << i
        for j in bits(rest.undirected[i]):
            result.direct(j, i)
        beside = rest.adjacent(i)
        for j in bits(beside):
            rest.children[j] &= ~(1 << i)
            rest.undirected[j] &= ~(1 << i)
        rest.parents[i] = rest.undirected[i] = 0
        for j in bits(beside):  # only variables adjacent to i can have become sinks
            if _can_be_sink(rest, j):
                heapq.heappush(queue, -j)
    return result if removed.bit_count() == len(pdag) else None


def member(dag: Marks, order: Sequence[int]) -> Marks:
    """A DAG of the same equivalence class, the same for all DAGs of the class.

    Of several sinks the last in the order is removed first (see `extend`).
    """
    place = {v: position for position, v in enumerate(order)}
    cpdag = complete(dag)
    moved = Marks.of(
        len(dag),
        [(place[i], place[j]) for i, j in cpdag.directed_pairs()],
        [(place[i], place[j]) for i, j in cpdag.undirected_pairs()],
    )
    found = extend(moved)
    assert found is not None  # a CPDAG represents a DAG
    return Marks.of(len(dag), [(order[i], order[j]) for i, j in found.directed_pairs()])


def _can_be_sink(marks: Marks, i: int) -> bool:
    if marks.children[i]:
        return False
    beside = marks.adjacent(i)
    return all(not beside & ~marks.adjacent(j) & ~(1 << j) for j in bits(marks.undirected[i]))


def is_cpdag(pdag: Marks) -> bool:
    """Whether this is the CPDAG of some DAG."""
    dag = extend(pdag)
    return dag is not None and complete(dag) == pdag


def components(marks: Marks) -> list[int]:
    """The components connected by undirected edges, as bit sets, without variables that have no undirected edge."""
    found = []
    seen = 0
    for i, start in enumerate(marks.undirected):
        if not start or seen >> i & 1:
            continue
        group = spread(marks.undirected, 1 << i)
        found.append(group)
        seen |= group
    return found


def members(pdag: Marks) -> Iterator[Marks]:
    """All DAGs obtained by directing the undirected edges without a new v-structure or cycle.

    `pdag` must be closed under Meek's rules and have an extension: then each undirected edge can have both directions,
    every branch of the search leads to members, and every member occurs exactly once.
    """
    waiting = [pdag]  # an explicit stack, because recursion would be too deep for long chains
    while waiting:
        graph = waiting.pop()
        edge = next(graph.undirected_pairs(), None)
        if edge is None:
            yield graph
            continue
        for i, j in (edge[::-1], edge):
            branch = graph.copy()
            branch.direct(i, j)
            close_consistent(branch, {(i, j)})
            waiting.append(branch)
