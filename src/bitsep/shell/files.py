"""Files that are there in full or not at all, and the graph formats by their endings."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bitsep.errors import ArgumentError, ReadError

if TYPE_CHECKING:
    from bitsep import PDAG

_BNLEARN = ".bnlearn"
_GRAPHS = (".dot", ".gv", ".graphml", ".json", ".txt", ".edges", _BNLEARN)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes the place of `path` once all is written, and goes if anything fails.

    It ends like `path`, because what writes it may tell the format by the ending.
    """
    check_place(path)
    try:
        handle, name = tempfile.mkstemp(prefix=".bitsep-", suffix="".join(path.suffixes[-2:]), dir=path.parent)
    except OSError as error:
        raise ReadError(f"{str(path)!r} cannot be written: {error.strerror}.") from error
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        _like_any_new_file(draft)
        draft.replace(path)
    except OSError as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{str(path)!r} cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def _like_any_new_file(draft: Path) -> None:
    """Temporary files are private; a result has the permissions the user's umask gives."""
    mask = os.umask(0)
    os.umask(mask)
    draft.chmod(0o666 & ~mask)


def check_place(path: Path) -> None:
    """Refuse a path at which no file can be: better before the work than after it."""
    if path.is_dir():
        raise ReadError(f"{str(path)!r} is a directory; name a file in it.")
    if not path.parent.is_dir():
        raise ReadError(f"There is no directory {str(path.parent)!r} for {path.name!r}; make it first.")


def check_graph_format(path: Path) -> None:
    """Refuse an ending that names no graph format."""
    if path.suffix.lower() not in _GRAPHS:
        raise ArgumentError(f"--output: {path.name!r} ends in no graph format. Use one of {', '.join(_GRAPHS)}.")


def write_graph(graph: PDAG, path: Path) -> None:
    """Write the graph in the format its ending names; a model string holds one of the DAGs the graph stands for."""
    if path.suffix.lower() != _BNLEARN:
        graph.save(path)
        return
    dag = graph.consistent_extension()
    if dag is None:
        raise ArgumentError(
            "--output: the graph found stands for no DAG, so no .bnlearn file can hold it; write .txt, .dot, .graphml "
            "or .json, which hold any graph. Another --orientation, or arrows known to you (--required, --knowledge), "
            "may give a graph that stands for a DAG."
        )
    path.write_text(dag.to_modelstring() + "\n", encoding="utf-8")
