"""The tokens of a BIF file, with line and column."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bitsep.errors import FormatError

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)"
    r'|(?P<quoted>"(?:[^"\\]|\\.)*")'
    r"|(?P<sign>[{}()\[\];,|])"
    r'|(?P<word>(?:(?!//|/\*)[^\s{}()\[\];,|"])+)',
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a quoted text (`text` has no quotes and escape sequences), a sign, or the end of the file."""

    kind: str
    text: str
    line: int
    column: int

    @property
    def shown(self) -> str:
        return "the end of the file" if self.kind == "end" else repr(self.text)

    def error(self, problem: str, hint: str | None = None) -> FormatError:
        return FormatError(f"line {self.line}, column {self.column}: {problem}.", hint=hint)


def tokenize(text: str) -> list[Token]:
    """All tokens, with the end of the file as the last. Comments (// and /* */) and white space are left out."""
    tokens = []
    place, line, start = 0, 1, 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:  # an open quote or an open comment
            what = "quoted text" if text[place] == '"' else "comment"
            raise FormatError(f"line {line}, column {place - start + 1}: this {what} is not closed.")
        kind, found = str(match.lastgroup), match[0]
        if kind == "quoted":
            found = _ESCAPE.sub(lambda escape: _UNESCAPED.get(escape[1], escape[1]), found[1:-1])
        if kind != "space":
            tokens.append(Token(kind, found, line, place - start + 1))
        if breaks := match[0].count("\n"):
            line += breaks
            start = place + match[0].rindex("\n") + 1
        place = match.end()
    return [*tokens, Token("end", "", line, place - start + 1)]


class Cursor:
    """A position in the tokens, with methods that read the next token or raise an error."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.position = 0

    def peek(self) -> Token:
        return self.tokens[self.position]

    def accept(self, sign: str) -> bool:
        token = self.peek()
        found = token.kind == "sign" and token.text == sign
        self.position += found
        return found

    def sign(self, sign: str) -> None:
        if not self.accept(sign):
            raise self.peek().error(f"expected {sign!r}, got {self.peek().shown}")

    def keyword(self, *words: str) -> Token:
        token = self.peek()
        if token.kind != "word" or token.text not in words:
            raise token.error(f"expected {' or '.join(map(repr, words))}, got {token.shown}")
        self.position += 1
        return token

    def word(self, what: str) -> Token:
        token = self.peek()
        if token.kind not in ("word", "quoted"):
            raise token.error(f"expected {what}, got {token.shown}")
        self.position += 1
        return token


def quoted_if_needed(text: str) -> str:
    """A name or level in a form that `tokenize` reads as the same text."""
    match = _TOKEN.fullmatch(text)
    if match is not None and match.lastgroup == "word":
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'
