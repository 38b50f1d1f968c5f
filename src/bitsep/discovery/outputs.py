"""What a discovery can be turned into: graphs of other libraries, files, a report, pictures, a notebook cell."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from bitsep.discovery.frames import edge_attributes
from bitsep.graphs.exchange import arcs, dot, graphml

if TYPE_CHECKING:
    from pathlib import Path

    from bitsep.discovery.result import Discovery


class Outputs:
    """The part of `Discovery` that writes and draws."""

    @property
    def _discovery(self) -> Discovery:
        from bitsep.discovery.result import Discovery

        assert isinstance(self, Discovery)  # the only subclass
        return self

    def to_networkx(self) -> Any:
        """The graph as a `networkx.DiGraph`, whose edges have bits, bits_per_row, entropy_share, margin_bits and, with
        bootstrap samples, support and probability as attributes. See `PDAG.to_networkx`."""
        return arcs.to_networkx(self._discovery.graph, edge_attributes(self._discovery))

    def to_dot(self) -> str:
        """The graph in DOT, with the numbers of `to_networkx` at its edges. See `PDAG.to_dot`."""
        return dot.write(self._discovery.graph, edge_attributes(self._discovery))

    def to_graphml(self) -> str:
        """The graph in GraphML, with the numbers of `to_networkx` at its edges. See `PDAG.to_graphml`."""
        return graphml.write(self._discovery.graph, edge_attributes(self._discovery))

    def save_picture(self, path: str | os.PathLike[str]) -> Path:
        """Write the drawing of the graph to a file, whose name ends in .svg, .png or .pdf.

        Raises
        ------
        ArgumentError
            If the name has another extension.
        WriteError
            If the file cannot be written; an existing file is then unchanged.
        """
        from bitsep.report.pictures import save_picture

        return save_picture(self._discovery, path)

    def save_report(self, path: str | os.PathLike[str], data: Any = None, title: str | None = None) -> Path:
        """Write an HTML report: the graph, and the evidence behind every edge and every missing edge.

        Parameters
        ----------
        path : path-like
            The HTML file. It is written completely or not at all.
        data : table-like, optional
            The data, for contingency tables; needed only if the discovery was read from JSON.
        title : str, optional
            The title of the page.
        """
        from bitsep.report import save_report

        return save_report(self._discovery, path, data=data, title=title)

    def show(self, data: Any = None, height: int = 900) -> Any:
        """The report inside a notebook: return this as the last value of a cell.

        Parameters
        ----------
        data : table-like, optional
            The data, for contingency tables; needed only if the discovery was read from JSON.
        height : int
            The height of the report in pixels.

        Examples
        --------
        >>> import bitsep
        >>> page = bitsep.discover(bitsep.load_network("asia").sample(1000, seed=1)).show()
        >>> page._repr_html_()[:7]
        '<iframe'
        """
        from bitsep.report.notebook import EmbeddedReport

        return EmbeddedReport.of(self._discovery, data, height)

    def plot(self, ax: Any = None) -> Any:
        """Draw the graph with matplotlib, in `ax` or in a new figure, and return the axes."""
        from bitsep.report import plot_discovery

        return plot_discovery(self._discovery, ax)

    def _repr_html_(self) -> str:
        from bitsep.report.notebook import discovery_html

        return discovery_html(self._discovery)
