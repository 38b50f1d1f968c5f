"""Completions that the shell offers when the Tab key is pressed."""

from __future__ import annotations

from pathlib import Path

import typer

from bitsep.errors import BitsepError


def methods(incomplete: str) -> list[tuple[str, str]]:
    """The tests, each with its title."""
    from bitsep.independence import METHODS

    return [(name, method.title) for name, method in METHODS.items() if name.startswith(incomplete)]


def searches(incomplete: str) -> list[str]:
    """The searches for a graph."""
    from bitsep.discovery.recommended import ALGORITHMS

    return [name for name in ALGORITHMS if name.startswith(incomplete)]


def scores(incomplete: str) -> list[tuple[str, str]]:
    """The scores, each with its title."""
    from bitsep.scores import SCORES

    return [(name, method.title) for name, method in SCORES.items() if name.startswith(incomplete)]


def algorithms(incomplete: str) -> list[str]:
    """The algorithms that search for Markov blankets."""
    from bitsep.discovery.blankets.api import ALGORITHMS

    return [name for name in ALGORITHMS if name.startswith(incomplete)]


def networks(incomplete: str) -> list[str]:
    """The bundled networks."""
    from bitsep import network_names

    return [name for name in network_names() if name.startswith(incomplete)]


def columns(context: typer.Context, incomplete: str) -> list[str]:
    """The columns of the data file named earlier on the command line; none if it cannot be read."""
    from bitsep.data.readers.standard_input import is_standard_input
    from bitsep.shell.data import columns_of

    file = context.params.get("file")
    try:
        names = [] if file is None or is_standard_input(file) else columns_of(Path(file))
    except BitsepError:
        return []
    return [str(name) for name in names if str(name).startswith(incomplete)]
