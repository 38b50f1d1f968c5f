"""The tokens of a text format, with line and column, for recursive descent parsers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
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


def tokenize(text: str, pattern: re.Pattern[str], problem: Callable[[str], str]) -> Iterator[Token]:
    """The tokens except those of the group `space`, one after the other, with the end of the file as the last.

    The text after an error is not looked at. `problem` says what is wrong with a text whose beginning does not match
    the pattern.
    """
    place, line, start = 0, 1, 0
    while place < len(text):
        match = pattern.match(text, place)
        if match is None:
            raise Token("", "", line, place - start + 1).error(problem(text[place:]))
        if match.lastgroup != "space":
            yield Token(str(match.lastgroup), match[0], line, place - start + 1)
        if breaks := match[0].count("\n"):
            line += breaks
            start = place + match[0].rindex("\n") + 1
        place = match.end()
    yield Token("end", "", line, place - start + 1)


class Cursor:
    """A position in the tokens."""

    def __init__(self, tokens: Iterator[Token]) -> None:
        self._tokens = tokens
        self._next = next(tokens)
        self._after: Token | None = None

    def peek(self) -> Token:
        """The next token, which is not read."""
        return self._next

    def peek_after(self) -> Token:
        """The token after the next one; the end of the file is followed by itself."""
        if self._after is None:
            self._after = next(self._tokens, self._next)
        return self._after

    def advance(self) -> None:
        """Read the next token."""
        self._next, self._after = self.peek_after(), None

    def accept(self, text: str) -> bool:
        """Whether the next token is this sign or word, in any case and without quotes; it is then read."""
        token = self.peek()
        found = token.kind != "quoted" and token.text.lower() == text
        if found:
            self.advance()
        return found

    def expected(self, what: str) -> FormatError:
        """The error for a next token that is not what the format requires."""
        return self.peek().error(f"expected {what}, got {self.peek().shown}")
