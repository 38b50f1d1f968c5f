"""Which columns of a source are read: checks their names before anything is converted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bitsep.errors import ArgumentError, DataError, UnknownColumnError
from bitsep.naming import Name, did_you_mean, name_key


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
            raise DataError("data: there are no columns.")
        refuse_duplicates(names)
        if self.weights is not None and self.weights not in names:
            raise UnknownColumnError(
                f"weights: no column {self.weights!r}. {did_you_mean(self.weights, names)}".rstrip()
            )
        if self.columns is None:
            if self.weights is not None and len(names) == 1:
                raise DataError(f"data: there are no columns besides the weights, {self.weights!r}.")
            return names
        known = set(names)
        for name in self.columns:
            if name not in known:
                raise UnknownColumnError(f"No column {name!r}. {did_you_mean(name, names)}".rstrip())
        wanted = set(self.columns)
        if self.weights is not None:
            if self.weights in wanted:
                raise ArgumentError(f"Column {self.weights!r} holds the weights and cannot be a variable as well.")
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
                f"Column name {name!r} occurs twice (columns {earlier + 1} and {place + 1}). Rename one of them."
            )
