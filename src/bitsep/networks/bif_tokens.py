"""The tokens of a BIF file, with line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bitsep.graphs.exchange.tokens import Cursor, Token, tokenize

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)"
    r'|(?P<quoted>"(?:[^"\\]|\\.)*+")'
    r"|(?P<sign>[{}()\[\];,|])"
    r'|(?P<word>(?:(?!//|/\*)[^\s{}()\[\];,|"])++)',
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def bif_tokens(text: str) -> Iterator[Token]:
    """The tokens; quoted text has no quotes and escape sequences. Comments (// and /* */) are left out."""
    for token in tokenize(text, _TOKEN, _not_closed):
        yield replace(token, text=_unquoted(token.text)) if token.kind == "quoted" else token


def _not_closed(rest: str) -> str:
    what = "quoted text" if rest.startswith('"') else "comment"
    return f"this {what} is not closed"


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(lambda escape: _UNESCAPED.get(escape[1], escape[1]), text[1:-1])


class BifCursor(Cursor):
    """A position in the tokens, with methods that read the next token or raise an error."""

    def sign(self, sign: str) -> None:
        if not self.accept(sign):
            raise self.expected(repr(sign))

    def keyword(self, *words: str) -> Token:
        token = self.peek()
        if token.kind != "word" or token.text not in words:
            raise self.expected(" or ".join(map(repr, words)))
        self.advance()
        return token

    def word(self, what: str) -> Token:
        token = self.peek()
        if token.kind not in ("word", "quoted"):
            raise self.expected(what)
        self.advance()
        return token


def quoted_if_needed(text: str) -> str:
    """A name or level in a form that `bif_tokens` reads as the same text."""
    match = _TOKEN.fullmatch(text)
    if match is not None and match.lastgroup == "word":
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'
