"""Immutable graphs and algorithms on them.

`DAG`, `PDAG`, `MAG` and `PAG` have variables in canonical order of their names. `orient` applies Meek's rules,
`compare` compares an estimate with the truth, `random_dag` makes random graphs. This package does not depend on data or
tests.
"""

from bitsep.graphs.comparison import GraphComparison, compare
from bitsep.graphs.dag import DAG
from bitsep.graphs.intervention import SidBounds
from bitsep.graphs.mag import MAG
from bitsep.graphs.meek import Orientation, orient
from bitsep.graphs.pag import PAG
from bitsep.graphs.pag_comparison import PagComparison
from bitsep.graphs.pdag import PDAG
from bitsep.graphs.randomness import random_dag

__all__ = [
    "DAG",
    "MAG",
    "PAG",
    "PDAG",
    "GraphComparison",
    "Orientation",
    "PagComparison",
    "SidBounds",
    "compare",
    "orient",
    "random_dag",
]
