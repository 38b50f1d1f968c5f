"""Positions of the variables in a drawing: layers from left to right, causes before effects.

The variables of a layer are below each other, so that each one takes the height of a line of text, not the width of a
label. igraph's Sugiyama layout orders each layer so that few edges cross; sizes, spacing and the positions of bends
are computed here. Coordinates are in pixels of the page at zoom 1, with the origin at the upper left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bitsep.errors import ArgumentError
from bitsep.graphs import PAG, PDAG
from bitsep.report.labels import display_width
from bitsep.report.thinning import Pair, edge_subgraph, strongest_edges

HEIGHT = 26.0
"""Height of the box of a variable."""

_LETTER, _PADDING = 7.2, 18.0
_ROW_GAP, _BEND_HEIGHT, _BLOCK_GAP = 12.0, 2.0, 30.0
_LAYER_GAPS = (48.0, 160.0)  # smallest and largest gap between layers; a tall drawing has larger gaps
_ASPECT = 1.5
_PORT_GAP = 6.0

_MAX_BENDS = 600  # of all edges together; with more, single lines cannot be followed
_MAX_EDGES = (1000, 4)  # in the drawing: in total or per variable, whichever is more

Point = tuple[float, float]
Arc = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Box:
    """A variable's box: its center and its width."""

    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawing of a graph.

    Attributes
    ----------
    boxes : tuple of Box
        One per variable, in canonical order.
    routes : mapping from (i, j) to points
        The start, the bends and the end of every edge in the drawing, from i to j, where i is left of j.
    width, height : float
    """

    boxes: tuple[Box, ...]
    routes: dict[Arc, tuple[Point, ...]]
    width: float
    height: float

    def route(self, i: int, j: int) -> tuple[Point, ...]:
        """The route of an edge from i to j, in either direction; empty if the edge is not in the drawing."""
        return self.routes.get((i, j)) or self.routes.get((j, i), ())[::-1]


def lay_out(graph: PDAG | PAG, labels: Sequence[str], strength: Mapping[Pair, float] | None = None) -> Layout:
    """Compute the positions of the variables of a graph; the same graph always has the same layout.

    If a graph is too dense, only some of its edges are drawn (see `thinning`).

    Parameters
    ----------
    graph : PDAG or PAG
    labels : sequence of str
        The texts in the boxes, in canonical order of the variables; they determine the widths.
    strength : mapping from pairs to float, optional
        The strength of the edges: if not all can be drawn, the strongest are. Default: the first by name.

    Examples
    --------
    >>> drawn = lay_out(PDAG(["A", "B", "C"], directed=[("A", "C"), ("B", "C")]), ["A", "B", "C"])
    >>> [box.x for box in drawn.boxes[:2]] < [drawn.boxes[2].x]
    True
    """
    widths = [2.0 * math.ceil(_PADDING / 2 + _LETTER / 2 * max(display_width(label), 2.0)) for label in labels]
    layers, chains, bend_layers = _edges_to_draw(_for_drawing(graph), strength or {})
    connected = sorted({i for arc in chains for i in arc})
    isolated = sorted(set(range(len(labels))).difference(connected))
    rows = _rows(connected, layers, chains, bend_layers)
    heights = {node: HEIGHT if node < len(labels) else _BEND_HEIGHT for node in rows}
    y = _vertical_positions(rows, {**layers, **bend_layers}, heights)
    bottom = max((y[node] + heights[node] / 2 for node in y), default=0.0)
    centers, right = _columns(connected, layers, widths, target=_ASPECT * bottom)
    boxes = {i: Box(centers[layers[i]], y[i], widths[i]) for i in connected}
    # Variables without an edge are placed in rows below the graph, of the same width.
    grid, width, height = _grid(isolated, widths, max(right, 640.0), bottom + (_BLOCK_GAP if connected else 0.0))
    boxes |= grid
    routes = _spread_ends({arc: _route(arc, chain, boxes, y, centers, layers) for arc, chain in chains.items()})
    return Layout(tuple(boxes[i] for i in range(len(labels))), routes, max(right, width), max(bottom, height))


def _for_drawing(graph: PDAG | PAG) -> PDAG:
    """The graph with the directions that place causes on the left; for a PAG those of a MAG of its class."""
    if isinstance(graph, PDAG):
        return graph
    try:
        directed = graph.mag().directed
    except ArgumentError:  # with knowledge a PAG need not be legal
        directed = graph.directed
    return PDAG(graph.variables, directed, graph.skeleton - {frozenset(edge) for edge in directed})


def _edges_to_draw(
    graph: PDAG, strength: Mapping[Pair, float]
) -> tuple[dict[int, int], dict[Arc, list[int]], dict[int, int]]:
    """The layers of the variables, the edges to draw with their bends, and the layers of the bends.

    The number of edges is halved until the number of bends is small enough.
    """
    n = len(graph.variables)
    edges, minimum = strongest_edges(graph, strength)
    count = min(len(edges), max(_MAX_EDGES[0], _MAX_EDGES[1] * n))
    while True:
        arcs = _arcs(graph if count == len(edges) else edge_subgraph(graph, edges[:count]))
        layers = _layers(n, arcs)
        chains, bend_layers = _subdivide(arcs, layers, first=n)
        if len(bend_layers) <= _MAX_BENDS or count <= minimum:
            return layers, chains, bend_layers
        count = max(minimum, count // 2)


def _arcs(graph: PDAG) -> list[Arc]:
    """Every edge with a direction for drawing: as in a DAG of the class or, without one, by depth."""
    index = {name: i for i, name in enumerate(graph.variables)}
    member = graph.consistent_extension()
    if member is not None:
        return sorted((index[a], index[b]) for a, b in member.edges)
    directed = [(index[a], index[b]) for a, b in graph.directed]
    depth = _depths(len(index), directed)
    lines = [tuple(sorted((depth[index[v]], index[v]) for v in pair)) for pair in graph.undirected]
    return sorted([*directed, *((a[1], b[1]) for a, b in lines)])


def _depths(n: int, arcs: Sequence[Arc]) -> list[int]:
    """The longest path into every node of a DAG."""
    depth = [0] * n
    for _ in range(n):
        before = list(depth)
        for a, b in arcs:
            depth[b] = max(depth[b], depth[a] + 1)
        if depth == before:
            break
    return depth


def _layers(n: int, arcs: Sequence[Arc]) -> dict[int, int]:
    """A layer per node: after all its parents, then moved towards its neighbors to shorten the edges."""
    layer = _depths(n, arcs)
    parents: list[list[int]] = [[] for _ in range(n)]
    children: list[list[int]] = [[] for _ in range(n)]
    for a, b in arcs:
        parents[b].append(a)
        children[a].append(b)
    for _ in range(8):
        for i in sorted(range(n), key=lambda i: (-layer[i], i)):
            if not children[i]:
                continue
            highest = min(layer[c] for c in children[i]) - 1
            lowest = max((layer[p] for p in parents[i]), default=-1) + 1
            pull = len(children[i]) - len(parents[i])
            layer[i] = highest if pull > 0 or not parents[i] else lowest if pull < 0 else layer[i]
    return dict(enumerate(layer))


def _subdivide(arcs: Sequence[Arc], layers: dict[int, int], first: int) -> tuple[dict[Arc, list[int]], dict[int, int]]:
    """A bend in every layer that an edge crosses: the bends of each edge, numbered from `first`, and their layers."""
    chains: dict[Arc, list[int]] = {}
    bend_layers: dict[int, int] = {}
    for a, b in arcs:
        crossed = range(layers[a] + 1, layers[b])
        chains[a, b] = [first + len(bend_layers) + k for k in range(len(crossed))]
        bend_layers |= dict(zip(chains[a, b], crossed, strict=True))
    return chains, bend_layers


def _rows(
    connected: Sequence[int], layers: dict[int, int], chains: dict[Arc, list[int]], bend_layers: dict[int, int]
) -> dict[int, float]:
    """The row that igraph computes for every node and bend within its layer."""
    if not connected:
        return {}
    import igraph  # optional, needed by reports and plots only

    nodes = [*connected, *bend_layers]
    layer_of = {**layers, **bend_layers}
    number = {node: k for k, node in enumerate(nodes)}
    links = [
        (number[a], number[b]) for (start, end), chain in chains.items() for a, b in pairwise([start, *chain, end])
    ]
    drawn: Any = igraph.Graph(len(nodes), links, directed=True).layout_sugiyama(
        layers=[layer_of[node] for node in nodes], hgap=1, maxiter=500
    )
    points = drawn[0] if isinstance(drawn, tuple) else drawn  # igraph 1.0 returns the bends of long edges as well
    return {node: float(points[k][0]) for node, k in number.items()}


def _vertical_positions(rows: dict[int, float], layers: dict[int, int], heights: dict[int, float]) -> dict[int, float]:
    """Vertical positions, as near to the rows of igraph as possible without overlap; the top is 0."""
    unit = HEIGHT + _ROW_GAP
    y: dict[int, float] = {}
    for layer in sorted({layers[node] for node in rows}):
        order = sorted((node for node in rows if layers[node] == layer), key=lambda node: (rows[node], node))
        gaps = [(heights[a] + heights[b]) / 2 + _ROW_GAP for a, b in pairwise(order)]
        y |= dict(zip(order, _without_overlap([rows[node] * unit for node in order], gaps), strict=True))
    top = min((y[node] - heights[node] / 2 for node in y), default=0.0)
    return {node: round(value - top, 1) for node, value in y.items()}


def _without_overlap(targets: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The positions nearest to the targets (least squares) that have at least these gaps between neighbors.

    With the gaps subtracted it is a monotone regression: blocks that would overlap get their mean.

    >>> _without_overlap([0.0, 1.0, 9.0], [4.0, 4.0])
    [-1.5, 2.5, 9.0]
    """
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    blocks: list[tuple[float, int]] = []  # sum of the targets of its members, and their number
    for target, offset in zip(targets, offsets, strict=True):
        total, count = target - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            earlier, members = blocks.pop()
            total, count = total + earlier, count + members
        blocks.append((total, count))
    means = [total / count for total, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _columns(
    connected: Sequence[int], layers: dict[int, int], widths: Sequence[float], target: float
) -> tuple[dict[int, float], float]:
    """The center of every layer, each as wide as its widest box, and the right edge, near `target` if gaps allow."""
    widest: dict[int, float] = {}
    for i in connected:
        widest[layers[i]] = max(widest.get(layers[i], 0.0), widths[i])
    smallest, largest = _LAYER_GAPS
    gap = min(largest, max(smallest, (target - sum(widest.values())) / max(len(widest) - 1, 1)))
    centers: dict[int, float] = {}
    right = 0.0
    for layer in sorted(widest):
        left = right + (gap if centers else 0.0)
        centers[layer] = round(left + widest[layer] / 2, 1)
        right = left + widest[layer]
    return centers, right


def _grid(
    isolated: Sequence[int], widths: Sequence[float], max_width: float, top: float
) -> tuple[dict[int, Box], float, float]:
    """Boxes side by side in rows of at most this width; then the right and the lower edge of all."""
    boxes: dict[int, Box] = {}
    left, right, y = 0.0, 0.0, top + HEIGHT / 2
    for i in isolated:
        if left and left + widths[i] > max_width:
            left, y = 0.0, y + HEIGHT + _ROW_GAP
        boxes[i] = Box(round(left + widths[i] / 2, 1), round(y, 1), widths[i])
        right = max(right, left + widths[i])
        left += widths[i] + _ROW_GAP
    return boxes, right, (y + HEIGHT / 2 if isolated else 0.0)


def _route(
    arc: Arc,
    chain: Sequence[int],
    boxes: dict[int, Box],
    y: dict[int, float],
    centers: dict[int, float],
    layers: dict[int, int],
) -> tuple[Point, ...]:
    """A route from the right side of one box to the left side of the other, horizontal in the layers between."""
    start, end = boxes[arc[0]], boxes[arc[1]]
    reach = dict.fromkeys(range(layers[arc[0]] + 1, layers[arc[1]]), 0.0)
    for i, box in boxes.items():
        if layers[i] in reach and box.x == centers[layers[i]]:
            reach[layers[i]] = max(reach[layers[i]], box.width / 2)
    points = [(round(start.x + start.width / 2, 1), start.y)]
    for layer, bend in zip(reach, chain, strict=True):
        points += [(round(centers[layer] + side * reach[layer], 1), y[bend]) for side in (-1, 1)]
    return (*points, (round(end.x - end.width / 2, 1), end.y))


def _spread_ends(routes: dict[Arc, tuple[Point, ...]]) -> dict[Arc, tuple[Point, ...]]:
    """The routes with their ends spread along the sides of the boxes, ordered by where they lead."""
    moved = {arc: list(route) for arc, route in routes.items()}
    for end, step in ((0, 1), (-1, -2)):  # the point at the box, and the one next to it
        for node in sorted({arc[end] for arc in routes}):
            here = sorted((arc for arc in routes if arc[end] == node), key=lambda arc: (routes[arc][step][1], arc))
            gap = min(_PORT_GAP, (HEIGHT - 8.0) / max(len(here) - 1, 1))
            for k, arc in enumerate(here):
                x, y = moved[arc][end]
                moved[arc][end] = (x, round(y + gap * (k - (len(here) - 1) / 2), 1))
    return {arc: tuple(route) for arc, route in moved.items()}
