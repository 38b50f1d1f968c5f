"""Graphs as frozen values, and what one asks of them.

`DAG` and `PDAG` hold variables in canonical order of their names. `orient` applies Meek's rules, `compare` measures an
estimate against the truth, `random_dag` makes graphs to try things on. A leaf: nothing here knows data or tests.
"""

from bitsep.graphs.comparison import GraphComparison, compare
from bitsep.graphs.dag import DAG
from bitsep.graphs.intervention import SidBounds
from bitsep.graphs.meek import Orientation, orient
from bitsep.graphs.pdag import PDAG
from bitsep.graphs.randomness import random_dag

__all__ = ["DAG", "PDAG", "GraphComparison", "Orientation", "SidBounds", "compare", "orient", "random_dag"]
