"""Where to draw the variables: layers from left to right, causes before effects.

Layers run to the right and labels lie along them, so that a tall layer costs a line of text per variable, not a
label's width. igraph's Sugiyama layout orders each layer so that few edges cross; sizes, spacing and the places of the
bends are ours. Coordinates are in pixels of the page at zoom 1, with the origin at the upper left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bitsep.graphs import PDAG
from bitsep.report.labels import display_width
from bitsep.report.thinning import Pair, part_of, strongest_edges

HEIGHT = 26.0
"""Of a variable's box."""

_LETTER, _PADDING = 7.2, 18.0
_ROW_GAP, _BEND_HEIGHT, _BLOCK_GAP = 12.0, 2.0, 30.0
_LAYER_GAPS = (48.0, 160.0)  # least and most between layers; a tall drawing gets more
_ASPECT = 1.5
_PORT_GAP = 6.0

_MAX_BENDS = 600  # of all edges together: where there are more, lines can no longer be followed
_MAX_EDGES = (1000, 4)  # drawn at most: so many, or so many per variable where that is more

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
        For every edge drawn, from i to j as drawn (i is left of j): where it starts, bends and ends.
    width, height : float
    """

    boxes: tuple[Box, ...]
    routes: dict[Arc, tuple[Point, ...]]
    width: float
    height: float

    def route(self, i: int, j: int) -> tuple[Point, ...]:
        """The route of an edge from i to j, wherever they stand; empty where the edge is not drawn."""
        return self.routes.get((i, j)) or self.routes.get((j, i), ())[::-1]


def lay_out(graph: PDAG, labels: Sequence[str], strength: Mapping[Pair, float] | None = None) -> Layout:
    """Place the variables of a graph; the same graph always gets the same places.

    Of a graph that is too dense only a part of the edges is drawn (see `thinning`).

    Parameters
    ----------
    graph : PDAG
    labels : sequence of str
        What the boxes show, in canonical order of the variables; widths follow from them.
    strength : mapping from pairs to float, optional
        Which edges to draw first where not all can be drawn; without it, by name.

    Examples
    --------
    >>> drawn = lay_out(PDAG(["A", "B", "C"], directed=[("A", "C"), ("B", "C")]), ["A", "B", "C"])
    >>> [box.x for box in drawn.boxes[:2]] < [drawn.boxes[2].x]
    True
    """
    widths = [2.0 * math.ceil(_PADDING / 2 + _LETTER / 2 * max(display_width(label), 2.0)) for label in labels]
    layers, chains, bend_layers = _drawn(graph, strength or {})
    joined = sorted({i for arc in chains for i in arc})
    alone = sorted(set(range(len(labels))).difference(joined))
    rows = _rows(joined, layers, chains, bend_layers)
    heights = {node: HEIGHT if node < len(labels) else _BEND_HEIGHT for node in rows}
    y = _spread(rows, {**layers, **bend_layers}, heights)
    bottom = max((y[node] + heights[node] / 2 for node in y), default=0.0)
    centers, right = _columns(joined, layers, widths, wished=_ASPECT * bottom)
    boxes = {i: Box(centers[layers[i]], y[i], widths[i]) for i in joined}
    # Variables without an edge fill rows below the graph, as wide as it is.
    grid, width, height = _grid(alone, widths, max(right, 640.0), bottom + (_BLOCK_GAP if joined else 0.0))
    boxes |= grid
    routes = _ports({arc: _route(arc, chain, boxes, y, centers, layers) for arc, chain in chains.items()})
    return Layout(tuple(boxes[i] for i in range(len(labels))), routes, max(right, width), max(bottom, height))


def _drawn(graph: PDAG, strength: Mapping[Pair, float]) -> tuple[dict[int, int], dict[Arc, list[int]], dict[int, int]]:
    """The layers of the variables, and the edges to draw with the layers of their bends: as many as stay within bounds.

    Half of the edges are left out, again and again, until the rest can be drawn.
    """
    n = len(graph.variables)
    edges, least = strongest_edges(graph, strength)
    count = min(len(edges), max(_MAX_EDGES[0], _MAX_EDGES[1] * n))
    while True:
        arcs = _arcs(graph if count == len(edges) else part_of(graph, edges[:count]))
        layers = _layers(n, arcs)
        chains, bend_layers = _subdivide(arcs, layers, first=n)
        if len(bend_layers) <= _MAX_BENDS or count <= least:
            return layers, chains, bend_layers
        count = max(least, count // 2)


def _arcs(graph: PDAG) -> list[Arc]:
    """Every edge with a direction for drawing: as a DAG of the class has it, or along some order of the arrows."""
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
    """A layer per node: after all parents, then drawn towards the middle of its neighbors to shorten the edges."""
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
    joined: Sequence[int], layers: dict[int, int], chains: dict[Arc, list[int]], bend_layers: dict[int, int]
) -> dict[int, float]:
    """The row igraph gives every node and bend within its layer."""
    if not joined:
        return {}
    import igraph  # on demand: only pictures need it

    nodes = [*joined, *bend_layers]
    layer_of = {**layers, **bend_layers}
    number = {node: k for k, node in enumerate(nodes)}
    links = [
        (number[a], number[b]) for (start, end), chain in chains.items() for a, b in pairwise([start, *chain, end])
    ]
    drawn: Any = igraph.Graph(len(nodes), links, directed=True).layout_sugiyama(
        layers=[layer_of[node] for node in nodes], hgap=1, maxiter=500
    )
    places = drawn[0] if isinstance(drawn, tuple) else drawn  # igraph 1.0 returns the bends of long edges as well
    return {node: float(places[k][0]) for node, k in number.items()}


def _spread(rows: dict[int, float], layers: dict[int, int], heights: dict[int, float]) -> dict[int, float]:
    """Heights on the page: as near to igraph's rows as is possible without overlap, from 0 down."""
    unit = HEIGHT + _ROW_GAP
    y: dict[int, float] = {}
    for layer in sorted({layers[node] for node in rows}):
        order = sorted((node for node in rows if layers[node] == layer), key=lambda node: (rows[node], node))
        gaps = [(heights[a] + heights[b]) / 2 + _ROW_GAP for a, b in pairwise(order)]
        y |= dict(zip(order, _apart([rows[node] * unit for node in order], gaps), strict=True))
    top = min((y[node] - heights[node] / 2 for node in y), default=0.0)
    return {node: round(value - top, 1) for node, value in y.items()}


