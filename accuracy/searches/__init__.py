"""The searches by name, of bitsep and of other libraries.

A search is written ``name`` or ``name:option=value,option=value``:

- ``discover``, ``boss``, ``hill_climb``, ``pc_stable``: a function of bitsep, with one thread;
- ``pyagrum.tabu`` and the like: a function in the file of that library in this folder;
- ``module.function``: any other function, for experiments.

Each function takes a data frame and options, and returns a `bitsep.Discovery`, a PDAG or a DAG.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

import pandas as pd

import bitsep
from bitsep.errors import ArgumentError

SEARCHES_OF_BITSEP = ("discover", "boss", "hill_climb", "pc_stable")

PEERS = {"pyagrum": "pyAgrum", "causallearn": "causal-learn", "pgmpy": "pgmpy"}
"""Other libraries: the name of the module, and the name of the distribution."""

SEARCHES_OF_PEERS = {
    "pyagrum": ("hill_climb", "tabu", "miic"),
    "causallearn": ("ges", "pc"),
    "pgmpy": ("hill_climb", "ges"),
}


@dataclass(frozen=True)
class Search:
    """A search with its options; made by `parse`."""

    text: str
    library: str
    function: str
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def is_peer(self) -> bool:
        """Whether it is a search of another library."""
        return self.library in PEERS

    @property
    def missing(self) -> str | None:
        """Why the search cannot run here; None if it can."""
        if self.library == "bitsep":
            return None if hasattr(bitsep, self.function) else f"bitsep has no function {self.function!r}."
        if importlib.util.find_spec(self.library.partition(".")[0]) is None:
            return f"{PEERS.get(self.library, self.library)} is not installed."
        return None

    @property
    def version(self) -> str:
        """The version of the library; empty if it has none."""
        if self.library == "bitsep":
            return bitsep.__version__
        return metadata.version(PEERS[self.library]) if self.is_peer else ""

    def prepare(self) -> Callable[[pd.DataFrame], Any]:
        """Import the library; returns the search as a function of the data frame."""
        if self.missing is not None:
            raise ArgumentError(f"search: {self.text!r} cannot run; {self.missing}")
        if self.library == "bitsep":
            search = getattr(bitsep, self.function)
            return lambda frame: _complete(search(frame, threads=1, **self.options))
        module = f"accuracy.searches.{self.library}_searches" if self.is_peer else self.library
        search = getattr(importlib.import_module(module), self.function)
        return lambda frame: search(frame, **self.options)


def parse(text: str) -> Search:
    """Read a search, for instance ``boss:score=fnml,starts=5``."""
    name, _, tail = text.partition(":")
    library, _, function = name.rpartition(".")
    if library in PEERS:
        known = tuple(f"{library}.{one}" for one in SEARCHES_OF_PEERS[library])
    else:
        known = (name,) if library else SEARCHES_OF_BITSEP
    if name not in known:
        raise ArgumentError(
            f"search: unknown search {name!r}; must be one of {', '.join(map(repr, known))}.",
            hint="Name a function of your own as module.function.",
        )
    return Search(text, library or "bitsep", function, dict(_option(part) for part in tail.split(",") if part))


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        raise ArgumentError(f"search: options must be written name=value, got {text!r}.")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def _complete(found: bitsep.Discovery) -> bitsep.Discovery:
    """Compute the graph, which is computed lazily, while the time is measured."""
    _ = found.graph
    return found
