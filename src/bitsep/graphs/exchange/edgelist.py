"""Edge lists: a line per edge, ``a -> b`` or ``a -- b``, and a line per variable without an edge.

The other edges of a PAG are ``a <-> b``, ``a o-> b``, ``a o-o b`` and ``a --o b``; between plain names, a sign with a
circle needs spaces around it.

A name that is not a plain word (letters, digits, underscore; no digit first) is in double quotes, with the escape
sequences of JSON; an integer name is a number. Empty lines are ignored, ``#`` starts a comment.
"""

from __future__ import annotations

import re

from bitsep.errors import FormatError
from bitsep.graphs.base import Edges, Graph, SignedEdge
from bitsep.graphs.exchange.names import PLAIN, decode, encode
from bitsep.graphs.exchange.signs import ASCII, signed
from bitsep.naming import Name

_NAME = r'(?P<name>"(?:[^"\\]|\\.)*+"|-?\d+|[^\W\d]\w*)'
_SIGN = r"(?P<sign>o->|o-o(?=\s)|o--(?=\s)|--o(?=\s+[^\s#])|<->|<-o(?=\s+[^\s#])|<-|->|--)"
# A sign is expected after the first name only, so that a variable can be called o.
_TOKENS = [
    re.compile(rf"\s*(?:{first}|{second}|(?P<comment>#.*))") for first, second in ((_NAME, _SIGN), (_SIGN, _NAME))
]


def write(graph: Graph) -> str:
    lines = [f"{_shown(a)} {ASCII[sign]} {_shown(b)}" for a, sign, b in graph.edge_lines()]
    lines += [_shown(name) for name in graph.variables if not graph.neighbors(name)]
    return "".join(f"{line}\n" for line in lines)


def _shown(name: Name) -> str:
    return name if isinstance(name, str) and PLAIN.fullmatch(name) else encode(name)


def read(text: str) -> Edges:
    variables: dict[Name, None] = {}
    edges: list[SignedEdge] = []
    for number, line in enumerate(text.split("\n"), start=1):
        tokens = _tokens(line, number)
        kinds = [kind for kind, _ in tokens]
        if kinds in (["name", "sign"], ["sign", "name"]):
            place, sign = ("after", tokens[1][1]) if kinds[0] == "name" else ("before", tokens[0][1])
            raise FormatError(f"line {number}: a name is missing {place} {sign!r}, got {line.strip()!r}.")
        if len(tokens) not in (0, 1, 3) or any(kind == "sign" for kind, _ in tokens[::2]):
            raise FormatError(f"line {number}: expected 'a -> b', 'a -- b' or a single name, got {line.strip()!r}.")
        try:
            names = [decode(token) if token[0] in '"-0123456789' else token for _, token in tokens[::2]]
        except FormatError as error:
            raise FormatError(f"line {number}: {error.message}", hint=error.hint) from None
        variables.update(dict.fromkeys(names))
        if len(tokens) == 3:
            edge = signed(names[0], tokens[1][1], names[1]) if tokens[1][0] == "sign" else None
            if edge is None:
                raise FormatError(f"line {number}: expected '->' or '--' between two names, got {tokens[1][1]!r}.")
            edges.append(edge)
    return list(variables), edges


def _tokens(line: str, number: int) -> list[tuple[str, str]]:
    """The names and signs of a line, each with its kind."""
    tokens: list[tuple[str, str]] = []
    place = 0
    line = line.rstrip()
    while place < len(line):
        match = _TOKENS[len(tokens) == 1].match(line, place)
        if match is None:
            raise FormatError(
                f"line {number}, column {place + 1}: cannot read {line[place:]!r}.",
                hint="Put names that are not plain words in double quotes.",
            )
        place = match.end()
        if match["comment"] is None:
            tokens.append(("name", match["name"]) if match["name"] is not None else ("sign", match["sign"]))
    return tokens
