"""Conditional probabilities from counts, and the likelihood of data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.checks import integer, real_number, shown
from bitsep.counting import Counter
from bitsep.data.contract import EncodedData
from bitsep.data.discretization.continuous import refuse_continuous
from bitsep.data.levels import MISSING_LEVEL
from bitsep.data.load import encoded
from bitsep.data.prepared import cut_like, with_missing_level_like
from bitsep.errors import ArgumentError, DataError
from bitsep.graphs import DAG, MAG, PAG
from bitsep.graphs.dags import dag_of
from bitsep.naming import Name, did_you_mean, sorted_names, unknown_column
from bitsep.networks.network import Network
from bitsep.networks.probabilities import checked_levels

Integers = npt.NDArray[np.int64]
Levels = Mapping[Name, tuple[Name, ...]]

_INTERVALS = (
    "Divide them into intervals first, with bitsep.discretize; into those of a discovery d with "
    "bitsep.discretize(data, {one.column: one.points for one in d.discretized})."
)
MAX_CELLS = 1 << 24
"""The largest table of one variable: 128 MiB of probabilities."""


def fit_network(
    graph: Any, data: Any, prior: Any, levels: Mapping[Name, Sequence[Any]] | None, threads: int | None
) -> Network:
    """See `Network.fit`."""
    pseudocount = _checked_prior(prior)
    if threads is not None:
        integer("threads", threads, at_least=1)
    dag = dag_of("graph", graph)
    source = data_for(graph, data, dag)
    refuse_continuous(source, dag.variables, _INTERVALS)
    known = {name: source.levels(name) for name in dag.variables} | _declared(levels, source, dag)
    for name, found in known.items():
        if not found:
            raise DataError(f"data: {name!r} has no values, so it has no probabilities.", hint="Leave it out.")
    parents = {name: sorted_names(dag.parents(name)) for name in dag.variables}
    sizes = {name: [len(known[part]) for part in (*parents[name], name)] for name in dag.variables}
    for name, shape in sizes.items():
        if math.prod(shape) > MAX_CELLS:
            raise ArgumentError(
                f"graph: the table of {name!r} given its {len(parents[name])} parents must have at most {MAX_CELLS:,} "
                f"cells, got {math.prod(shape):,}.",
                hint="Remove parents, or merge levels.",
            )
    tables = {}
    for name, codes, counts in _families(source.counter(threads), source, known, parents):
        if not len(counts):
            together = ", ".join(map(repr, (name, *parents[name])))
            raise DataError(f"data: no row has a value in all of {together}.")
        table = np.zeros(sizes[name])
        table[codes] = counts
        tables[name] = smoothed(table, pseudocount)
    return Network(known, parents, tables, name="fitted")


def log2_likelihood(network: Network, data: Any, threads: int | None) -> float:
    """See `Network.log2_likelihood`."""
    if threads is not None:
        integer("threads", threads, at_least=1)
    source = data_for(None, data, network.dag, "data").with_missing_level(
        name for name in network.variables if MISSING_LEVEL in network.levels(name)
    )
    refuse_continuous(source, network.variables, _INTERVALS)
    counter = source.counter(threads)
    known = {name: network.levels(name) for name in network.variables}
    parents = {name: network.parents(name) for name in network.variables}
    terms: list[float] = []
    for name, codes, counts in _families(counter, source, known, parents):
        observed = int(np.sum(counter.level_counts(counter.places[name])))
        rows = int(counts.sum())
        if observed and not rows:
            together = ", ".join(map(repr, (name, *parents[name])))
            raise DataError(f"data: no row has a value in all of {together}.")
        with np.errstate(divide="ignore"):  # a probability of 0 gives a likelihood of 0
            bits = counts * np.log2(network.cpt(name)[codes])
        terms += bits.tolist() if rows == observed else [math.fsum(bits) * (observed / rows)]
    return math.fsum(terms)  # rounded once, so that the order of cells and variables does not matter


def smoothed(counts: npt.NDArray[np.float64], prior: float) -> npt.NDArray[np.float64]:
    """The probabilities in each stratum: `prior` rows, spread evenly over the levels, are added to the counts.

    Strata are the rows of the table; one without any rows, observed or added, has equal probabilities.

    >>> smoothed(np.array([[3.0, 0.0], [0.0, 0.0]]), 1.0)
    array([[0.875, 0.125],
           [0.5  , 0.5  ]])
    """
    n_levels = counts.shape[-1]
    rows = counts.sum(axis=-1, keepdims=True)  # sums of whole numbers, so exact
    with np.errstate(invalid="ignore"):
        shares = (counts + prior / n_levels) / (rows + prior)
    found: npt.NDArray[np.float64] = np.where(rows + prior > 0, shares, 1 / n_levels)
    return found


def data_for(
    graph: Any, data: Any, dag: DAG | MAG | PAG, argument: str = "graph", discretize: Any = None
) -> EncodedData:
    """The encoded data with all variables of the graph; by default those in which a discovery was found.

    Other data get the intervals of the discovery and its levels for missing values, unless `discretize` asks for other
    intervals. `argument` is the one that an error about a variable without a column names.
    """
    if not dag.variables:
        raise ArgumentError(f"{argument}: must have at least one variable, got none.")
    if data is None:
        data = getattr(graph, "data", None)
        if data is None:
            raise ArgumentError("data: must be given, because the graph has no data of its own, got None.")
    source = encoded(data)
    for name in dag.variables:
        if name not in source.names:
            raise unknown_column(argument, name, source.names)
    return source if discretize is not None else with_missing_level_like(graph, cut_like(graph, source))


def _checked_prior(prior: Any) -> float:
    number = real_number(prior)
    if number is None or not 0 <= number < math.inf:
        raise ArgumentError(f"prior: must be a number of rows of at least 0, got {shown(prior)}.")
    return number


def _declared(levels: Mapping[Name, Sequence[Any]] | None, source: EncodedData, dag: DAG) -> dict[Name, Any]:
    """The levels of the variables for which they are given."""
    if levels is None:
        return {}
    if not isinstance(levels, Mapping):
        raise ArgumentError(f"levels: must be a mapping from names to lists of levels, got {shown(levels)}.")
    for name in levels:
        if name not in dag.variables:
            raise unknown_column("levels", name, dag.variables, "variable")
    declared = {name: checked_levels(name, given) for name, given in levels.items()}
    for name, given in declared.items():
        for level, place in _places(source.levels(name), given):
            if place is None:
                raise DataError(
                    f"levels: must have all levels of {name!r} that occur, got none for {level!r}.",
                    hint=did_you_mean(level, given),
                )
    return declared


def _families(
    counter: Counter, source: EncodedData, known: Levels, parents: Mapping[Name, tuple[Name, ...]]
) -> Iterator[tuple[Name, tuple[Integers, ...], Integers]]:
    """For each variable the occupied cells of it and its parents: their codes, parents first, and their counts.

    Codes are the places of levels in `known`. Rows with a missing value in one of the variables are left out.
    """
    codes = {name: _known_codes(name, source.levels(name), known[name]) for name in known}
    places = {name: [counter.places[part] for part in (*above, name)] for name, above in parents.items()}
    sets = [tuple(sorted(found)) for found in places.values() if len(found) > 1]
    joints = iter(counter.joint_counts(sets))
    for name, axes in places.items():
        if len(axes) == 1:  # counters count the levels of single variables in another way
            counts = np.asarray(counter.level_counts(axes[0]), dtype=np.int64)
            yield name, (codes[name][counts > 0],), counts[counts > 0]
            continue
        joint = next(joints)
        cells, counts = joint.occupied()
        by_place = dict(zip(joint.variables, cells, strict=True))
        parts = zip((*parents[name], name), axes, strict=True)
        yield name, tuple(codes[part][by_place[place]] for part, place in parts), counts


def _known_codes(name: Name, observed: Sequence[Any], known: Sequence[Name]) -> Integers:
    """The place of each observed level among those of the network."""
    codes = []
    for level, place in _places(observed, known):
        if place is None:
            raise DataError(
                f"data: the network must have all levels of {name!r} that occur, got {level!r}.",
                hint="Fit it with this level among levels={…}.",
            )
        codes.append(place)
    return np.array(codes, dtype=np.int64)


def _places(observed: Sequence[Any], known: Sequence[Name]) -> Iterator[tuple[Any, int | None]]:
    """Each observed level with its place among the known ones, or None.

    In a network from a BIF file all levels are text, so there a number or a truth value is found by its text.
    """
    places: dict[Any, int] = {level: place for place, level in enumerate(known)}
    as_text = all(isinstance(level, str) for level in known)
    for level in observed:
        yield level, places.get(level, places.get(str(level)) if as_text else None)
