"""The score of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bitsep.figures import shown_bits
from bitsep.markup import html_table
from bitsep.naming import Name, shown_name


@dataclass(frozen=True, repr=False)
class GraphScore:
    """The code length of data given a DAG, in bits; lower is better.

    Attributes
    ----------
    bits : mapping from names to float
        The code length of each variable given its parents, with the structure code if `structure` is true.
    parents : mapping from names to tuples of names
        The parents of each variable.
    rows : mapping from names to int
        The number of rows that a variable and its parents have values in (a sum of weights). The code length of these
        rows is scaled to all rows in which the variable has a value (see `score`).
    n : int
        The number of rows (a sum of weights).
    score : str
        The name of the score.
    structure : bool
        Whether the structure code is included.
    options : mapping
        The options of the score.
    """

    bits: Mapping[Name, float]
    parents: Mapping[Name, tuple[Name, ...]]
    rows: Mapping[Name, int]
    n: int
    score: str
    structure: bool
    options: Mapping[str, Any]

    @property
    def total_bits(self) -> float:
        """The sum of all code lengths."""
        return sum(self.bits.values())

    def to_dict(self) -> dict[str, Any]:
        """The score as values that JSON can represent, with one entry per variable."""
        return {
            "schema": "bitsep/score",
            "schema_version": 1,
            "total_bits": self.total_bits,
            "score": self.score,
            "structure": self.structure,
            "options": dict(self.options),
            "n": self.n,
            "variables": [
                {"name": name, "parents": list(self.parents[name]), "bits": bits, "rows": self.rows[name]}
                for name, bits in self.bits.items()
            ],
        }

    def __repr__(self) -> str:
        return f"<GraphScore: {shown_bits(self.total_bits)} bits, {self.score}, {len(self.bits)} variables>"

    def __str__(self) -> str:
        lines = [
            f"{shown_bits(self.total_bits)} bits ({self.score}{', with structure code' if self.structure else ''})"
        ]
        width = max((len(shown_name(name)) for name in self.bits), default=0)
        for name, bits in self.bits.items():
            given = ", ".join(map(shown_name, self.parents[name]))
            lines.append(
                f"  {shown_name(name):<{width}}  {shown_bits(bits):>12}" + (f"  given {given}" if given else "")
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [
            (shown_name(name), ", ".join(map(shown_name, self.parents[name])), shown_bits(bits))
            for name, bits in self.bits.items()
        ]
        return html_table(repr(self)[1:-1], ("variable", "parents", "bits"), rows, numbers=(2,))

    def __reduce__(self) -> tuple[Any, ...]:
        mappings = (dict(self.bits), dict(self.parents), dict(self.rows))
        return _restored, (*mappings, self.n, self.score, self.structure, dict(self.options))


def _restored(
    bits: dict[Name, float],
    parents: dict[Name, tuple[Name, ...]],
    rows: dict[Name, int],
    n: int,
    score: str,
    structure: bool,
    options: dict[str, Any],
) -> GraphScore:
    read_only = MappingProxyType
    return GraphScore(read_only(bits), read_only(parents), read_only(rows), n, score, structure, read_only(options))
