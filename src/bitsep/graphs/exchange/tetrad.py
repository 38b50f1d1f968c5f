"""The text format of Tetrad: the names in one line, separated by semicolons, then a numbered line per edge.

It has no escape sequences, so some names cannot be written.
"""

from __future__ import annotations

import re

from bitsep.errors import FormatError, UnsupportedTypeError
from bitsep.graphs.base import Edges, Graph, SignedEdge
from bitsep.graphs.exchange.signs import signed
from bitsep.naming import Name

_SIGNS = {"→": "-->", "↔": "<->", "—": "---", "o→": "o->", "o—o": "o-o", "—o": "--o"}
_READ = {text: sign for sign, text in _SIGNS.items()} | {"<--": "<-", "<-o": "<-o", "o--": "o--"}
_EDGE = re.compile(r"(?:\d+\.\s+)?(\S+)\s+(\S+)\s+(\S+)(?:\s.*)?")


def write(graph: Graph) -> str:
    names = [_name(name) for name in graph.variables]
    shown = dict(zip(graph.variables, names, strict=True))
    lines = ["Graph Nodes:", ";".join(names), "", "Graph Edges:"]
    lines += [f"{k}. {shown[a]} {_SIGNS[sign]} {shown[b]}" for k, (a, sign, b) in enumerate(graph.edge_lines(), 1)]
    return "\n".join([*lines, ""])


def _name(name: Name) -> str:
    if not isinstance(name, str) or not name or re.search(r"[\s;,]", name):
        raise UnsupportedTypeError(
            f"variables: a name in Tetrad's format must be text without spaces, commas and semicolons, got {name!r}.",
            hint="Rename it, or use another format.",
        )
    return name


def read(text: str) -> Edges:
    variables: list[Name] = []
    edges: list[SignedEdge] = []
    part = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line in ("Graph Nodes:", "Graph Edges:"):
            part = line
        elif line and part == "Graph Nodes:":
            variables += [name.strip() for name in re.split(r"[;,]", line) if name.strip()]
        elif line and part == "Graph Edges:":
            match = _EDGE.fullmatch(line)
            edge = None if match is None else signed(match[1], _READ.get(match[2]), match[3])
            if edge is None:
                raise FormatError(f"line {number}: expected an edge such as 'A o-> B', got {line!r}.")
            edges.append(edge)
        elif line and part is None:
            raise FormatError(f"line {number}: expected 'Graph Nodes:', got {line!r}.")
    if part is None:
        raise FormatError("text: expected 'Graph Nodes:', got an empty text.")
    return variables, edges
