"""The origin of data as Python code that creates them again, so that a report can show how to repeat a run."""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass
from textwrap import indent
from typing import Any

import numpy as np

from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS
from bitsep.data.levels import DEFAULT_MISSING, level_text


@dataclass(frozen=True, slots=True)
class Origin:
    """A Python expression.

    Attributes
    ----------
    code : str
        The expression; data that were passed as an object (a data frame, a dict) are called `data`.
    complete : bool
        Whether the expression can be evaluated as it is; otherwise it needs that object.
    """

    code: str
    complete: bool


UNKNOWN = Origin("data", complete=False)

_DEFAULTS = {
    "columns": None,
    "comment": None,
    "decimal": ".",
    "delimiter": None,
    "encoding": "utf-8",
    "filesystem": None,
    "header": True,
    "max_float_levels": DEFAULT_MAX_FLOAT_LEVELS,
    "missing": DEFAULT_MISSING,
    "spill_folder": None,
    "text": False,
    "thousands": None,
    "weights": None,
}


_MAX_ENTRIES = 1000  # of a list in the expression: enough for names of columns, too few for weights of rows


def origin_of(data: Any) -> Origin:
    """The origin of data as passed by a caller: a path, or the origin that a table or scan has stored."""
    if isinstance(data, str | os.PathLike):
        return Origin(repr(os.fspath(data)), complete=True)
    known = getattr(data, "origin", None)  # a data frame can have a column of this name
    return known if isinstance(known, Origin) else UNKNOWN


def file_name(origin: Origin) -> str | None:
    """The name of the file that data were read from, without its folder; None if they were not read from a file.

    >>> file_name(call_of("bitsep.Table", origin_of("home/data.csv"), columns=["a", "b"]))
    'data.csv'
    """
    try:
        node: ast.expr | None = ast.parse(origin.code, mode="eval").body
    except SyntaxError:
        return None
    while isinstance(node, ast.Call):
        inner = node.func.value if isinstance(node.func, ast.Attribute) else None
        node = node.args[0] if node.args else inner
    return os.path.basename(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def call_of(function: str, source: Origin, **options: Any) -> Origin:
    """The call of a function on a source, without options that have their default.

    >>> print(call_of("bitsep.Table", origin_of("data.csv"), columns=["a", "b"], weights=None).code)
    bitsep.Table(
        'data.csv',
        columns=['a', 'b'],
    )
    """
    codes = {name: _literal(value) for name, value in options.items() if not _is_default(name, value)}
    complete = source.complete and None not in codes.values()
    if not codes:
        return Origin(f"{function}({source.code})", complete)
    lines = [source.code, *(f"{name}={'...' if code is None else code}" for name, code in codes.items())]
    return Origin(f"{function}(\n" + "".join(f"{indent(line, '    ')},\n" for line in lines) + ")", complete)


def method_of(source: Origin, method: str, names: tuple[Any, ...]) -> Origin:
    """The call of a method of the source with a list of names."""
    code = _literal(names)
    complete = source.complete and code is not None
    return Origin(f"{source.code}.{method}({'...' if code is None else code})", complete)


def _is_default(name: str, value: Any) -> bool:
    default = _DEFAULTS.get(name, ...)
    return value is default or (isinstance(value, int | str) and value == default)


def _literal(value: Any) -> str | None:
    """The value as Python code; None if that is not possible."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return level_text(value)
    if isinstance(value, os.PathLike):
        return repr(os.fspath(value))
    if isinstance(value, set | frozenset):
        value = sorted(value, key=level_text)
    if isinstance(value, list | tuple) and len(value) <= _MAX_ENTRIES:
        parts = [_literal(part) for part in value]
        return None if None in parts else f"[{', '.join(map(str, parts))}]"
    return None
