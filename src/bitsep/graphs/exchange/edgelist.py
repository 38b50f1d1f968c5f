"""Edge lists: a line per edge, ``a -> b`` or ``a -- b``, and a line per variable without an edge.

A name that is not a plain word (letters, digits, underscore; no digit first) is in double quotes, with the escape
sequences of JSON; an integer name is a number. Empty lines are ignored, ``#`` starts a comment.
"""

from __future__ import annotations

import re

from bitsep.errors import FormatError
from bitsep.graphs.base import Edges, Graph
from bitsep.graphs.exchange.names import PLAIN, decode, encode
from bitsep.naming import Name

_TOKEN = re.compile(r'\s*(?:(?P<name>"(?:[^"\\]|\\.)*"|-?\d+|[^\W\d]\w*)|(?P<sign>->|--)|(?P<comment>#.*))')


def write(graph: Graph) -> str:
    lines = [f"{_shown(a)} {'->' if sign == '→' else '--'} {_shown(b)}" for a, sign, b in graph.edge_lines()]
    lines += [_shown(name) for name in graph.variables if not graph.neighbors(name)]
    return "".join(f"{line}\n" for line in lines)


def _shown(name: Name) -> str:
    return name if isinstance(name, str) and PLAIN.fullmatch(name) else encode(name)


def read(text: str) -> Edges:
    variables: dict[Name, None] = {}
    directed: list[tuple[Name, Name]] = []
    undirected: list[tuple[Name, Name]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        tokens = _tokens(line, number)
        if len(tokens) not in (0, 1, 3) or any(token in ("->", "--") for token in tokens[::2]):
            raise FormatError(f"line {number}: expected 'a -> b', 'a -- b' or a single name, got {line.strip()!r}.")
        try:
            names = [decode(token) if token[0] in '"-0123456789' else token for token in tokens[::2]]
        except FormatError as error:
            raise FormatError(f"line {number}: {error.message}", hint=error.hint) from None
        signs = tokens[1::2]
        variables.update(dict.fromkeys(names))
        if signs:
            if signs[0] not in ("->", "--"):
                raise FormatError(f"line {number}: expected '->' or '--' between two names, got {signs[0]!r}.")
            (directed if signs[0] == "->" else undirected).append((names[0], names[1]))
    return list(variables), directed, undirected


def _tokens(line: str, number: int) -> list[str]:
    tokens = []
    place = 0
    line = line.rstrip()
    while place < len(line):
        match = _TOKEN.match(line, place)
        if match is None:
            raise FormatError(
                f"line {number}, column {place + 1}: cannot read {line[place:]!r}.",
                hint="Put names that are not plain words in double quotes.",
            )
        place = match.end()
        if match["comment"] is None:
            tokens.append(match["name"] or match["sign"])
    return tokens
