"""Draws a part of a graph in rows from top to bottom: causes above their effects.

Variables that are connected by undirected edges form a group: they stand side by side in one row, so that their
position suggests no direction. Rows are not wider than the drawing if groups and bends allow. igraph's Sugiyama layout
orders each row so that few edges cross; rows, positions and curves are computed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bitsep.report.layout.packing import WIDTH
from bitsep.report.layout.shapes import GAP, HEIGHT, Arc, Box, Part, Point, Route

_ROW_GAP = 44.0
_LINE_GAP = 26.0  # between boxes of a group, so that the line between them can be seen
_BEND = 8.0  # width of a line that passes a row
_MAX_GROUP = 6  # variables side by side in a group; the lines of larger ones would cross many boxes
_MAX_BENDS = 150  # with more, single lines cannot be followed
_MAX_WIDTH = 1.6 * WIDTH
_PORT_GAP = 7.0
_SWEEPS = 16
_BOX_SHARES = (1.0, 0.85, 0.7, 0.55, 0.45)  # of the width of a row that boxes may take, tried in this order


@dataclass(frozen=True, slots=True)
class _Rows:
    """Nodes in rows: groups have numbers from 0, bends follow them."""

    row: list[int]
    widths: list[float]
    links: list[Arc]
    chains: dict[Arc, list[int]]  # per arrow the nodes from its start to its end

    def gap(self, a: int, b: int) -> float:
        """The smallest distance of the centers of two nodes that are neighbors in a row."""
        bends = (self.widths[a] == _BEND) + (self.widths[b] == _BEND)
        return (self.widths[a] + self.widths[b]) / 2 + (GAP, 0.7 * GAP, 0.3 * GAP)[bends]

    def needed(self) -> float:
        """About the width of the widest row."""
        total: dict[int, float] = {}
        for row, width in zip(self.row, self.widths, strict=True):
            total[row] = total.get(row, 0.0) + width + (0.3 if width == _BEND else 1.0) * GAP
        return max(total.values())


def lay_out_in_rows(
    members: Sequence[int], arrows: Sequence[Arc], lines: Sequence[Arc], widths: Sequence[float]
) -> Part | None:
    """A drawing of the members of one connected part.

    None if undirected edges connect too many variables, the directed edges give no order of the groups, or too many
    edges would pass other rows.
    """
    groups = _groups(members, lines)
    if max(map(len, groups)) > _MAX_GROUP:
        return None
    group_of = {i: g for g, group in enumerate(groups) for i in group}
    nodes = _fitted(groups, arrows, group_of, widths)
    if nodes is None:
        return None
    x = _positions(nodes, _orders(nodes))
    boxes = _boxes(groups, nodes, x, arrows, group_of, widths)
    left = min(box.x - box.width / 2 for box in boxes.values())
    left = min(left, *x)
    x = [value - left for value in x]
    boxes = {i: box.moved(-left, 0.0) for i, box in boxes.items()}
    routes = _arrow_routes(nodes, boxes, x) | {line: _line_route(line, boxes) for line in lines}
    right = max(*(box.x + box.width / 2 for box in boxes.values()), *x)
    bottom = max(y for route in routes.values() for _, y in route)
    if right > _MAX_WIDTH:
        return None
    return Part(boxes, routes, round(right, 1), max(bottom, *(box.y + HEIGHT / 2 for box in boxes.values())))


def _groups(members: Sequence[int], lines: Sequence[Arc]) -> list[list[int]]:
    """The variables connected by undirected edges, each group in an order in which most lines join neighbors."""
    neighbors: dict[int, list[int]] = {i: [] for i in members}
    for a, b in lines:
        neighbors[a].append(b)
        neighbors[b].append(a)
    seen: set[int] = set()
    groups = []
    # A walk from the end of a path visits the path in order.
    for start in sorted(members, key=lambda i: (len(neighbors[i]), i)):
        if start in seen:
            continue
        group, stack = [], [start]
        while stack:
            i = stack.pop()
            if i not in seen:
                seen.add(i)
                group.append(i)
                stack += sorted((j for j in neighbors[i] if j not in seen), key=lambda j: (-len(neighbors[j]), -j))
        groups.append(group)
    return groups


def _fitted(
    groups: list[list[int]], arrows: Sequence[Arc], group_of: Mapping[int, int], widths: Sequence[float]
) -> _Rows | None:
    """The rows: with so few boxes side by side that the lines that pass them fit into the drawing, too."""
    arcs = [(group_of[a], group_of[b]) for a, b in arrows]
    found = []
    for share in _BOX_SHARES:
        rows = _assign_rows(groups, arcs, widths, share * WIDTH)
        if rows is None:
            return None
        nodes = _with_bends(rows, [_group_width(group, widths) for group in groups], arrows, group_of)
        if len(nodes.row) - len(groups) <= _MAX_BENDS:
            found.append((nodes.needed(), nodes))
            if found[-1][0] <= WIDTH:
                break
    return min(found, key=lambda one: one[0])[1] if found else None


def _group_width(group: Sequence[int], widths: Sequence[float]) -> float:
    return sum(widths[i] for i in group) + _LINE_GAP * (len(group) - 1)


def _assign_rows(
    groups: list[list[int]], arcs: Sequence[Arc], widths: Sequence[float], limit: float
) -> list[int] | None:
    """A row per group: below all its parents, with boxes up to this width in a row; None if the arcs have a cycle."""
    depth = _depths(len(groups), arcs)
    if depth is None:
        return None
    layer = _pulled(depth, arcs)
    parents: list[set[int]] = [set() for _ in groups]
    for a, b in arcs:
        parents[b].add(a)
    row = [0] * len(groups)
    filled: dict[int, float] = {}
    for g in sorted(range(len(groups)), key=lambda g: (layer[g], groups[g])):
        width = _group_width(groups[g], widths) + GAP
        place = max([layer[g], *(row[p] + 1 for p in parents[g])])
        while filled.get(place) and filled[place] + width > limit:
            place += 1
        row[g] = place
        filled[place] = filled.get(place, 0.0) + width
    used = {place: k for k, place in enumerate(sorted(filled))}
    return [used[place] for place in row]


def _depths(n: int, arcs: Sequence[Arc]) -> list[int] | None:
    """The longest path into every node; None if the arcs have a cycle."""
    depth = [0] * n
    for _ in range(n + 1):
        before = list(depth)
        for a, b in arcs:
            depth[b] = max(depth[b], depth[a] + 1)
        if depth == before:
            return depth
    return None


def _pulled(layer: list[int], arcs: Sequence[Arc]) -> list[int]:
    """The layers with nodes moved towards their neighbors, to shorten the edges."""
    parents: list[list[int]] = [[] for _ in layer]
    children: list[list[int]] = [[] for _ in layer]
    for a, b in arcs:
        parents[b].append(a)
        children[a].append(b)
    layer = list(layer)
    for _ in range(8):
        for i in sorted(range(len(layer)), key=lambda i: (-layer[i], i)):
            if not children[i]:
                continue
            highest = min(layer[c] for c in children[i]) - 1
            lowest = max((layer[p] for p in parents[i]), default=-1) + 1
            pull = len(children[i]) - len(parents[i])
            layer[i] = highest if pull > 0 or not parents[i] else lowest if pull < 0 else layer[i]
    return layer


def _with_bends(row: list[int], widths: list[float], arrows: Sequence[Arc], group_of: Mapping[int, int]) -> _Rows:
    """The groups, and a bend in every row that an arrow passes."""
    rows, all_widths = list(row), list(widths)
    links: list[Arc] = []
    chains: dict[Arc, list[int]] = {}
    for a, b in arrows:
        start, end = group_of[a], group_of[b]
        bends = []
        for between in range(row[start] + 1, row[end]):
            bends.append(len(rows))
            rows.append(between)
            all_widths.append(_BEND)
        chains[a, b] = [start, *bends, end]
        links += pairwise(chains[a, b])
    return _Rows(rows, all_widths, links, chains)


def _orders(nodes: _Rows) -> list[list[int]]:
    """The nodes of each row from left to right."""
    import igraph  # optional, needed by reports and plots only

    drawn: Any = igraph.Graph(len(nodes.row), nodes.links, directed=True).layout_sugiyama(
        layers=nodes.row, hgap=1, maxiter=500
    )
    points = drawn[0] if isinstance(drawn, tuple) else drawn  # igraph 1.0 returns the bends of long edges as well
    rows: list[list[int]] = [[] for _ in range(max(nodes.row) + 1)]
    for node in sorted(range(len(nodes.row)), key=lambda node: (float(points[node][0]), node)):
        rows[nodes.row[node]].append(node)
    return rows


def _positions(nodes: _Rows, orders: list[list[int]]) -> list[float]:
    """The center of each node: in alternating sweeps near the mean of its neighbors, without overlap."""
    up: list[list[int]] = [[] for _ in nodes.row]
    down: list[list[int]] = [[] for _ in nodes.row]
    for a, b in nodes.links:
        up[b].append(a)
        down[a].append(b)
    gaps = [[nodes.gap(a, b) for a, b in pairwise(order)] for order in orders]
    needed = [
        sum(own) + (nodes.widths[order[0]] + nodes.widths[order[-1]]) / 2
        for own, order in zip(gaps, orders, strict=True)
    ]
    total = max(WIDTH, *needed) if max(needed) > 0.8 * WIDTH else max(needed) * 1.25
    x = [total / 2] * len(nodes.row)
    for sweep in range(_SWEEPS):
        both = sweep >= _SWEEPS // 2
        numbered = list(enumerate(orders))
        for r, order in numbered if sweep % 2 == 0 else reversed(numbered):
            targets = []
            for node in order:
                near = up[node] + down[node] if both else up[node] if sweep % 2 == 0 else down[node]
                targets.append(sum(x[other] for other in near) / len(near) if near else x[node])
            low, high = nodes.widths[order[0]] / 2, total - nodes.widths[order[-1]] / 2
            for node, value in zip(order, without_overlap(targets, gaps[r], low, high), strict=True):
                x[node] = value
    return x


def without_overlap(targets: Sequence[float], gaps: Sequence[float], low: float, high: float) -> list[float]:
    """The positions from `low` to `high` nearest to the targets (least squares) with at least these gaps.

    With the gaps subtracted it is a monotone regression with bounds: blocks that would overlap get their mean.

    >>> without_overlap([0.0, 1.0, 9.0], [4.0, 4.0], -5.0, 20.0)
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
    most = max(low, high - offsets[-1])
    means = [min(max(total / count, low), most) for total, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _boxes(
    groups: list[list[int]],
    nodes: _Rows,
    x: Sequence[float],
    arrows: Sequence[Arc],
    group_of: Mapping[int, int],
    widths: Sequence[float],
) -> dict[int, Box]:
    """The boxes of all variables; a group is mirrored if the neighbors of its members then are nearer."""
    pull: dict[int, list[float]] = {}
    for a, b in arrows:
        chain = nodes.chains[a, b]
        pull.setdefault(a, []).append(x[chain[1]])
        pull.setdefault(b, []).append(x[chain[-2]])
    boxes = {}
    for g, group in enumerate(groups):
        pulls = [(k, sum(pull[i]) / len(pull[i])) for k, i in enumerate(group) if i in pull]
        middle = (len(group) - 1) / 2
        if sum((k - middle) * value for k, value in pulls) < sum((k - middle) for k, _ in pulls) * x[g]:
            group = group[::-1]
        left = x[g] - _group_width(group, widths) / 2
        for i in group:
            y = nodes.row[g] * (HEIGHT + _ROW_GAP) + HEIGHT / 2
            boxes[i] = Box(round(left + widths[i] / 2, 1), y, widths[i])
            left += widths[i] + _LINE_GAP
    return boxes


def _arrow_routes(nodes: _Rows, boxes: Mapping[int, Box], x: Sequence[float]) -> dict[Arc, Route]:
    """Curves from the lower side of a box to the upper side of another one, vertical where they pass a row."""
    points: dict[Arc, list[Point]] = {}
    for (a, b), chain in nodes.chains.items():
        passed: list[Point] = []
        for bend in chain[1:-1]:
            top = nodes.row[bend] * (HEIGHT + _ROW_GAP)
            passed += [(round(x[bend], 1), top), (round(x[bend], 1), top + HEIGHT)]
        start, end = boxes[a], boxes[b]
        points[a, b] = [(start.x, start.y + HEIGHT / 2), *passed, (end.x, end.y - HEIGHT / 2)]
    return {arc: _curve(route) for arc, route in _spread_ends(points, boxes).items()}


def _spread_ends(routes: Mapping[Arc, list[Point]], boxes: Mapping[int, Box]) -> dict[Arc, list[Point]]:
    """The routes with their ends spread along the sides of the boxes, ordered by where they lead."""
    moved = {arc: list(route) for arc, route in routes.items()}
    for end, step in ((0, 1), (-1, -2)):  # the point at the box, and the one next to it
        for node in sorted({arc[end] for arc in routes}):
            here = sorted((arc for arc in routes if arc[end] == node), key=lambda arc: (routes[arc][step][0], arc))
            gap = min(2 * _PORT_GAP, (boxes[node].width - 2 * _PORT_GAP) / max(len(here) - 1, 1))
            for k, arc in enumerate(here):
                x, y = moved[arc][end]
                moved[arc][end] = (round(x + gap * (k - (len(here) - 1) / 2), 1), y)
    return moved


def _curve(points: Sequence[Point]) -> Route:
    """Control points: curves between rows (every other step), straight lines within a row."""
    route = [points[0]]
    for (x, y), (next_x, next_y) in pairwise(points):
        middle = round((y + next_y) / 2, 1)
        route += [(x, middle), (next_x, middle), (next_x, next_y)]
    return tuple(route)


def _line_route(line: Arc, boxes: Mapping[int, Box]) -> Route:
    """A line between boxes of one row: straight between neighbors, else a curve below the boxes."""
    a, b = boxes[line[0]], boxes[line[1]]
    side = 1.0 if a.x < b.x else -1.0
    start, end = round(a.x + side * a.width / 2, 1), round(b.x - side * b.width / 2, 1)
    if abs(end - start) <= _LINE_GAP + 0.5:
        return (start, a.y), (end, b.y)
    below = a.y + HEIGHT / 2
    inner = round(min(a.width, b.width) / 4, 1)
    deep = round(below + min(_ROW_GAP * 0.7, 10 + 0.06 * abs(end - start)), 1)
    return (round(a.x + side * inner, 1), below), (start, deep), (end, deep), (round(b.x - side * inner, 1), below)
