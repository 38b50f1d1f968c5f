"""Checks of arguments that several searches share, and the engine that the arguments describe."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from bitsep.checks import integer, real_number, shown
from bitsep.data.contract import EncodedData
from bitsep.data.load import encoded
from bitsep.data.profile import Alert, unsuitable_columns
from bitsep.discovery.knowledge import Knowledge
from bitsep.discovery.limits import Limits
from bitsep.errors import DataError, UnknownMethodError, UnsupportedTypeError
from bitsep.independence import Engine, Oracle, open_engine
from bitsep.naming import Name, did_you_mean, unknown_column


def engine_for(
    data: Any,
    method: Any,
    alpha: float | None,
    threads: int | None,
    options: dict[str, Any],
    limits: Limits,
    keep: Any = None,
    named: Iterable[Name] = (),
) -> tuple[Engine, tuple[Alert, ...]]:
    """The engine for the columns of these data that can serve, and why the others were left out.

    If `data` is an engine, it is returned unchanged. For `keep` and `named` see `usable_columns`.
    """
    if threads is not None:
        integer("threads", threads, at_least=1)
    if isinstance(data, Engine):
        limits.refuse_for_engine()
        return data, ()
    left_out: tuple[Alert, ...] = ()
    if not isinstance(data, Oracle):
        data, left_out = usable_columns(encoded(data), keep, (*named, *limits.named), threads)
        data = limits.applied(data)
    engine = open_engine(data, method=method, alpha=alpha, threads=threads, min_effect=limits.min_effect, **options)
    return engine, left_out


def usable_columns(
    data: EncodedData, keep: Any, named: Iterable[Name], threads: int | None
) -> tuple[EncodedData, tuple[Alert, ...]]:
    """The data without the columns that cannot serve in a search, and the reasons.

    Parameters
    ----------
    data : EncodedData
        The data.
    keep : name or names, optional
        Columns that the user wants to keep.
    named : iterable of names
        Other columns that the user named: in the knowledge, as a target.
    threads : int, optional
        The number of threads.
    """
    names = kept_names(keep)
    for name in names:
        if name not in data.names:
            raise unknown_column("keep", name, data.names)
    kept = {*names, *named}
    left_out = tuple(alert for alert in unsuitable_columns(data, threads) if alert.column not in kept)
    if not left_out:
        return data, ()
    unusable = {alert.column for alert in left_out}
    used = [name for name in data.names if name not in unusable]
    if not used:
        raise DataError(
            f"data: no column can serve in a search; {left_out[0].message[:-1]}.",
            hint="Name the columns to keep with keep= (--keep in the shell), or give other columns.",
        )
    return data.select(used), left_out


def kept_names(keep: Any) -> tuple[Name, ...]:
    """The argument `keep` as names; it can be a single name."""
    if keep is None:
        return ()
    if isinstance(keep, str | bytes) or not isinstance(keep, Iterable):
        return (keep,)
    names = tuple(keep)
    for name in names:
        if not isinstance(name, Hashable):
            raise UnsupportedTypeError(f"keep: must have names of columns, got {shown(name)}.")
    return tuple(dict.fromkeys(names))


def one_of(name: str, value: Any, known: Iterable[str]) -> None:
    """Check that a value is one of the known words."""
    words = list(known)
    if value not in words:
        raise UnknownMethodError(f"{name}: unknown value {value!r}.", hint=did_you_mean(value, words))


def checked_knowledge(knowledge: Any) -> Knowledge | None:
    """Check that this is background knowledge or None."""
    if knowledge is not None and not isinstance(knowledge, Knowledge):
        raise UnsupportedTypeError(f"knowledge: must be a bitsep.Knowledge, got {type(knowledge).__name__}.")
    return knowledge


def plain_value(value: Any) -> Any:
    """An option as a value that JSON can represent."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    number = real_number(value)
    return repr(value) if number is None else number
