"""Draws a part of a graph freely: neighbors near each other, no boxes over each other, edges as straight lines."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from bitsep.report.layout.shapes import GAP, HEIGHT, Arc, Box, Part, Point, Route

_EXACT = 150  # variables up to which distances in the drawing follow distances in the graph
_CLOSE = 60  # variables up to which boxes are close together, so that labels can be read without zooming
_ROUNDS = 60  # of moving boxes apart

Positions = npt.NDArray[np.float64]


def lay_out_freely(members: Sequence[int], edges: Sequence[Arc], widths: Sequence[float]) -> Part:
    """A drawing of the members of one connected part."""
    number = {i: k for k, i in enumerate(members)}
    own = np.array([widths[i] for i in members])
    points = _spread([(number[a], number[b]) for a, b in edges], own)
    left = (points[:, 0] - own / 2).min()
    top = points[:, 1].min() - HEIGHT / 2
    points -= (left, top)
    boxes = {
        i: Box(round(float(x), 1), round(float(y), 1), widths[i]) for i, (x, y) in zip(members, points, strict=True)
    }
    routes = {(a, b): _line(boxes[a], boxes[b]) for a, b in edges}
    right = float((points[:, 0] + own / 2).max())
    return Part(boxes, routes, round(right, 1), round(float(points[:, 1].max()) + HEIGHT / 2, 1))


def _spread(links: list[Arc], widths: Positions) -> Positions:
    """The centers of the boxes, which do not overlap."""
    import igraph  # optional, needed by reports and plots only

    n = len(widths)
    graph = igraph.Graph(n, links)
    angles = np.arange(n) * (2 * math.pi / n)
    start = np.column_stack((np.cos(angles), np.sin(angles))) * math.sqrt(n)
    with _fixed_randomness(igraph):
        if n <= _EXACT:
            drawn = graph.layout_kamada_kawai(seed=start.tolist(), maxiter=20 * n)
        else:
            drawn = graph.layout_fruchterman_reingold(niter=300, grid=True)
    points = np.array(drawn.coords)
    points = _wide(points - points.mean(axis=0))
    links_array = np.array(links)
    length = np.linalg.norm(points[links_array[:, 0]] - points[links_array[:, 1]], axis=1)
    roomy = 1.0 if n <= _CLOSE else 1.8
    points *= roomy * (widths.mean() + 3 * GAP) / max(float(np.median(length)), 1e-9)
    points[:, 1] *= 0.65  # boxes are wide and low
    return _apart(points, widths)


def _wide(points: Positions) -> Positions:
    """The points turned so that the longer extent is horizontal."""
    _, vectors = np.linalg.eigh(np.cov(points.T) + np.diag((1e-12, 0.0)))
    turned = points @ vectors[:, ::-1]
    signs = np.where(turned[np.argmax(np.abs(turned), axis=0), [0, 1]] < 0, -1.0, 1.0)
    return np.asarray(turned * signs)


def _apart(points: Positions, widths: Positions) -> Positions:
    """The points moved until no two boxes overlap: pairs are pushed apart in the direction that needs less."""
    reach = (widths[:, None] + widths[None, :]) / 2 + GAP
    high = HEIGHT + GAP
    for _ in range(_ROUNDS):
        dx = points[:, 0][:, None] - points[:, 0][None, :]
        dy = points[:, 1][:, None] - points[:, 1][None, :]
        over_x, over_y = reach - np.abs(dx), high - np.abs(dy)
        rows, columns = np.nonzero(np.triu((over_x > 0.01) & (over_y > 0.01), k=1))
        if not len(rows):
            return points
        along_x = over_x[rows, columns] < over_y[rows, columns] * 2
        for chosen, axis, over, difference in ((along_x, 0, over_x, dx), (~along_x, 1, over_y, dy)):
            a, b = rows[chosen], columns[chosen]
            push = over[a, b] * np.where(difference[a, b] < 0, -0.5, 0.5)
            np.add.at(points[:, axis], a, push)
            np.add.at(points[:, axis], b, -push)
    return _in_lines(points, widths)


def _in_lines(points: Positions, widths: Positions) -> Positions:
    """The points on horizontal lines, with boxes of a line moved to the right where they overlap."""
    line = np.round(points[:, 1] / (HEIGHT + GAP)).astype(int)
    moved = points.copy()
    moved[:, 1] = line * (HEIGHT + GAP)
    for number in np.unique(line):
        members = np.flatnonzero(line == number)
        members = members[np.argsort(points[members, 0], kind="stable")]
        right = -math.inf
        for i in members:
            moved[i, 0] = max(points[i, 0], right + GAP + widths[i] / 2)
            right = moved[i, 0] + widths[i] / 2
    return moved


def _line(start: Box, end: Box) -> Route:
    """A straight line between the borders of two boxes."""
    return _border(start, end), _border(end, start)


def _border(box: Box, toward: Box) -> Point:
    """Where the line to the center of another box leaves a box."""
    dx, dy = toward.x - box.x, toward.y - box.y
    share = min(box.width / 2 / abs(dx) if dx else math.inf, HEIGHT / 2 / abs(dy) if dy else math.inf, 0.5)
    return round(box.x + dx * share, 1), round(box.y + dy * share, 1)


@contextmanager
def _fixed_randomness(igraph: object) -> Iterator[None]:
    """Random numbers of igraph that are the same every time."""
    igraph.set_random_number_generator(random.Random(0))  # type: ignore[attr-defined]
    try:
        yield
    finally:
        igraph.set_random_number_generator(random)  # type: ignore[attr-defined]
