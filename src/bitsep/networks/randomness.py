"""Random networks, for simulations and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bitsep.checks import integer
from bitsep.graphs import DAG
from bitsep.naming import Name, sorted_names
from bitsep.networks.network import Network


def random_network(dag: DAG, *, levels: int | Mapping[Name, int] = 2, seed: int = 0) -> Network:
    """A network with a given DAG and random tables, whose rows are uniform on all distributions.

    Parameters
    ----------
    dag : DAG
        The graph.
    levels : int or mapping from name to int
        The number of levels of the variables; levels are "0", "1", …
    seed : int
        The random seed.

    Returns
    -------
    Network

    Examples
    --------
    >>> from bitsep.graphs import random_dag
    >>> random_network(random_dag(5, seed=1), levels=3, seed=1).levels("X0")
    ('0', '1', '2')
    """
    start = integer("seed", seed, at_least=0)
    sizes = {}
    for variable in dag.variables:
        size = levels.get(variable, 0) if isinstance(levels, Mapping) else levels
        sizes[variable] = integer(f"levels: of {variable!r}" if isinstance(levels, Mapping) else "levels", size, 1)
    rng = np.random.Generator(np.random.PCG64(start))
    parents = {v: sorted_names(dag.parents(v)) for v in dag.variables}
    cpts = {}
    for v in dag.variables:
        # Normalized exponential random numbers are uniform on the simplex; 1 − u is never 0.
        weights = -np.log(1.0 - rng.random((*(sizes[p] for p in parents[v]), sizes[v]))) + np.finfo(float).tiny
        cpts[v] = weights / weights.sum(axis=-1, keepdims=True)
    return Network({v: [str(i) for i in range(size)] for v, size in sizes.items()}, parents, cpts, name="random")
