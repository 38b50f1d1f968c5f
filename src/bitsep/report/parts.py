"""The parts of a large graph: its connected parts, with large ones divided where few edges connect them."""

from __future__ import annotations

from bitsep.graphs import PAG, PDAG
from bitsep.report.view import PartView

_LARGE = 60  # variables; in a smaller graph the drawing shows the parts
_SMALLEST = 3  # variables in a part that is listed


def parts_of(graph: PDAG | PAG) -> tuple[PartView, ...]:
    """The parts of a graph with at least three variables, the largest first; none if the graph is small.

    Connected parts are divided by greedy maximization of the modularity.
    """
    if len(graph.variables) <= _LARGE:
        return ()
    import igraph  # optional, needed by reports and plots only

    index = {name: i for i, name in enumerate(graph.variables)}
    links = sorted(tuple(sorted(index[name] for name in pair)) for pair in graph.skeleton)
    whole = igraph.Graph(len(index), links)
    degrees = whole.degree()
    found = []
    for members in whole.connected_components():
        part = whole.induced_subgraph(members)
        divided = part.community_fastgreedy().as_clustering() if len(members) > _LARGE else [range(len(members))]
        found += [sorted(members[k] for k in group) for group in divided]
    listed = sorted((group for group in found if len(group) >= _SMALLEST), key=lambda group: (-len(group), group))
    return tuple(PartView(max(group, key=lambda i: (degrees[i], -i)), tuple(group)) for group in listed)
