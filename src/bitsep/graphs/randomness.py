"""Random graphs, for tests and simulations."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import cast

import numpy as np

from bitsep.checks import integer, real_number, shown, whole_number
from bitsep.errors import ArgumentError
from bitsep.graphs.base import canonical_variables
from bitsep.graphs.dag import DAG
from bitsep.naming import Name


def random_dag(variables: int | Iterable[Name], *, mean_degree: float = 2.0, seed: int = 0) -> DAG:
    """A random DAG: a random order of the variables, and an edge for each pair independently (Erdős–Rényi).

    Parameters
    ----------
    variables : int or iterable of names
        The names, or the number of variables (they are then named "X0", "X1", … with leading zeros for sorting).
    mean_degree : float
        The expected number of edges of a variable; with n − 1 or more every pair has an edge.
    seed : int
        The random seed. The same seed gives the same graph on any machine.

    Returns
    -------
    DAG
        The graph.

    Examples
    --------
    >>> random_dag(4, mean_degree=2, seed=1) == random_dag(4, mean_degree=2, seed=1)
    True
    """
    count = whole_number(variables)
    if count is not None:
        if count < 0:
            raise ArgumentError(f"variables: must be a list of names or an integer of at least 0, got {shown(count)}.")
        width = len(str(max(count - 1, 0)))
        variables = [f"X{i:0{width}d}" for i in range(count)]
    names = canonical_variables(cast(Iterable[Name], variables))
    n = len(names)
    degree = real_number(mean_degree)
    if degree is None or not 0 <= degree < math.inf:
        raise ArgumentError(f"mean_degree: must be a finite number of at least 0, got {shown(mean_degree)}.")
    probability = min(degree / max(n - 1, 1), 1.0)
    rng = np.random.Generator(np.random.PCG64(integer("seed", seed, at_least=0)))
    order = np.argsort(rng.random(n), kind="stable")
    first, second = np.triu_indices(n, k=1)
    chosen = rng.random(len(first)) < probability
    return DAG(names, [(names[order[i]], names[order[j]]) for i, j in zip(first[chosen], second[chosen], strict=True)])
