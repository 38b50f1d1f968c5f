"""Places the parts of a drawing beside and below each other, and the variables without an edge below them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bitsep.report.layout.shapes import GAP, HEIGHT, Arc, Box, Layout, Part, Route

WIDTH = 880.0
"""The width that drawings aim for: at this width labels are readable beside the panel of the report."""

_ASPECT = 1.5  # of a drawing that needs more room than one screen
_PART_GAP = 30.0


def pack(parts: Sequence[Part], widths: Sequence[float]) -> Layout:
    """The layout of all variables.

    Parameters
    ----------
    parts : sequence of Part
        The connected parts of the graph, the largest first.
    widths : sequence of float
        The widths of the boxes of all variables; those that are in no part have no edge.
    """
    single = sorted(set(range(len(widths))).difference(*(part.boxes for part in parts)))
    area = sum((part.width + _PART_GAP) * (part.height + _PART_GAP) for part in parts)
    area += sum((widths[i] + GAP) * (HEIGHT + GAP) for i in single)
    limit = max(WIDTH, math.sqrt(_ASPECT * area), *(part.width for part in parts), *(widths[i] for i in single), 0.0)
    boxes: dict[int, Box] = {}
    routes: dict[Arc, Route] = {}
    bottom = 0.0
    for part, x, y in _shelves(parts, limit):
        placed = part.moved(x, y)
        boxes |= placed.boxes
        routes |= placed.routes
        bottom = max(bottom, y + part.height)
    grid, lower = _grid(single, widths, limit, bottom + (_PART_GAP if parts else 0.0))
    boxes |= grid
    right = max((box.x + box.width / 2 for box in boxes.values()), default=0.0)
    right = max(right, *(x for route in routes.values() for x, _ in route), 0.0)
    return Layout(tuple(boxes[i] for i in range(len(widths))), routes, right, max(bottom, lower))


def _shelves(parts: Sequence[Part], limit: float) -> list[tuple[Part, float, float]]:
    """Each part with its position: from left to right in the free space beside larger parts, as far up as possible.

    The free space is kept as a skyline: the lower edge of what has been placed, as intervals of x.
    """
    skyline = [(0.0, limit, 0.0)]  # left, right, bottom
    placed = []
    for part in sorted(parts, key=lambda part: (-part.height, -part.width)):
        width = min(part.width, limit)
        candidates = [(max(_bottom(skyline, left, left + width), 0.0), left) for left, _, _ in skyline]
        fitting = [(y, left) for y, left in candidates if left + width <= limit + 0.1]
        y, x = min(fitting) if fitting else (max(bottom for _, _, bottom in skyline), 0.0)
        placed.append((part, x, y))
        skyline = _raised(skyline, x, min(x + part.width + _PART_GAP, limit), y + part.height + _PART_GAP)
    return placed


def _bottom(skyline: Sequence[tuple[float, float, float]], left: float, right: float) -> float:
    return max(bottom for start, end, bottom in skyline if start < right and end > left)


def _raised(
    skyline: Sequence[tuple[float, float, float]], left: float, right: float, bottom: float
) -> list[tuple[float, float, float]]:
    found = [(left, right, bottom)]
    for start, end, lower in skyline:
        if start < left:
            found.append((start, min(end, left), lower))
        if end > right:
            found.append((max(start, right), end, lower))
    return sorted(found)


def _grid(single: Sequence[int], widths: Sequence[float], limit: float, top: float) -> tuple[dict[int, Box], float]:
    """Boxes side by side in rows of at most this width, and their lower edge."""
    boxes: dict[int, Box] = {}
    left, y = 0.0, top + HEIGHT / 2
    for i in single:
        if left and left + widths[i] > limit:
            left, y = 0.0, y + HEIGHT + GAP
        boxes[i] = Box(round(left + widths[i] / 2, 1), round(y, 1), widths[i])
        left += widths[i] + GAP
    return boxes, (y + HEIGHT / 2 if single else 0.0)
