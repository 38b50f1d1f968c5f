"""What a notebook shows of a discovery: the drawing and the table of edges, or the whole report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from bitsep.checks import integer
from bitsep.discovery import Discovery
from bitsep.discovery.edge_table import edge_table
from bitsep.markup import html_list, html_table
from bitsep.naming import shown_name
from bitsep.optional import is_installed, require
from bitsep.report.assumptions import meaning_of_arrows
from bitsep.report.build import build_view
from bitsep.report.drawing import draw_svg
from bitsep.report.render import render_page
from bitsep.report.repeat import facts

_MAX_EDGES = 30
_MAX_NAMES = 10
_MAX_NOTES = 10
_FRAME = "max-height:42em;width:fit-content;max-width:100%;overflow:auto;background:white"


def discovery_html(discovery: Discovery) -> str:
    """A discovery in a notebook: counts, the drawing, the edges with their evidence, and notes."""
    summary = " · ".join(f"<strong>{escape(fact.value)}</strong> {fact.label}" for fact in facts(discovery))
    table = edge_table(discovery)
    numbers = [k for k, title in enumerate(table.head) if title in table.numbers]
    rows = [cells for cells, _ in table.rows[:_MAX_EDGES]]
    left = len(table.rows) - len(rows)
    isolated = [shown_name(name) for name in discovery.variables if not discovery.graph.neighbors(name)]
    others = [f"and {len(isolated) - _MAX_NAMES:,} more"] if len(isolated) > _MAX_NAMES else []
    return "".join(
        (
            f"<p>{summary}</p>",
            f"<div style='{_FRAME}'>{draw_svg(discovery)}</div>" if is_installed("igraph") else "",
            f"<p style='max-width:60em'><small>{escape(meaning_of_arrows(discovery))}</small></p>",
            html_table("", table.head, rows, numbers) if rows else "",
            f"<p>{left:,} more edges: <code>edges_frame()</code></p>" if left else "",
            f"<p>Without an edge: {escape(', '.join(isolated[:_MAX_NAMES] + others))}.</p>" if isolated else "",
            html_list(discovery.column_notes()),
            _folded("conflicts", [str(conflict.reason) for conflict in discovery.conflicts]),
            _folded("doubts", [str(doubt.reason) for doubt in discovery.doubts]),
            html_list([*discovery.warnings[:_MAX_NOTES]]),
        )
    )


def _folded(title: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    more = [f"… and {len(lines) - _MAX_NOTES:,} more"] if len(lines) > _MAX_NOTES else []
    shown = html_list([*lines[:_MAX_NOTES], *more])
    return f"<details><summary>{len(lines):,} {title}</summary>{shown}</details>"


@dataclass(frozen=True, slots=True)
class EmbeddedReport:
    """The report of a discovery, which a notebook shows in a frame."""

    page: str = field(repr=False)
    height: int

    @classmethod
    def of(cls, discovery: Discovery, data: Any, height: Any) -> EmbeddedReport:
        """The report, with its height in pixels."""
        require("igraph", "show", "report")
        pixels = integer("height", height, at_least=100)
        return cls(render_page(build_view(discovery, data)), pixels)

    def _repr_html_(self) -> str:
        # The frame may run the scripts of the page, but has no access to the notebook.
        return (
            f'<iframe srcdoc="{escape(self.page)}" sandbox="allow-scripts allow-downloads allow-modals" '
            f'title="Report" style="width:100%;height:{self.height}px;border:1px solid #ccc"></iframe>'
        )
