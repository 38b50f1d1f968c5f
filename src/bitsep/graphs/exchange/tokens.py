"""The tokens of a text format, with line and column, for recursive descent parsers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bitsep.errors import FormatError


@dataclass(frozen=True, slots=True)
class Token:
    """A part of the text; `kind` is the name of the group of the pattern that matched it, or "end"."""

    kind: str
    text: str
    line: int
    column: int

    @property
    def shown(self) -> str:
        return "the end of the file" if self.kind == "end" else repr(self.text)

    def error(self, problem: str, hint: str | None = None) -> FormatError:
        return FormatError(f"line {self.line}, column {self.column}: {problem}.", hint=hint)


def tokenize(text: str, pattern: re.Pattern[str], problem: Callable[[str], str]) -> list[Token]:
    """All tokens except those of the group `space`, with the end of the file as the last.

    `problem` says what is wrong with a text whose beginning does not match the pattern.
    """
    tokens = []
    place, line, start = 0, 1, 0
    while place < len(text):
        match = pattern.match(text, place)
        if match is None:
            raise Token("", "", line, place - start + 1).error(problem(text[place:]))
        if match.lastgroup != "space":
            tokens.append(Token(str(match.lastgroup), match[0], line, place - start + 1))
        if breaks := match[0].count("\n"):
            line += breaks
            start = place + match[0].rindex("\n") + 1
        place = match.end()
    return [*tokens, Token("end", "", line, place - start + 1)]


class Cursor:
    """A position in the tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.position = 0

    def peek(self) -> Token:
        return self.tokens[self.position]

    def accept(self, text: str) -> bool:
        """Whether the next token is this sign or word, in any case and without quotes; it is then read."""
        token = self.peek()
        found = token.kind != "quoted" and token.text.lower() == text
        self.position += found
        return found

    def expected(self, what: str) -> FormatError:
        """The error for a next token that is not what the format requires."""
        return self.peek().error(f"expected {what}, got {self.peek().shown}")
