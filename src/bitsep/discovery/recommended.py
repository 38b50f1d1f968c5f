"""The recommended search for a graph, and every other search by its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bitsep.data.discretization.request import AUTO, Discretization
from bitsep.discovery.arguments import one_of
from bitsep.discovery.climbing import hill_climb
from bitsep.discovery.hidden_variables import fci
from bitsep.discovery.orders import boss
from bitsep.discovery.pc import pc_stable
from bitsep.discovery.result import Discovery
from bitsep.errors import ArgumentError

ALGORITHMS: Mapping[str, Callable[..., Discovery]] = MappingProxyType(
    {"boss": boss, "hill_climb": hill_climb, "pc_stable": pc_stable, "fci": fci}
)

RECOMMENDED = "boss"


def discover(data: Any, algorithm: str | None = None, discretize: Any = "auto", **options: Any) -> Discovery:
    """Learn a causal graph with the recommended search, or with another one by its name.

    Parameters
    ----------
    data : table, path, Table, scan, Spark data frame
        Any data that `independence_test` accepts.
    algorithm : {"boss", "hill_climb", "pc_stable", "fci"}, optional
        The search; default: boss, the most accurate one in the accuracy benchmark. Only fci allows for hidden common
        causes.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals: a method of `bitsep.discretize`, for all columns that look
        continuous or by column; columns that are not named are discretized automatically. None: columns that look
        continuous are an error.
    **options
        The arguments of the function with this name: `boss`, `hill_climb`, `pc_stable` or `fci`.

    Returns
    -------
    Discovery
        The graph, and the evidence for every edge and every missing edge.

    Raises
    ------
    ArgumentError
        If the algorithm is unknown, or it does not have one of the arguments.

    Examples
    --------
    >>> import bitsep
    >>> d = bitsep.discover(bitsep.load_network("cancer").sample(10_000, seed=1))
    >>> d
    <Discovery: 5 variables, 4 edges, boss, sparse_qnml>
    """
    name = RECOMMENDED if algorithm is None else algorithm
    one_of("algorithm", name, ALGORITHMS)
    for option in options:
        owners = [other for other in ALGORITHMS if option in inspect.signature(ALGORITHMS[other]).parameters]
        if owners and name not in owners:
            raise ArgumentError(
                f"{option}: {name} has no such argument; it belongs to {' and '.join(owners)}.",
                hint=f"Name the algorithm {owners[0]}, or leave {option} out.",
            )
    if discretize is not None:
        discretize = Discretization.of(discretize).with_others(AUTO)
    return ALGORITHMS[name](data, discretize=discretize, **options)
