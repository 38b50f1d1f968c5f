"""The selection of columns to read; names are checked before anything is converted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bitsep.errors import ArgumentError, DataError
from bitsep.naming import Name, is_no_name, name_key, unknown_column


@dataclass(frozen=True, slots=True)
class Selection:
    """The columns to read (None: all), and the column of weights, if any."""

    columns: tuple[Name, ...] | None = None
    weights: Name | None = None

    def pick(self, names: Iterable[Name]) -> tuple[Name, ...]:
        """The names to read, in the order of the source, including the column of weights.

        >>> Selection(("c", "a"), "n").pick(["a", "b", "c", "n"])
        ('a', 'c', 'n')
        """
        names = tuple(names)
        if not names:
            raise DataError("data: no columns; at least one is needed.")
        refuse_duplicates(names)
        if self.weights is not None and self.weights not in names:
            raise unknown_column("weights", self.weights, names)
        if self.columns is None:
            if self.weights is not None and len(names) == 1:
                raise DataError(f"data: no columns besides the weights, {self.weights!r}; at least one is needed.")
            return names
        known = set(names)
        for name in self.columns:
            if name not in known:
                raise unknown_column("columns", name, names)
        chosen = set(self.columns)
        if self.weights is not None:
            if self.weights in chosen:
                raise ArgumentError(
                    f"weights: column {self.weights!r} is also in columns; weights cannot be a variable as well.",
                    hint="Take it out of one of them.",
                )
            chosen.add(self.weights)
        return tuple(name for name in names if name in chosen)


def refuse_duplicates(names: tuple[Name, ...]) -> None:
    """Raise an error if two columns have the same name: equal (1 and True) or with the same text (1.5 and "1.5")."""
    if len(set(names)) == len(names) and set(map(type, names)) == {str}:
        return
    same_text: dict[tuple[int, int, str], int] = {}
    equal: dict[Name, int] = {}
    for index, name in enumerate(names):
        if is_no_name(name):
            raise DataError(f"data: column {index + 1} has no name, but {name!r}.", hint="Name it.")
        earlier = min(same_text.setdefault(name_key(name), index), equal.setdefault(name, index))
        if earlier != index:
            raise DataError(
                f"data: columns {earlier + 1} and {index + 1} have the same name {name!r}.", hint="Rename one of them."
            )
