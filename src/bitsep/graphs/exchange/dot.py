r"""Graphviz DOT. An undirected edge is ``a -> b [dir=none]`` in a digraph; a circle is drawn by ``odot``.

A name that is a plain word is used as node id. Other names have a generated id and two attributes: `label` is shown in
the drawing, `name` is the name in JSON, which is used for reading. Digraphs and graphs of nodes and edges can be read,
with attributes, chains and comments, but without subgraphs, ports and HTML ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from bitsep.errors import FormatError
from bitsep.graphs.base import Edges, Graph, SignedEdge
from bitsep.graphs.end_marks import Mark
from bitsep.graphs.exchange.attributes import NONE, EdgeAttributes
from bitsep.graphs.exchange.names import PLAIN, decode, encode
from bitsep.graphs.exchange.signs import with_marks
from bitsep.graphs.exchange.tokens import Cursor, Token, tokenize
from bitsep.naming import Name

_KEYWORDS = {"node", "edge", "graph", "digraph", "subgraph", "strict"}
_ATTRIBUTES = {
    "→": "",
    "—": " [dir=none]",
    "↔": " [dir=both]",
    "o→": " [dir=both, arrowtail=odot]",
    "o—o": " [dir=both, arrowtail=odot, arrowhead=odot]",
    "—o": " [arrowhead=odot]",
}
_SHAPES: dict[str, Mark] = {"normal": "arrow", "odot": "circle", "none": "tail"}
_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)"
    r'|(?P<quoted>"(?:[^"\\]|\\.)*+")'
    r"|(?P<arrow>->|--)"
    r"|(?P<word>-?(?:\.\d+|\d+(?:\.\d*)?)|[^\W\d]\w*)"
    r"|(?P<sign>[{}\[\];,=:])",
    re.DOTALL | re.MULTILINE,
)


def write(graph: Graph, attributes: EdgeAttributes = NONE) -> str:
    ids = _ids(graph)
    lines = ["digraph {"]
    for name, node in ids.items():
        named = "" if node == name else f" [label={_quoted(_label(name))}, name={_quoted(_json(name))}]"
        lines.append(f"  {node}{named};")
    for a, sign, b in graph.edge_lines():
        numbers = ", ".join(f"{key}={value!r}" for key, value in attributes.get(frozenset((a, b)), {}).items())
        more = f" [{numbers}]" if numbers else ""
        lines.append(f"  {ids[a]} -> {ids[b]}{_ATTRIBUTES[sign]}{more};")
    return "\n".join([*lines, "}", ""])


def _ids(graph: Graph) -> dict[Name, str]:
    own = {v for v in graph.variables if isinstance(v, str) and PLAIN.fullmatch(v) and v.lower() not in _KEYWORDS}
    free = (f"n{i}" for i in range(2 * len(graph.variables)) if f"n{i}" not in own)
    return {name: str(name) if name in own else next(free) for name in graph.variables}


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def _json(name: Name) -> str:
    """A name in JSON without the escape sequences \\" and \\\\, which have a meaning in DOT."""
    return re.sub(r'\\(["\\])', lambda match: f"\\u{ord(match[1]):04x}", encode(name))


def _label(name: Name) -> str:
    """A name as a Graphviz label: backslashes are escaped, and line ends are written as \\n."""
    shown = str(name).replace("\\", "\\\\").replace("\n", "\\n")
    return "".join(c if c.isprintable() else "\ufffd" for c in shown)


def read(text: str) -> Edges:
    return _Reader(tokenize(text, _TOKEN, lambda rest: f"cannot read {rest[:20]!r}")).graph()


class _Reader(Cursor):
    """Parses the statements of one graph."""

    def __init__(self, tokens: Iterator[Token]) -> None:
        super().__init__(tokens)
        self.names: dict[str, Name] = {}
        self.edges: list[SignedEdge] = []  # between ids

    def graph(self) -> Edges:
        self.accept("strict")
        self.is_directed = self.expect("graph", "digraph").text.lower() == "digraph"
        if self.peek().text != "{":
            self.identifier()
        self.expect("{")
        while not self.accept("}"):
            self.statement()
        if self.peek().kind != "end":
            raise self.expected("the end of the file")
        edges = [(self.names[str(a)], sign, self.names[str(b)]) for a, sign, b in self.edges]
        return list(self.names.values()), edges

    def statement(self) -> None:
        first = self.peek()
        if first.kind == "word" and first.text.lower() in ("node", "edge", "graph"):
            self.advance()
            self.attributes()  # defaults for the drawing
        elif first.text == "{" or (first.kind == "word" and first.text.lower() == "subgraph"):
            raise self.expected("a node or an edge; subgraphs are not read")
        else:
            chain = [self.identifier()]
            if self.accept("="):
                self.identifier()  # an attribute of the drawing
            else:
                while self.peek().kind == "arrow":
                    self.expect("->" if self.is_directed else "--")
                    chain.append(self.identifier())
                self.declare(chain, self.attributes())
        self.accept(";")

    def declare(self, chain: list[str], attributes: dict[str, str]) -> None:
        for node in chain:
            self.names.setdefault(node, node)
        if len(chain) == 1:
            if "name" in attributes:
                self.names[chain[0]] = decode(attributes["name"])
            return
        direction = attributes.get("dir", "forward" if self.is_directed else "none")
        if direction not in ("forward", "back", "both", "none"):
            raise FormatError(f"edge {' -> '.join(chain)}: dir must be forward, back, both or none, got {direction}.")
        first = _mark(attributes, "arrowtail", direction in ("back", "both"))
        second = _mark(attributes, "arrowhead", direction in ("forward", "both"))
        self.edges += [with_marks(a, first, second, b) for a, b in pairwise(chain)]

    def attributes(self) -> dict[str, str]:
        found = {}
        while self.accept("["):
            while not self.accept("]"):
                key = self.identifier()
                self.expect("=")
                found[key] = self.identifier()
                if not self.accept(","):
                    self.accept(";")
        return found

    def identifier(self) -> str:
        token = self.peek()
        if token.kind not in ("word", "quoted"):
            raise self.expected("a name")
        self.advance()
        if token.kind == "word":
            return token.text
        return re.sub(r"\\\n", "", token.text[1:-1]).replace('\\"', '"')

    def expect(self, *texts: str) -> Token:
        token = self.peek()
        if not any(self.accept(text) for text in texts):
            raise self.expected(" or ".join(map(repr, texts)))
        return token


def _mark(attributes: dict[str, str], end: str, is_drawn: bool) -> Mark:
    """The mark at one end of an edge; shapes other than odot and none are arrowheads."""
    return _SHAPES.get(attributes.get(end, "normal"), "arrow") if is_drawn else "tail"
