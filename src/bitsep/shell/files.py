"""Files of graphs, in the format that the extension of the file name stands for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitsep.errors import FormatError, ReadError, cause
from bitsep.files import check_ending, utf8, write_file
from bitsep.optional import require

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitsep import DAG, PAG, PDAG, Discovery

_BNLEARN = ".bnlearn"
_BIF = (".bif", ".bif.gz")
_PICTURES = (".svg", ".png", ".pdf")


def check_graph_format(path: Path) -> None:
    """Raise an error if the extension does not stand for a graph format."""
    from bitsep.graphs.exchange.methods import FORMATS

    if not _is_bif(path):
        check_ending(path, (*FORMATS, _BNLEARN, *_BIF, *_PICTURES), "--output", "a graph")
    if path.suffix.lower() in _PICTURES:
        require("igraph", "--output", "report")


def needs_dag(path: Path) -> bool:
    """Whether the format of the extension can only represent a DAG."""
    return path.suffix.lower() == _BNLEARN or _is_bif(path)


def write_graph(found: Discovery, path: Path) -> None:
    """Write the graph, or its DAG if the format needs one, in the format of the extension."""
    if _is_bif(path):
        from bitsep import Network

        Network.fit(found).to_bif(path)
    elif needs_dag(path):
        write_model_string(found.to_dag(), path)
    elif path.suffix.lower() in _PICTURES:
        found.save_picture(path)
    elif path.suffix.lower() in (".dot", ".gv"):
        write_file(path, utf8(found.to_dot()))
    elif path.suffix.lower() == ".graphml":
        write_file(path, utf8(found.to_graphml()))
    else:
        found.graph.save(path)


def write_model_string(dag: DAG, path: Path) -> None:
    """Write bnlearn's model string of a DAG."""
    write_file(path, utf8(dag.to_modelstring() + "\n"))


def read_graph(path: Path, argument: str = "graph") -> Any:
    """The graph of a file in the format of its extension: a PDAG, PAG, DAG or Network, or a Discovery in JSON."""
    try:
        return _read(path, argument)
    except FormatError as error:  # says which of the files is wrong
        hint = f"Correct {path.name!r}." + (f" {error.hint}" if error.hint else "")
        raise FormatError(error.message, hint=hint) from error


def _read(path: Path, argument: str) -> Any:
    import bitsep
    from bitsep.graphs.exchange.methods import FORMATS

    if _is_bif(path):
        return bitsep.read_bif(path)
    check_ending(path, (*FORMATS, _BNLEARN, *_BIF), argument, "a graph")
    suffix = path.suffix.lower()
    if suffix not in (_BNLEARN, ".json"):
        return _narrowed(bitsep.PAG.load(path), bitsep.PDAG.load, path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ReadError(f"{argument}: {str(path)!r} cannot be read: {cause(error)}.") from error
    except UnicodeDecodeError:
        raise FormatError(f"{argument}: {str(path)!r} is not UTF-8 text.") from None
    if suffix == _BNLEARN:
        return bitsep.DAG.from_modelstring(text.strip())
    try:
        return _narrowed(bitsep.PAG.from_json(text), bitsep.PDAG.from_json, text)
    except FormatError as error:
        try:
            return bitsep.Discovery.from_json(text)  # what `bitsep discover --json` prints
        except FormatError:
            raise error from None


def _narrowed(graph: PAG, read: Callable[[Any], PDAG], source: Path | str) -> PAG | PDAG:
    """The graph as a PDAG, unless it has edges that only a PAG has."""
    return read(source) if all(sign in ("→", "—") for _, sign, _ in graph.edge_lines()) else graph


def _is_bif(path: Path) -> bool:
    return path.name.lower().endswith(_BIF)
