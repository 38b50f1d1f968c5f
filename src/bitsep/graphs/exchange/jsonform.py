"""JSON with the keys schema ("bitsep.graph"), schema_version, kind, variables, directed and undirected.

Names are JSON strings or integers; edges are arrays of two names; all are in canonical order, so that equal graphs give
equal bytes.
"""

from __future__ import annotations

import json
from typing import Any

from bitsep.errors import FormatError, cause
from bitsep.graphs.base import Edges, Graph
from bitsep.graphs.exchange.names import checked, encode

SCHEMA = "bitsep.graph"
VERSION = 1


def to_dict(graph: Graph) -> dict[str, Any]:
    """The JSON document as a dictionary."""
    for name in graph.variables:
        encode(name)  # raises an error for a name that JSON cannot represent
    lines = graph.edge_lines()
    return {
        "schema": SCHEMA,
        "schema_version": VERSION,
        "kind": type(graph).__name__,
        "variables": list(graph.variables),
        "directed": [[a, b] for a, sign, b in lines if sign == "→"],
        "undirected": [[a, b] for a, sign, b in lines if sign == "—"],
    }


def write(graph: Graph) -> str:
    return json.dumps(to_dict(graph), indent=1) + "\n"


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
    return variables, _edges(document, "directed"), _edges(document, "undirected")


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
