"""Checks of the variables in a query."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from bitsep.errors import ArgumentError
from bitsep.naming import Name, unknown_column


def merged_names(value: Name | Sequence[Name], argument: str, known: Collection[Name]) -> list[Name]:
    """One name, or the names of a list that is merged into one variable."""
    if isinstance(value, list) or (isinstance(value, tuple) and not _is_known(value, known)):
        if not value:
            raise ArgumentError(f"{argument}: must name at least one column, got an empty list.")
        if len(set(map(hashable, value))) < len(value):
            raise ArgumentError(f"{argument}: the columns must differ, got {value!r}.")
        return list(value)
    return [hashable(value)]


def names_of(given: Name | Sequence[Name] | None, known: Collection[Name]) -> list[Name]:
    """`given` as a list without repeated names; it can be a single name."""
    if given is None:
        return []
    if (
        isinstance(given, (str, bytes))
        or not isinstance(given, Iterable)
        or (isinstance(given, tuple) and _is_known(given, known))
    ):
        return [given]
    return list(dict.fromkeys(map(hashable, given)))


def hashable(name: Name) -> Name:
    """The name, if it can be one."""
    try:
        hash(name)
    except TypeError:
        raise ArgumentError(f"data: a column name must be hashable, got {name!r}.") from None
    return name


def _is_known(name: Name, known: Collection[Name]) -> bool:
    """Whether a tuple is a name; it can have members that cannot."""
    try:
        return name in known
    except TypeError:
        return False


def check_roles(x: Sequence[Name], y: Sequence[Name], given: Sequence[Name]) -> None:
    for name in x:
        if name in y:
            raise ArgumentError(f"x, y: must be different variables, got {name!r} in both.")
    for argument, group in (("x", x), ("y", y)):
        for name in group:
            if name in given:
                raise ArgumentError(f"{argument}: {name!r} is also in given.", hint="Take it out of one of them.")


def require_known(names: Iterable[Name], known: Collection[Name]) -> None:
    for name in names:
        if hashable(name) not in known:
            raise unknown_column("data", name, known)
