"""One documented error: a call that raises it, and how its message begins."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import bitsep


class Case(NamedTuple):
    """`function` is the name of what documents the error, in `bitsep`; `call` gets an empty folder."""

    function: str
    kind: type[bitsep.BitsepError]
    message: str
    call: Callable[[Path], Any]


def cases(function: str, *rows: tuple[type[bitsep.BitsepError], str, Callable[[Path], Any]]) -> list[Case]:
    """The cases of one function."""
    return [Case(function, *row) for row in rows]


NAMES = ("a", "b", "c")
CHAIN = bitsep.DAG(NAMES, [("a", "b"), ("b", "c")])


@cache
def table() -> Any:
    """200 rows of a chain a → b → c with two levels each."""
    return bitsep.Network(
        {name: ["0", "1"] for name in NAMES},
        {"a": [], "b": ["a"], "c": ["b"]},
        {"a": [0.5, 0.5], "b": [[0.9, 0.1], [0.2, 0.8]], "c": [[0.9, 0.1], [0.2, 0.8]]},
    ).sample(200, seed=1)


@cache
def found() -> Any:
    """A discovery in this table."""
    return bitsep.pc_stable(table())


@cache
def found_with_hidden() -> Any:
    """A discovery whose graph is a PAG."""
    return bitsep.fci(table())


@cache
def network() -> Any:
    """The fitted chain."""
    return bitsep.Network.fit(CHAIN, table())


def continuous() -> dict[str, list[float]]:
    """A table with a column that looks continuous."""
    return {"a": [0, 1] * 500, "b": [i + 0.25 + 0.001 * (i % 7) for i in range(1000)]}


class Criterion:
    """A test written in Python, without an identity."""

    name = "mine"

    def judge(self, counts: Any) -> Any:
        return bitsep.Judgment(p_value=0.5)


def file(folder: Path, name: str, text: str | bytes) -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
