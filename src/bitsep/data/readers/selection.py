"""Which columns of a source are read: checks their names before anything is converted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bitsep.errors import ArgumentError, DataError
from bitsep.naming import Name, name_key, unknown_column


@dataclass(frozen=True, slots=True)
class Selection:
    """The columns the caller wants (None: all), and the one that holds the weights, if one does."""

    columns: tuple[Name, ...] | None = None
    weights: Name | None = None

    def pick(self, names: Iterable[Name]) -> tuple[Name, ...]:
        """The names to read, in the order of the source, the weights column among them.

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
        wanted = set(self.columns)
        if self.weights is not None:
            if self.weights in wanted:
                raise ArgumentError(
                    f"weights: column {self.weights!r} is also in columns; weights cannot be a variable as well.",
                    hint="Take it out of one of them.",
                )
            wanted.add(self.weights)
        return tuple(name for name in names if name in wanted)


def refuse_duplicates(names: tuple[Name, ...]) -> None:
    """Raise if two columns have the same name, or names that print the same (1.5 and "1.5") and so have no order."""
    if len(set(names)) == len(names) and set(map(type, names)) == {str}:
        return
    first: dict[tuple[int, int, str], int] = {}
    for place, name in enumerate(names):
        earlier = first.setdefault(name_key(name), place)
        if earlier != place:
            raise DataError(
                f"data: columns {earlier + 1} and {place + 1} have the same name {name!r}.", hint="Rename one of them."
            )
