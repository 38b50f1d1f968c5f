"""Files of graphs, in the format that the extension of the file name stands for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bitsep.errors import ArgumentError
from bitsep.files import check_ending, utf8, write_file

if TYPE_CHECKING:
    from bitsep import PDAG

_BNLEARN = ".bnlearn"


def check_graph_format(path: Path) -> None:
    """Raise an error if the extension does not stand for a graph format."""
    from bitsep.graphs.exchange.methods import FORMATS

    check_ending(path, (*FORMATS, _BNLEARN), "--output", "a graph")


def write_graph(graph: PDAG, path: Path) -> None:
    """Write the graph in the format of the extension; a model string contains one DAG that the graph represents."""
    if path.suffix.lower() != _BNLEARN:
        graph.save(path)
        return
    dag = graph.consistent_extension()
    if dag is None:
        raise ArgumentError(
            "--output: the graph found does not stand for a DAG, which a .bnlearn file needs.",
            hint="Write .txt, .dot, .graphml or .json, which can represent any graph. Another --orientation, or arrows "
            "known to you (--required, --knowledge), may give a graph that stands for a DAG.",
        )
    write_file(path, utf8(dag.to_modelstring() + "\n"))
