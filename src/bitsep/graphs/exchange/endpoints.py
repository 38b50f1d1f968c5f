"""The matrix of marks that causal-learn uses: entry (i, j) is the mark at i of the edge between i and j.

-1 is a tail, 1 an arrowhead, 2 a circle, 0 stands for no edge.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs.base import Edges, Graph
from bitsep.graphs.end_marks import SIGNS, Mark
from bitsep.graphs.exchange.signs import with_marks
from bitsep.naming import Name

_CODES: dict[Mark, int] = {"tail": -1, "arrow": 1, "circle": 2}
_MARKS = {code: mark for mark, code in _CODES.items()}


def to_array(graph: Graph) -> npt.NDArray[np.int64]:
    """The matrix, in the order of the variables."""
    place = {name: i for i, name in enumerate(graph.variables)}
    matrix = np.zeros((len(place), len(place)), np.int64)
    for a, sign, b in graph.edge_lines():
        first, second = SIGNS[sign]
        matrix[place[a], place[b]], matrix[place[b], place[a]] = _CODES[first], _CODES[second]
    return matrix


def from_array(matrix: Any, variables: Iterable[Name]) -> Edges:
    """The edges of a matrix, whose rows and columns stand for these variables, in their order."""
    names = list(variables)
    try:
        cells = np.asarray(getattr(matrix, "graph", matrix))
    except ValueError:
        raise UnsupportedTypeError("graph: must be a square matrix of marks.") from None
    if cells.shape != (len(names), len(names)):
        raise ArgumentError(
            f"graph: must be a square matrix with a row per variable, {len(names)} by {len(names)}, got {cells.shape}."
        )
    edges = []
    for i, j in zip(*np.nonzero(np.triu((cells != 0) | (cells.T != 0), 1)), strict=True):
        marks = [_MARKS.get(code) for code in (cells[i, j].item(), cells[j, i].item())]
        if marks[0] is None or marks[1] is None:
            got = [cells[i, j].item(), cells[j, i].item()]
            raise ArgumentError(f"graph: both marks of an edge must be -1 (tail), 1 (arrow) or 2 (circle), got {got}.")
        edges.append(with_marks(names[i], marks[0], marks[1], names[j]))
    return names, edges
