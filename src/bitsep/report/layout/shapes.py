"""What a layout consists of: boxes and routes. Coordinates are in pixels of the page at zoom 1, from the upper left."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from bitsep.report.labels import display_width

HEIGHT = 26.0
"""Height of the box of a variable."""

GAP = 12.0
"""Smallest distance of two boxes."""

_LETTER, _PADDING = 7.2, 14.0

Point = tuple[float, float]
Arc = tuple[int, int]
Route = tuple[Point, ...]
"""Two points: a straight line. Otherwise the control points of cubic Bézier curves: start, two controls, end (the start
of the next curve), two controls, and so on."""


@dataclass(frozen=True, slots=True)
class Box:
    """A variable's box: its center and its width."""

    x: float
    y: float
    width: float

    def moved(self, dx: float, dy: float) -> Box:
        """The box at another place."""
        return Box(round(self.x + dx, 1), round(self.y + dy, 1), self.width)


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawing of a graph.

    Attributes
    ----------
    boxes : tuple of Box
        One per variable, in canonical order.
    routes : mapping from (i, j) to points
        The line of every edge in the drawing, from i to j.
    width, height : float
    """

    boxes: tuple[Box, ...]
    routes: dict[Arc, Route]
    width: float
    height: float

    def route(self, i: int, j: int) -> Route:
        """The route of an edge from i to j, in either direction; empty if the edge is not in the drawing."""
        return self.routes.get((i, j)) or self.routes.get((j, i), ())[::-1]


@dataclass(frozen=True, slots=True)
class Part:
    """The drawing of a connected part of a graph, with its upper left corner at the origin."""

    boxes: dict[int, Box]
    routes: dict[Arc, Route]
    width: float
    height: float

    def moved(self, dx: float, dy: float) -> Part:
        """The part at another place."""
        boxes = {i: box.moved(dx, dy) for i, box in self.boxes.items()}
        routes = {
            arc: tuple((round(x + dx, 1), round(y + dy, 1)) for x, y in route) for arc, route in self.routes.items()
        }
        return Part(boxes, routes, self.width, self.height)


def box_widths(labels: Iterable[str]) -> list[float]:
    """The width of the box of each label."""
    return [2.0 * math.ceil(_PADDING / 2 + _LETTER / 2 * max(display_width(label), 2.0)) for label in labels]
