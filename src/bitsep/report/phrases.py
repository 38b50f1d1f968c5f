"""Sentences told many times: the words they share are kept once, with gaps for names and numbers.

A report explains every pair of variables. Thousands of explanations differ only in the names and numbers in them, so
each is kept as the number of a template and the fillings of its gaps. A filling that is a variable stays a reference to
it, which also lets the page set names apart from the sentence around them. Nothing is reworded: filling the gaps gives
back the text, letter for letter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

Filling = int | str
"""The number of a variable, or literal text."""

_UNIT = re.compile(r" (?:bits?|rows?|tests?|more|hold|do)\b")
"""After a number these say that it counts something, even where a variable has the number for its name."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text as a template and what fills its gaps."""

    template: int
    fillings: tuple[Filling, ...]


class Phrasebook:
    """Collects templates, in the order of their first use.

    Parameters
    ----------
    names : sequence of str
        The variables as texts mention them; a filling refers to them by place.

    Examples
    --------
    >>> book = Phrasebook(["A", "B"])
    >>> book.add("A and B share 3.5 bits.")
    Phrase(template=0, fillings=(0, 1, '3.5'))
    >>> book.templates
    (('', ' and ', ' share ', ' bits.'),)
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._variables: dict[str, int] = {}
        for variable, name in enumerate(names):
            self._variables.setdefault(name, variable)
        self._tokens = _tokens(names)
        self._numbers: dict[tuple[str, ...], int] = {}

    @property
    def templates(self) -> tuple[tuple[str, ...], ...]:
        """The fixed parts of each template; a gap lies between any two."""
        return tuple(self._numbers)

    def add(self, text: str, mentioned: Collection[int] | None = None) -> Phrase:
        """Take a text apart. `mentioned`: the variables it may name (all, without); a column may be called "edge"."""
        fixed: list[str] = []
        fillings: list[Filling] = []
        end = 0
        for token in self._tokens.finditer(text):
            variable = self._variables.get(token[0])
            if mentioned is not None and variable not in mentioned:
                variable = None
            if token["number"] is not None and (variable is None or _UNIT.match(text, token.end())):
                fillings.append(token[0])
            elif variable is not None:
                fillings.append(variable)
            else:
                continue
            fixed.append(text[end : token.start()])
            end = token.end()
        fixed.append(text[end:])
        return Phrase(self._numbers.setdefault(tuple(fixed), len(self._numbers)), tuple(fillings))

    def text(self, phrase: Phrase) -> str:
        """The text again."""
        fixed = self.templates[phrase.template]
        words = [self._names[word] if isinstance(word, int) else word for word in phrase.fillings]
        return "".join(part + word for part, word in zip(fixed, [*words, ""], strict=True))


def _tokens(names: Sequence[str]) -> re.Pattern[str]:
    """Finds what may be a name, and numbers. Names that are not one word are spelled out, the longest first."""
    spelled = sorted({name for name in names if name and not name.isidentifier()}, key=lambda name: (-len(name), name))
    odd = [rf"(?<!\w)(?:{'|'.join(map(re.escape, spelled))})(?!\w)"] if spelled else []
    number = r"(?P<number>(?<!\w)[+-]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]\d+)?(?!\w)%?)"
    return re.compile("|".join([number, *odd, r"\w+"]))
