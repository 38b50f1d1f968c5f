"""The format of dagitty: ``pag { A @-> B  C }``, with ``dag``, ``pdag`` or ``mag`` as the first word for other graphs.

A circle is written ``@``. Names that are not plain words are in double quotes; all names are read as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bitsep.errors import FormatError, UnsupportedTypeError
from bitsep.graphs.base import Edges, Graph, SignedEdge
from bitsep.graphs.exchange.names import PLAIN
from bitsep.graphs.exchange.signs import signed
from bitsep.graphs.exchange.tokens import Cursor, Token, tokenize
from bitsep.naming import Name

_KINDS = ("dag", "pdag", "mag", "pag", "digraph", "graph")
_SIGNS = {"→": "->", "↔": "<->", "—": "--", "o→": "@->", "o—o": "@-@", "—o": "--@"}
_TOKEN = re.compile(
    r"(?P<space>[\s;,]+|//[^\n]*|#[^\n]*|/\*.*?\*/)"
    r'|(?P<quoted>"[^"]*")'
    r"|(?P<sign><->|->|<-@|<-|@->|@-@|@--|--@|--)"
    r"|(?P<attributes>\[[^\]]*\])"
    r"|(?P<brace>[{}])"
    r"|(?P<word>[^\s;,\[\]{}\"<>@#-]+)",
    re.DOTALL,
)


def write(graph: Graph) -> str:
    shown = {name: _name(name) for name in graph.variables}
    lines = [f"{type(graph).__name__.lower()} {{"]
    lines += [shown[name] for name in graph.variables]
    lines += [f"{shown[a]} {_SIGNS[sign]} {shown[b]}" for a, sign, b in graph.edge_lines()]
    return "\n".join([*lines, "}", ""])


def _name(name: Name) -> str:
    if not isinstance(name, str) or not name or '"' in name:
        raise UnsupportedTypeError(
            f"variables: a name in dagitty's format must be text without double quotes, got {name!r}.",
            hint="Rename it, or use another format.",
        )
    return name if PLAIN.fullmatch(name) and name.lower() not in _KINDS else f'"{name}"'


def read(text: str) -> Edges:
    return _Reader(tokenize(text, _TOKEN, lambda rest: f"cannot read {rest[:20]!r}")).graph()


class _Reader(Cursor):
    """Parses one graph; positions and other attributes of the drawing are not used."""

    def __init__(self, tokens: Iterator[Token]) -> None:
        super().__init__(tokens)
        self.names: dict[Name, None] = {}
        self.edges: list[SignedEdge] = []

    def graph(self) -> Edges:
        if not any(self.accept(kind) for kind in _KINDS):
            raise self.expected("dag, pdag, mag or pag")
        if not self.accept("{"):
            raise self.expected("'{'")
        while not self.accept("}"):
            if self.peek().kind == "word" and self.peek_after().text == "=":
                raise self.expected("a variable or an edge")
            self.statement()
        if self.peek().kind != "end":
            raise self.expected("the end of the text")
        return list(self.names), self.edges

    def statement(self) -> None:
        name = self.name()
        while self.peek().kind == "sign":
            sign = self.peek().text.replace("@", "o")
            self.advance()
            other = self.name()
            edge = signed(name, sign, other)
            if edge is None:
                raise FormatError(f"text: unknown edge sign {sign!r}.")
            self.edges.append(edge)
            name = other

    def name(self) -> str:
        token = self.peek()
        if token.kind not in ("word", "quoted"):
            raise self.expected("a name")
        self.advance()
        if self.peek().kind == "attributes":
            self.advance()
        name = token.text[1:-1] if token.kind == "quoted" else token.text
        self.names.setdefault(name)
        return name