def _apart(wished: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The places nearest to those wished (least squares) in which neighbors keep their gaps.

    With the gaps subtracted it is a monotone regression: blocks that would overlap share their mean.

    >>> _apart([0.0, 1.0, 9.0], [4.0, 4.0])
    [-1.5, 2.5, 9.0]
    """
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    blocks: list[tuple[float, int]] = []  # sum of what its members wish for, and how many they are
    for wish, offset in zip(wished, offsets, strict=True):
        total, count = wish - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            earlier, members = blocks.pop()
            total, count = total + earlier, count + members
        blocks.append((total, count))
    means = [total / count for total, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _columns(
    joined: Sequence[int], layers: dict[int, int], widths: Sequence[float], wished: float
) -> tuple[dict[int, float], float]:
    """The center of every layer, each as wide as its widest box, and the right edge, near `wished` if gaps allow."""
    widest: dict[int, float] = {}
    for i in joined:
        widest[layers[i]] = max(widest.get(layers[i], 0.0), widths[i])
    least, most = _LAYER_GAPS
    gap = min(most, max(least, (wished - sum(widest.values())) / max(len(widest) - 1, 1)))
    centers: dict[int, float] = {}
    right = 0.0
    for layer in sorted(widest):
        left = right + (gap if centers else 0.0)
        centers[layer] = round(left + widest[layer] / 2, 1)
        right = left + widest[layer]
    return centers, right


def _grid(
    alone: Sequence[int], widths: Sequence[float], room: float, top: float
) -> tuple[dict[int, Box], float, float]:
    """Boxes side by side in rows that fit the room; then the right and the lower edge."""
    boxes: dict[int, Box] = {}
    left, right, y = 0.0, 0.0, top + HEIGHT / 2
    for i in alone:
        if left and left + widths[i] > room:
            left, y = 0.0, y + HEIGHT + _ROW_GAP
        boxes[i] = Box(round(left + widths[i] / 2, 1), round(y, 1), widths[i])
        right = max(right, left + widths[i])
        left += widths[i] + _ROW_GAP
    return boxes, right, (y + HEIGHT / 2 if alone else 0.0)


def _route(
    arc: Arc,
    chain: Sequence[int],
    boxes: dict[int, Box],
    y: dict[int, float],
    centers: dict[int, float],
    layers: dict[int, int],
) -> tuple[Point, ...]:
    """From the right side of one box to the left side of the other, straight through the layers in between."""
    start, end = boxes[arc[0]], boxes[arc[1]]
    reach = dict.fromkeys(range(layers[arc[0]] + 1, layers[arc[1]]), 0.0)
    for i, box in boxes.items():
        if layers[i] in reach and box.x == centers[layers[i]]:
            reach[layers[i]] = max(reach[layers[i]], box.width / 2)
    points = [(round(start.x + start.width / 2, 1), start.y)]
    for layer, bend in zip(reach, chain, strict=True):
        points += [(round(centers[layer] + side * reach[layer], 1), y[bend]) for side in (-1, 1)]
    return (*points, (round(end.x - end.width / 2, 1), end.y))


def _ports(routes: dict[Arc, tuple[Point, ...]]) -> dict[Arc, tuple[Point, ...]]:
    """The routes with their ends spread along the sides of the boxes, in the order in which they leave."""
    moved = {arc: list(route) for arc, route in routes.items()}
    for end, step in ((0, 1), (-1, -2)):  # the point at the box, and the one it leads to
        for node in sorted({arc[end] for arc in routes}):
            here = sorted((arc for arc in routes if arc[end] == node), key=lambda arc: (routes[arc][step][1], arc))
            gap = min(_PORT_GAP, (HEIGHT - 8.0) / max(len(here) - 1, 1))
            for k, arc in enumerate(here):
                x, y = moved[arc][end]
                moved[arc][end] = (x, round(y + gap * (k - (len(here) - 1) / 2), 1))
    return {arc: tuple(route) for arc, route in moved.items()}
