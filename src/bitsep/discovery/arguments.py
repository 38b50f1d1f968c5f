"""Checks of arguments that several searches share, and the engine that the arguments describe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bitsep.checks import integer, real_number
from bitsep.discovery.knowledge import Knowledge
from bitsep.errors import UnknownMethodError, UnsupportedTypeError
from bitsep.independence import Engine, open_engine
from bitsep.naming import did_you_mean


def engine_for(data: Any, method: Any, alpha: float | None, threads: int | None, options: dict[str, Any]) -> Engine:
    """The engine for these data; if `data` is an engine, it is returned unchanged."""
    if threads is not None:
        integer("threads", threads, at_least=1)
    if isinstance(data, Engine):
        return data
    return open_engine(data, method=method, alpha=alpha, threads=threads, **options)


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
