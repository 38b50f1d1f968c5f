"""The graph of a discovery as an SVG picture, for notebooks and files; it needs no browser and no matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from bitsep.discovery import Discovery
from bitsep.discovery.doubts import doubts_about
from bitsep.graphs.end_marks import Mark
from bitsep.optional import require
from bitsep.report.labels import unique_labels
from bitsep.report.layout import HEIGHT, Box, Point, lay_out
from bitsep.report.layout.shapes import Route
from bitsep.report.marks import end_marks
from bitsep.report.thinning import Pair, strengths

_MARGIN = 8.0
_HEAD = 10.0  # length of an arrowhead
_LINE, _CONTESTED = "#6d7a8a", "#b35c00"


def draw_svg(discovery: Discovery) -> str:
    """The drawing of a graph as an SVG document.

    Lines are as wide as in the report: the more bits, the wider. Edges against which bootstrap samples speak are
    dotted, and the arrowheads of directions against which they speak are open (`Discovery.doubts`).

    Examples
    --------
    >>> import bitsep
    >>> picture = draw_svg(bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia"))))
    >>> picture.startswith('<svg xmlns="http://www.w3.org/2000/svg"'), picture.count('<rect class="box"')
    (True, 8)
    """
    require("igraph", "the drawing of a graph", "report")
    labels = unique_labels(discovery.variables)
    strength = strengths(discovery)
    layout = lay_out(discovery.graph, labels, strength)
    weights = line_widths(strength)
    width, height = (math.ceil(size + 2 * _MARGIN) for size in (layout.width, layout.height))
    undrawn = len(discovery.skeleton) - len(layout.routes)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{-_MARGIN:g} {-_MARGIN:g} {width} {height}" font-family="system-ui, sans-serif" role="img">',
        f"<title>Graph of {len(labels):,} variables and {len(discovery.skeleton):,} edges"
        + (f", of which the {len(layout.routes):,} strongest are drawn" if undrawn else "")
        + "</title>",
        f'<rect x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="{width}" height="{height}" fill="white"/>',
    ]
    index = {name: i for i, name in enumerate(discovery.variables)}
    contested = {frozenset(conflict.edge) for conflict in discovery.conflicts}
    for a, sign, b in discovery.graph.edge_lines():
        if route := layout.route(index[a], index[b]):
            pair = frozenset((a, b))
            lines += _edge(route, end_marks(sign), weights[pair], pair in contested, *doubts(discovery, pair))
    lines += [_box(box, label) for box, label in zip(layout.boxes, labels, strict=True)]
    return "\n".join([*lines, "</svg>", ""])


def line_widths(strength: Mapping[Pair, float]) -> dict[Pair, float]:
    """The width of the line of each edge, by its bits; as wide as possible for a required edge.

    >>> line_widths({frozenset("ab"): 100.0, frozenset("bc"): 0.0})[frozenset("bc")]
    1.3
    """
    most = max([1.0, *(bits for bits in strength.values() if math.isfinite(bits))])
    return {
        pair: 1.3 + 2.7 * math.log1p(min(max(bits, 0.0), most)) / math.log1p(most) for pair, bits in strength.items()
    }


def doubts(discovery: Discovery, pair: Pair) -> tuple[bool, bool]:
    """Whether bootstrap samples speak against an edge, and whether they speak against the edge or its direction."""
    kinds = {doubt.kind for doubt in doubts_about(discovery, pair)}
    return "edge" in kinds, bool(kinds)


def _edge(
    route: Route, marks: tuple[Mark, Mark], width: float, contested: bool, doubtful: bool, open_head: bool
) -> Iterator[str]:
    color = _CONTESTED if contested else _LINE
    dashes = ' stroke-dasharray="5 4"' if contested else ' stroke-dasharray="2 4"' if doubtful else ""
    line = _shortened(_shortened(route, marks[1])[::-1], marks[0])[::-1]
    yield f'<path d="{_path(line)}" fill="none" stroke="{color}" stroke-width="{width:.2f}"{dashes}/>'
    for points, mark in ((route, marks[1]), (route[::-1], marks[0])):
        x, y, dx, dy = _arrival(points)
        if mark == "circle":
            center = f'cx="{x - 4.5 * dx:.1f}" cy="{y - 4.5 * dy:.1f}"'
            yield f'<circle {center} r="4" fill="white" stroke="{color}" stroke-width="1.6"/>'
        elif mark == "arrow":
            half = 3.4 + 0.6 * width
            base_x, base_y = x - _HEAD * dx, y - _HEAD * dy
            corners = [(x, y), (base_x - half * dy, base_y + half * dx), (base_x + half * dy, base_y - half * dx)]
            shape = "L".join(f"{cx:.1f} {cy:.1f}" for cx, cy in corners)
            fill = f'fill="white" stroke="{color}" stroke-width="1.2"' if open_head else f'fill="{color}"'
            yield f'<path d="M{shape}z" {fill}/>'


def _path(route: Route) -> str:
    first, *rest = (f"{x:.1f} {y:.1f}" for x, y in route)
    if len(rest) == 1:
        return f"M{first}L{rest[0]}"
    return f"M{first}" + "".join(f"C{point}" if k % 3 == 0 else f" {point}" for k, point in enumerate(rest))


def _arrival(route: Route) -> tuple[float, float, float, float]:
    """The end of a route, and the unit vector in which the route arrives there."""
    x, y = route[-1]
    away = [point for point in route[:-1] if math.dist(point, (x, y)) > 0.5]
    from_x, from_y = away[-1] if away else (x, y - 1)
    length = math.dist((x, y), (from_x, from_y))
    return x, y, (x - from_x) / length, (y - from_y) / length


def _shortened(route: Route, mark: Mark) -> Route:
    """The route without the part that a mark at its end covers, so that the tip of an arrowhead is sharp."""
    if mark == "tail":
        return route
    x, y, dx, dy = _arrival(route)
    end: Point = (x - (_HEAD - 2) * dx, y - (_HEAD - 2) * dy)
    return (*route[:-1], end)


def _box(box: Box, label: str) -> str:
    text = escape(label.encode("utf-8", "replace").decode("utf-8"))
    return (
        f'<rect class="box" x="{box.x - box.width / 2:g}" y="{box.y - HEIGHT / 2:g}" width="{box.width:g}" '
        f'height="{HEIGHT:g}" rx="7" fill="white" stroke="#8b97a6" stroke-width="1.2"/>'
        f'<text x="{box.x:g}" y="{box.y:g}" font-size="13" font-weight="500" fill="#1b2430" text-anchor="middle" '
        f'dominant-baseline="central">{text}</text>'
    )
