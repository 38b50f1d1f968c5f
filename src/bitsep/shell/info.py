"""`bitsep info`: version, kernel, tests, networks and libraries of this installation."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any

from bitsep.processors import available_processors
from bitsep.shell.data import Json
from bitsep.shell.terminal import output, print_json

EXAMPLES = """Examples

$ bitsep info

$ bitsep info --json"""

_LIBRARIES = ("numpy", "pandas", "pyarrow", "narwhals", "typer", "rich")
_OPTIONAL = (
    "matplotlib", "igraph", "networkx", "polars", "duckdb", "pyspark", "scikit-learn", "causal-learn", "pgmpy",
    "tigramite",
)  # fmt: skip


def info(as_json: Json = False) -> None:
    """Show the version, the counting kernel, the tests, scores, searches, networks and libraries."""
    found = _facts()
    if as_json:
        print_json("bitsep.info", found)
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in found.items():
        table.add_row(name.replace("_", " "), Text(_shown(value)))
    output().print(table)


def _facts() -> dict[str, Any]:
    import bitsep
    from bitsep import _native
    from bitsep.discovery import recommended
    from bitsep.discovery.blankets.api import ALGORITHMS
    from bitsep.independence import METHODS
    from bitsep.scores import SCORES

    return {
        "version": bitsep.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "kernel": _native.active_kernel(),
        "available_kernels": list(_native.available_kernels()),
        "threads": available_processors(),
        "methods": {name: method.title for name, method in METHODS.items()},
        "scores": {name: method.title for name, method in SCORES.items()},
        "searches": list(recommended.ALGORITHMS),
        "blanket_algorithms": list(ALGORITHMS),
        "networks": list(bitsep.network_names()),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "optional_libraries": {name: _version(name) for name in _OPTIONAL},
    }


def _version(library: str) -> str | None:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "\n".join(f"{name:<18} {'not installed' if entry is None else entry}" for name, entry in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)
