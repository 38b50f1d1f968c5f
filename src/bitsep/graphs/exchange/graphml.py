"""GraphML. Nodes are n0, n1, …; the data key `label` is the name for display, `name` is the name in JSON.

XML cannot represent every character (control characters, lone surrogates), JSON in XML can. Each edge has the attribute
`directed`; the edges that only a PAG has also have the data key `mark` with their sign in ASCII. When a graph is read,
the name of a node without `name` is its id.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from bitsep.errors import FormatError, cause
from bitsep.graphs.base import Edges, Graph, SignedEdge
from bitsep.graphs.exchange.attributes import NONE, EdgeAttributes
from bitsep.graphs.exchange.names import decode, encode
from bitsep.graphs.exchange.signs import ASCII, signed
from bitsep.naming import Name

_SPACE = "http://graphml.graphdrawing.org/xmlns"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(graph: Graph, attributes: EdgeAttributes = NONE) -> str:
    root = ElementTree.Element("graphml", {"xmlns": _SPACE})
    for key in ("label", "name"):
        ElementTree.SubElement(root, "key", {"id": key, "for": "node", "attr.name": key, "attr.type": "string"})
    lines = graph.edge_lines()
    if any(sign not in ("→", "—") for _, sign, _ in lines):
        ElementTree.SubElement(root, "key", {"id": "mark", "for": "edge", "attr.name": "mark", "attr.type": "string"})
    for key in dict.fromkeys(key for numbers in attributes.values() for key in numbers):
        ElementTree.SubElement(root, "key", {"id": key, "for": "edge", "attr.name": key, "attr.type": "double"})
    body = ElementTree.SubElement(root, "graph", {"id": "G", "edgedefault": "directed"})
    ids = {name: f"n{i}" for i, name in enumerate(graph.variables)}
    for name, node in ids.items():
        element = ElementTree.SubElement(body, "node", {"id": node})
        ElementTree.SubElement(element, "data", {"key": "label"}).text = _NOT_XML.sub("\ufffd", str(name))
        ElementTree.SubElement(element, "data", {"key": "name"}).text = encode(name)
    for a, sign, b in lines:
        directed = "false" if sign == "—" else "true"
        element = ElementTree.SubElement(body, "edge", {"source": ids[a], "target": ids[b], "directed": directed})
        if sign not in ("→", "—"):
            ElementTree.SubElement(element, "data", {"key": "mark"}).text = ASCII[sign]
        for key, value in attributes.get(frozenset((a, b)), {}).items():
            ElementTree.SubElement(element, "data", {"key": key}).text = repr(value)
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def read(text: str) -> Edges:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise FormatError(
            "text: this GraphML declares a document type or entities, which are not read.",
            hint="Take the declaration out.",
        )
    try:
        root = ElementTree.fromstring(text.encode("utf-8", "surrogatepass"))
    except ElementTree.ParseError as error:
        line, column = error.position
        raise FormatError(f"line {line}, column {column + 1}: not well-formed XML: {cause(error)}.") from None
    bodies = [element for element in root if _tag(element) == "graph"]
    if _tag(root) != "graphml" or len(bodies) != 1:
        raise FormatError("text: expected a <graphml> document with one <graph> in it.")
    keys = [(element.get("id"), element.get("attr.name")) for element in root if _tag(element) == "key"]
    name_keys, mark_keys = ({key for key, name in keys if name == wanted} for wanted in ("name", "mark"))
    names: dict[str, Name] = {}
    edges: list[SignedEdge] = []
    for element in bodies[0]:
        if _tag(element) == "node":
            node = _attribute(element, "id")
            if node in names:
                raise FormatError(f"text: the node {node!r} occurs twice.")
            names[node] = _name(element, node, name_keys)
    default = bodies[0].get("edgedefault", "directed")
    for element in bodies[0]:
        if _tag(element) == "edge":
            ends = []
            for end in ("source", "target"):
                node = _attribute(element, end)
                if node not in names:
                    raise FormatError(f"text: the {end} of an edge must be a node, got {node!r}.")
                ends.append(names[node])
            is_directed = element.get("directed", "true" if default == "directed" else "false") == "true"
            mark = next((data.text for data in element if _tag(data) == "data" and data.get("key") in mark_keys), None)
            edges.append(signed(ends[0], mark, ends[1]) or (ends[0], "→" if is_directed else "—", ends[1]))
    return list(names.values()), edges


def _name(element: ElementTree.Element, node: str, keys: set[str | None]) -> Name:
    for data in element:
        if _tag(data) == "data" and data.get("key") in keys:
            text = (data.text or "").strip()
            # Other programs use "name" for labels: only text in JSON format is decoded.
            return decode(text) if re.fullmatch(r'".*"|-?\d+', text, re.DOTALL) else text
    return node


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _attribute(element: ElementTree.Element, key: str) -> str:
    value = element.get(key)
    if value is None:
        raise FormatError(f"text: a <{_tag(element)}> has no {key!r}.")
    return value
