"""Checks of arguments that several searches share, and the engine that the arguments describe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bitsep.checks import integer, real_number
from bitsep.data.contract import EncodedData
from bitsep.data.discretization import CutColumn, Discretization
from bitsep.data.discretization.choice import accepted, discretized, rules_of
from bitsep.data.discretization.request import target_in
from bitsep.data.load import encoded
from bitsep.data.profile import Alert, unsuitable_columns
from bitsep.discovery.columns import ColumnChoice
from bitsep.discovery.knowledge import Knowledge
from bitsep.discovery.limits import Limits
from bitsep.errors import DataError, UnknownMethodError, UnsupportedTypeError
from bitsep.independence import Engine, Oracle, open_engine
from bitsep.naming import Name, did_you_mean

_ALL_COLUMNS = ColumnChoice()


@dataclass(frozen=True, slots=True)
class Preparation:
    """What was done to the data before a search.

    Attributes
    ----------
    left_out : tuple of Alert
        The columns that cannot serve, with the reasons.
    discretized : tuple of CutColumn
        The columns that are divided into intervals.
    discretize : str or None
        The argument `discretize` as text; None if no column depends on it.
    """

    left_out: tuple[Alert, ...] = ()
    discretized: tuple[CutColumn, ...] = ()
    discretize: str | None = None


def engine_for(
    data: Any,
    method: Any,
    alpha: float | None,
    threads: int | None,
    options: dict[str, Any],
    limits: Limits,
    discretize: Any = None,
    columns: ColumnChoice = _ALL_COLUMNS,
    named: Iterable[Name] = (),
) -> tuple[Engine, Preparation]:
    """The engine for the columns of these data that can serve, and what was done to them.

    If `data` is an engine, it is returned unchanged. For `discretize`, `columns` and `named` see `usable_data`.
    """
    if threads is not None:
        integer("threads", threads, at_least=1)
    if isinstance(data, Engine):
        limits.refuse_for_engine()
        columns.refuse_for_engine()
        return data, Preparation()
    done = Preparation()
    if isinstance(data, Oracle):
        columns.refuse_for_engine()
    else:
        data, done = usable_data(data, discretize, columns, (*named, *limits.named), threads)
        data = limits.applied(data)
    engine = open_engine(data, method=method, alpha=alpha, threads=threads, min_effect=limits.min_effect, **options)
    return engine, done


def usable_data(
    data: Any, discretize: Any, columns: ColumnChoice, named: Iterable[Name], threads: int | None
) -> tuple[EncodedData, Preparation]:
    """The data with the columns that can serve in a search, discretized, and what was done to them.

    Parameters
    ----------
    data
        Any data that a search accepts, except an oracle.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals; see `bitsep.discretize`.
    columns : ColumnChoice
        Columns that the user wants to keep or to exclude.
    named : iterable of names
        Other columns that the user named: in the knowledge, as a target.
    threads : int, optional
        The number of threads.

    Raises
    ------
    DataError
        If no column can serve, or some of them look continuous and are not discretized.
    """
    wanted = Discretization.of(discretize)
    named = tuple(named)
    source = columns.selected(encoded(data), named)
    rules = rules_of(source, wanted, threads=threads)
    kept = {
        *columns.keep,
        *named,
        *wanted.named_in(source.names),
        *(target_in(source.names, one) for one in wanted.targets),
    }
    left_out = tuple(
        alert
        for alert in unsuitable_columns(source, threads)
        # Intervals make too many levels of numbers usable; frequencies belong to the weights in any case.
        if alert.column not in kept and (alert.column not in rules or alert.kind == "frequency")
    )
    if left_out:
        unusable = {alert.column for alert in left_out}
        used = [name for name in source.names if name not in unusable]
        if not used:
            raise DataError(
                f"data: no column can serve in a search; {left_out[0].message[:-1]}.",
                hint="Name the columns to keep with keep= (--keep in the shell), or give other columns.",
            )
        source = source.select(used)
        rules = {name: rule for name, rule in rules.items() if name not in unusable}
    source = accepted(discretized(source, rules, threads), rules)
    return source, Preparation(left_out, source.discretized, wanted.text if rules else None)


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
