"""Files of graphs, in the format that the extension of the file name stands for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bitsep.files import check_ending, utf8, write_file

if TYPE_CHECKING:
    from bitsep import DAG, Discovery

_BNLEARN = ".bnlearn"
_BIF = (".bif", ".bif.gz")
_PICTURES = (".png", ".svg", ".pdf", ".jpg", ".jpeg")
_PICTURE_HINT = "For a picture use --report graph.html, or d.plot().figure.savefig in Python."


def check_graph_format(path: Path) -> None:
    """Raise an error if the extension does not stand for a graph format."""
    from bitsep.graphs.exchange.methods import FORMATS

    if not _is_bif(path):
        hint = _PICTURE_HINT if path.suffix.lower() in _PICTURES else None
        check_ending(path, (*FORMATS, _BNLEARN, *_BIF), "--output", "a graph", hint)


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
    else:
        found.graph.save(path)


def write_model_string(dag: DAG, path: Path) -> None:
    """Write bnlearn's model string of a DAG."""
    write_file(path, utf8(dag.to_modelstring() + "\n"))


def _is_bif(path: Path) -> bool:
    return path.name.lower().endswith(_BIF)
