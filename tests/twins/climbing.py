"""Hill climbing with a tabu list, and grow-shrink over an order, by the book: every move of every graph anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from twins.best_dag import Parents, _acyclic

Costs = Mapping[tuple[str, Parents], int]
"""Of every family, as an integer: sums are exact."""

Graph = dict[str, Parents]
KINDS = ("remove", "reverse", "add")


def by_cost(variables: Sequence[str], costs: Costs) -> list[str]:
    """The order that breaks ties: by the cost without parents, the sums of costs with one parent, and as one parent."""

    def key(v: str) -> tuple[int, int, int, str]:
        others = [u for u in variables if u != v]
        as_child = sum(costs[v, frozenset({u})] for u in others)
        return costs[v, frozenset()], as_child, sum(costs[u, frozenset({v})] for u in others), v

    return sorted(variables, key=key)


def climb(variables: Sequence[str], costs: Costs, tabu: int) -> Graph:
    """The best graph seen: always the best move to a graph that was not among the last ones, until `tabu` moves in a
    row brought nothing better."""
    rank = {v: place for place, v in enumerate(by_cost(variables, costs))}

    def total(graph: Graph) -> int:
        return sum(costs[v, parents] for v, parents in graph.items())

    def moves(graph: Graph) -> Iterator[tuple[int, int, int, int, Graph]]:
        for x in variables:
            for y in variables:
                if x == y:
                    continue
                options = []
                if x in graph[y]:
                    without = {**graph, y: graph[y] - {x}}
                    options = [("remove", without), ("reverse", {**without, x: graph[x] | {y}})]
                elif y not in graph[x]:
                    options = [("add", {**graph, y: graph[y] | {x}})]
                for kind, new in options:
                    if _acyclic(new):
                        yield total(new) - total(graph), KINDS.index(kind), rank[x], rank[y], new

    graph: Graph = {v: frozenset() for v in variables}
    best, since_best = graph, 0
    last: list[Graph] = []
    while True:
        if total(graph) < total(best):
            best, since_best = graph, 0
        allowed = [move for move in moves(graph) if move[4] not in last]
        if not allowed:
            return best
        move = min(allowed, key=lambda move: move[:4])
        if move[0] >= 0 and since_best >= tabu:
            return best
        last = [*last, graph][-tabu:] if tabu else []
        graph, since_best = move[4], since_best + 1


def grow_shrink(order: Sequence[str], costs: Costs) -> Graph:
    """Parents of each variable among those before it: add the best until none helps, then remove the worst."""
    graph: Graph = {}
    for place, v in enumerate(order):
        chosen: Parents = frozenset()
        while True:
            grown = min(
                (chosen | {u} for u in order[:place] if u not in chosen), key=lambda s: costs[v, s], default=chosen
            )
            if costs[v, grown] >= costs[v, chosen]:
                break
            chosen = grown
        while True:
            shrunk = min((chosen - {u} for u in chosen), key=lambda s: costs[v, s], default=chosen)
            if costs[v, shrunk] >= costs[v, chosen]:
                break
            chosen = shrunk
        graph[v] = chosen
    return graph
