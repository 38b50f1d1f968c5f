"""The exchange formats as methods of all graphs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from bitsep.checks import given_text
from bitsep.errors import ArgumentError, FormatError, ReadError, cause
from bitsep.files import path_text, utf8, write_file
from bitsep.graphs.base import Edges, Graph, SignedEdge
from bitsep.graphs.exchange import arcs, dagitty, dot, edgelist, endpoints, graphml, jsonform, tetrad

if TYPE_CHECKING:
    import os

    import numpy as np
    import numpy.typing as npt

    from bitsep.naming import Name

# file name extension -> module that reads and writes the format
FORMATS = {
    ".json": jsonform,
    ".dot": dot,
    ".gv": dot,
    ".graphml": graphml,
    ".txt": edgelist,
    ".edges": edgelist,
}


class Exchangeable(Graph):
    """Writes a graph in several formats and reads it; the graph read is equal to the graph written.

    All formats except the model string of bnlearn and those of Tetrad and dagitty can represent names that are integers
    or text with any characters. It is an error to read a graph as a kind that does not have its edges: a DAG can be
    read as a `PDAG`, and both can be read as a `PAG`, in which an undirected edge means selection.
    """

    @classmethod
    @abstractmethod
    def _from_edges(cls, variables: Iterable[Name], edges: Iterable[SignedEdge]) -> Self:
        """The graph with these edges."""

    def to_networkx(self) -> Any:
        """A `networkx.DiGraph`; an undirected edge is a pair of opposite arcs, with the attribute ``directed=False``.

        The edges that only a PAG has are one arc, with their sign (``"↔"``, ``"o→"``, …) in the attribute ``mark``.

        Examples
        --------
        >>> from bitsep.graphs import PDAG
        >>> g = PDAG(["A", "B", "C"], [("A", "B")], [("B", "C")])
        >>> sorted(g.to_networkx().edges)
        [('A', 'B'), ('B', 'C'), ('C', 'B')]
        >>> PDAG.from_networkx(g.to_networkx()) == g
        True
        """
        return arcs.to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: Any) -> Self:
        """The graph from a networkx graph; two opposite arcs, or an edge of an undirected graph, are undirected."""
        return cls._from_edges(*arcs.from_networkx(graph))

    def to_igraph(self) -> Any:
        """A directed `igraph.Graph`; an undirected edge is a pair of opposite arcs.

        The vertex attribute `name` is the name as text, `variable` is the original name.
        """
        return arcs.to_igraph(self)

    @classmethod
    def from_igraph(cls, graph: Any) -> Self:
        """The graph from an igraph graph; names are the attribute `variable`, else `name`, else the vertex numbers."""
        return cls._from_edges(*arcs.from_igraph(graph))

    def to_dot(self) -> str:
        """Graphviz DOT; an undirected edge has ``dir=none``, a circle is drawn by ``odot``.

        Examples
        --------
        >>> from bitsep.graphs import PDAG
        >>> print(PDAG(["A", "B", "C"], [("A", "B")], [("B", "C")]).to_dot())
        digraph {
          A;
          B;
          C;
          A -> B;
          B -> C [dir=none];
        }
        <BLANKLINE>
        """
        return dot.write(self)

    @classmethod
    def from_dot(cls, text: str) -> Self:
        """The graph from a graph or digraph in DOT; a FormatError contains line and column."""
        return cls._read(dot.read(given_text(text)))

    def to_graphml(self) -> str:
        """The graph in GraphML, in which each edge is directed or undirected."""
        return graphml.write(self)

    @classmethod
    def from_graphml(cls, text: str) -> Self:
        """The graph from GraphML."""
        return cls._read(graphml.read(given_text(text)))

    def to_edge_list(self) -> str:
        """An edge list: a line per edge, ``a -> b`` or ``a -- b``, then a line per variable without an edge.

        In a PAG also ``a <-> b``, ``a o-> b``, ``a o-o b`` and ``a --o b``.

        Examples
        --------
        >>> from bitsep.graphs import PDAG
        >>> print(PDAG(["A", "B", "a name", 7], [("A", "B")], [("B", "a name")]).to_edge_list())
        A -> B
        B -- "a name"
        7
        <BLANKLINE>
        """
        return edgelist.write(self)

    @classmethod
    def from_edge_list(cls, text: str) -> Self:
        """The graph from an edge list."""
        return cls._read(edgelist.read(given_text(text)))

    def to_tetrad(self) -> str:
        """The text format of Tetrad; names must be text without spaces, commas and semicolons.

        Examples
        --------
        >>> from bitsep.graphs import PAG
        >>> print(PAG(["A", "B", "C"], [("A", "o->", "B"), ("B", "<->", "C")]).to_tetrad())
        Graph Nodes:
        A;B;C
        <BLANKLINE>
        Graph Edges:
        1. A o-> B
        2. B <-> C
        <BLANKLINE>
        """
        return tetrad.write(self)

    @classmethod
    def from_tetrad(cls, text: str) -> Self:
        """The graph from the text format of Tetrad; names are read as text."""
        return cls._read(tetrad.read(given_text(text)))

    def to_dagitty(self) -> str:
        """The format of dagitty; names must be text without double quotes.

        Examples
        --------
        >>> from bitsep.graphs import PAG
        >>> print(PAG(["A", "B", "C"], [("A", "o->", "B"), ("B", "<->", "C")]).to_dagitty())
        pag {
        A
        B
        C
        A @-> B
        B <-> C
        }
        <BLANKLINE>
        """
        return dagitty.write(self)

    @classmethod
    def from_dagitty(cls, text: str) -> Self:
        """The graph from the format of dagitty; names are read as text."""
        return cls._read(dagitty.read(given_text(text)))

    def to_causallearn(self) -> npt.NDArray[np.int64]:
        """The matrix of marks of causal-learn, in the order of `variables`.

        Entry (i, j) is the mark at i of the edge between i and j: -1 tail, 1 arrowhead, 2 circle, 0 no edge.
        """
        return endpoints.to_array(self)

    @classmethod
    def from_causallearn(cls, graph: Any, variables: Iterable[Name]) -> Self:
        """The graph from a matrix of marks, or from a graph object of causal-learn; `variables` names its rows."""
        return cls._from_edges(*endpoints.from_array(graph, variables))

    def to_dict(self) -> dict[str, Any]:
        """The content of `to_json` as a dictionary."""
        return jsonform.to_dict(self)

    def to_json(self) -> str:
        """The graph as JSON with schema and version; equal graphs give equal text."""
        return jsonform.write(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The graph from the text that `to_json` returned."""
        return cls._read(jsonform.read(given_text(text)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file, in the format of its extension: .json, .dot, .gv, .graphml, .txt or .edges (edge list).

        Raises
        ------
        WriteError
            If the file cannot be written; an existing file is then unchanged.
        """
        write_file(path, utf8(_format(path).write(self)))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file written by `save`, or by another program in the same format."""
        form = _format(path)
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise ReadError(f"path: {str(path)!r} cannot be read: {cause(error)}.") from error
        except UnicodeDecodeError:
            raise FormatError(f"path: {str(path)!r} is not UTF-8 text.") from None
        return cls._read(form.read(text))

    @classmethod
    def _read(cls, edges: Edges) -> Self:
        """The graph of a file; a cycle or a duplicate edge is an error of the format."""
        try:
            return cls._from_edges(*edges)
        except ArgumentError as error:
            raise FormatError(error.message, hint=error.hint) from None


def _format(path: str | os.PathLike[str]) -> Any:
    suffix = Path(path_text(path, "path")).suffix.lower()
    if suffix not in FORMATS:
        raise ArgumentError(f"path: the name of a graph file must end in {', '.join(FORMATS)}, got {str(path)!r}.")
    return FORMATS[suffix]
