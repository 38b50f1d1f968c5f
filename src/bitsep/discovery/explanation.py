"""Explanations as data: a template with values, which text, the report page and JSON are made from."""

from __future__ import annotations

from dataclasses import dataclass

from bitsep.naming import Name, shown_name

Value = tuple[Name, ...] | str
"""Variables, shown as "a, b and c", or "nothing" if there are none; or text, such as a number with its unit."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One or more sentences.

    Attributes
    ----------
    template : str
        The text, with ``{}`` for each value.
    values : tuple
        Tuples of names of variables, and texts.

    Examples
    --------
    >>> print(Explanation("{} have no edge: given {} they share {}.", (("a", "b"), ("c d",), "2.5 bits")))
    a and b have no edge: given 'c d' they share 2.5 bits.
    """

    template: str
    values: tuple[Value, ...] = ()

    @classmethod
    def of(cls, template: str, *values: Value | Explanation) -> Explanation:
        """An explanation whose values can be explanations too: their text becomes part of the template.

        >>> Explanation.of("{} share {}.", ("a", "b"), Explanation("{} bits", ("2.5",)))
        Explanation(template='{} share {} bits.', values=(('a', 'b'), '2.5'))
        """
        first, *parts = template.split("{}")
        text, flat = first, list[Value]()
        for value, part in zip(values, parts, strict=True):
            nested = value if isinstance(value, Explanation) else cls("{}", (value,))
            text += nested.template + part
            flat += nested.values
        return cls(text, tuple(flat))

    @classmethod
    def lines(cls, *explanations: Explanation) -> Explanation:
        """One explanation with a line for each of the explanations."""
        return cls.of("\n".join(["{}"] * len(explanations)), *explanations)

    def __str__(self) -> str:
        texts = [value if isinstance(value, str) else _listed(value) for value in self.values]
        return "".join(part + text for part, text in zip(self.template.split("{}"), [*texts, ""], strict=True))


def _listed(names: tuple[Name, ...]) -> str:
    *others, last = [shown_name(name) for name in names] or ["nothing"]
    return f"{', '.join(others)} and {last}" if others else last
