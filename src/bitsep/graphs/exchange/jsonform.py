"""JSON with the keys schema ("bitsep.graph"), schema_version, kind, variables, directed and undirected.

Names are JSON strings or integers; edges are arrays of two names; all are in canonical order, so that equal graphs give
equal bytes. PAGs and MAGs have one key `edges` instead, with arrays of a name, a sign in ASCII, and a name.
"""

from __future__ import annotations

import json
from typing import Any

from bitsep.errors import FormatError, cause
from bitsep.graphs.base import Edges, Graph, SignedEdge
from bitsep.graphs.exchange.names import checked, encode, json_text
from bitsep.graphs.exchange.signs import ASCII, signed

SCHEMA = "bitsep.graph"
VERSION = 1


def to_dict(graph: Graph) -> dict[str, Any]:
    """The JSON document as a dictionary."""
    for name in graph.variables:
        encode(name)  # raises an error for a name that JSON cannot represent
    lines = graph.edge_lines()
    head = {
        "schema": SCHEMA,
        "schema_version": VERSION,
        "kind": type(graph).__name__,
        "variables": list(graph.variables),
    }
    if head["kind"] in ("MAG", "PAG"):
        return head | {"edges": [[a, ASCII[sign], b] for a, sign, b in lines]}
    return head | {
        "directed": [[a, b] for a, sign, b in lines if sign == "→"],
        "undirected": [[a, b] for a, sign, b in lines if sign == "—"],
    }


def write(graph: Graph) -> str:
    return json_text(to_dict(graph), indent=1) + "\n"


def read(text: str) -> Edges:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise FormatError(f"text: not JSON: {cause(error)}.") from None
    except RecursionError:
        raise FormatError("text: JSON nested too deeply to be a graph.") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise FormatError(f'text: not the JSON of a graph; it must be an object with "schema": "{SCHEMA}".')
    if document.get("schema_version") != VERSION:
        got = document.get("schema_version")
        raise FormatError(f"schema_version: this release reads version {VERSION}, got {got!r}.")
    variables = [checked(name) for name in _array(document, "variables")]
    if "edges" in document:
        return variables, [_signed(edge) for edge in _array(document, "edges")]
    directed, undirected = _edges(document, "directed"), _edges(document, "undirected")
    return variables, [(a, "→", b) for a, b in directed] + [(a, "—", b) for a, b in undirected]


def _array(document: dict[str, Any], key: str) -> list[Any]:
    value = document.get(key)
    if not isinstance(value, list):
        raise FormatError(f"{key}: must be an array, got {value!r}.")
    return value


def _edges(document: dict[str, Any], key: str) -> list[Any]:
    edges = []
    for edge in _array(document, key):
        if not isinstance(edge, list) or len(edge) != 2:
            raise FormatError(f"{key}: an edge must be an array of two names, got {edge!r}.")
        edges.append((checked(edge[0]), checked(edge[1])))
    return edges


def _signed(edge: Any) -> SignedEdge:
    if isinstance(edge, list) and len(edge) == 3:
        found = signed(checked(edge[0]), edge[1], checked(edge[2]))
        if found is not None:
            return found
    raise FormatError(f"edges: an edge must be an array of a name, a sign such as 'o->' and a name, got {edge!r}.")
