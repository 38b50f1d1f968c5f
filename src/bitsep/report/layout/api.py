"""The layout of a graph: each connected part by itself, then the parts side by side.

A part is drawn in rows from top to bottom, causes above their effects (`layered`), if its directed edges give such an
order and it is not too large; variables with an undirected edge share a row. Any other part is drawn freely (`free`):
the position of a variable says nothing about directions there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bitsep.graphs import PAG, PDAG
from bitsep.report.layout.free import lay_out_freely
from bitsep.report.layout.layered import lay_out_in_rows
from bitsep.report.layout.packing import pack
from bitsep.report.layout.shapes import Arc, Layout, Part, box_widths
from bitsep.report.marks import has_order
from bitsep.report.thinning import Pair, strongest_edges

_MAX_EDGES = (150, 4)  # in the drawing: in total or per variable, whichever is more
_MAX_ROWS_PART = 60  # variables in a part that is drawn in rows


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
    >>> [box.y for box in drawn.boxes[:2]] < [drawn.boxes[2].y]
    True
    """
    widths = box_widths(labels)
    arrows, lines = _edges_to_draw(graph, strength or {})
    parts = [_draw(members, arrows, lines, widths) for members in _parts(len(labels), [*arrows, *lines])]
    return pack(parts, widths)


def _draw(members: list[int], arrows: list[Arc], lines: list[Arc], widths: list[float]) -> Part:
    inside = set(members)
    own_arrows = [arc for arc in arrows if arc[0] in inside]
    own_lines = [line for line in lines if line[0] in inside]
    part = None
    if len(members) <= _MAX_ROWS_PART:
        part = lay_out_in_rows(members, own_arrows, own_lines, widths)
    return part or lay_out_freely(members, [*own_arrows, *own_lines], widths)


def _edges_to_draw(graph: PDAG | PAG, strength: Mapping[Pair, float]) -> tuple[list[Arc], list[Arc]]:
    """The directed and the undirected edges to draw, as indices."""
    edges, minimum = strongest_edges(graph, strength)
    most = max(_MAX_EDGES[0], _MAX_EDGES[1] * len(graph.variables), minimum)
    drawn = frozenset(edges[:most])
    index = {name: i for i, name in enumerate(graph.variables)}
    numbered = [(index[a], sign, index[b]) for a, sign, b in graph.edge_lines() if frozenset((a, b)) in drawn]
    arrows = [(a, b) for a, sign, b in numbered if has_order(sign)]
    return arrows, [(a, b) for a, sign, b in numbered if not has_order(sign)]


def _parts(n: int, edges: Sequence[Arc]) -> list[list[int]]:
    """The connected parts with more than one variable, the largest first."""
    neighbors: dict[int, list[int]] = {}
    for a, b in edges:
        neighbors.setdefault(a, []).append(b)
        neighbors.setdefault(b, []).append(a)
    seen: set[int] = set()
    found = []
    for start in range(n):
        if start in seen or start not in neighbors:
            continue
        members, queue = {start}, [start]
        while queue:
            for other in neighbors[queue.pop()]:
                if other not in members:
                    members.add(other)
                    queue.append(other)
        seen |= members
        found.append(sorted(members))
    return sorted(found, key=lambda members: (-len(members), members))
