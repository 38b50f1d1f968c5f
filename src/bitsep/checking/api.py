"""`bitsep.check`: does a graph fit data?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any

from bitsep.checking.result import AnyGraph, GraphCheck
from bitsep.checking.statements import EdgeCheck, ImpliedIndependence
from bitsep.data.contract import EncodedData
from bitsep.data.discretization.discrete import discrete
from bitsep.data.missing_level import checked_missing_as_level, with_missing_level
from bitsep.data.prepared import with_missing_level_like
from bitsep.discovery import Discovery
from bitsep.errors import ArgumentError
from bitsep.graphs import DAG, MAG, PAG, PDAG
from bitsep.graphs.dags import dag_of
from bitsep.graphs.equivalence import member
from bitsep.graphs.implications import (
    Statement,
    implied_by_mag,
    implied_independences,
    separators_without_edges,
    separators_without_edges_of_mag,
)
from bitsep.independence import IndependenceResult, evaluate
from bitsep.independence.tests import METHODS, resolve_method
from bitsep.naming import Name, name_key, sorted_names
from bitsep.networks.fitting import data_for
from bitsep.progress import ProgressCallback

DEFAULT_METHOD = "x2_calibrated"

_MAX_STATEMENTS = 5_000_000

Query = tuple[Name, Name, tuple[Name, ...]]


def check(
    graph: Any,
    data: Any = None,
    method: str = DEFAULT_METHOD,
    alpha: float = 0.05,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
    missing_as_level: Any = False,
    discretize: Any = None,
    **options: Any,
) -> GraphCheck:
    """Check whether a graph fits data: test the independences that it implies, and whether tests support its edges.

    Parameters
    ----------
    graph : DAG, PDAG, PAG, MAG, Network or Discovery
        The graph. All DAGs that a CPDAG represents imply the same independences, and get the same p-value; of a PAG one
        of the MAGs that it represents is checked.
    data : table, path, Table, scan, Spark data frame, optional
        Any data that `independence_test` accepts. Columns that the graph does not have are ignored. Needed unless the
        graph is a discovery that still has its data.
    method : str
        The test; it must have p-values.
    alpha : float
        The significance level: the graph is refuted, and a statement violated, if the p-value (for statements: the
        adjusted one) is at most this.
    threads : int, optional
        The number of threads; default: all cores. The result does not depend on it.
    progress : bool or callable
        True shows a progress bar in a terminal or a notebook; a callable is called with (stage, finished, total).
    missing_as_level : bool or names
        Whether missing values are a level of their own, in all columns or in these; as for `evaluate`.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals; as for `evaluate`. By default as in the discovery, if the graph
        is one; otherwise such columns are an error.
    **options
        Options of the test.

    Returns
    -------
    GraphCheck
        The p-value, the violated independences, and the edges that no test supports.

    Raises
    ------
    ArgumentError
        If the graph represents no DAG or MAG, or the test has no p-values.
    UnknownColumnError
        If the graph has a variable that the data do not have.

    Notes
    -----
    For every pair of variables without an edge, the graph implies that they are independent given some set; a set is
    taken of which no proper subset separates them, with few combinations of levels. If the graph is true, about as many
    of the p-values are small as their level says. The p-value of the graph is the smallest one after Holm's adjustment
    for the number of tests: it holds however the tests depend on each other. Many small violations, none of which is
    clear, show in `uniformity_p_value`: it tests whether the p-values are smaller than uniform ones, in whatever number
    (Hommel 1983), and also holds for any dependence.

    An edge is tested twice: given a smallest set that would separate its variables without it, and given the other
    parents of its child. It is supported if one of them finds a dependence, at half the level. An edge too many
    contradicts no implied independence, so only this shows it. In a PAG or MAG an edge is tested once, given a smallest
    set that would separate its variables without it, or given nothing if no set would.

    A graph that was found in the same data fits them better than it should. Check it with other rows.

    Examples
    --------
    >>> import bitsep
    >>> asia = bitsep.load_network("asia")
    >>> rows = asia.sample(2000, seed=1)
    >>> bitsep.check(asia, rows)
    <GraphCheck: fits, p = 0.579, 20 implied independences, 0 violated, 0 of 8 edges without support>
    >>> without = bitsep.DAG(asia.variables, asia.edges - {("smoke", "bronc")})
    >>> print(bitsep.check(without, rows).violations[0].explain())  # doctest: +ELLIPSIS
    bronc and smoke should be independent, but are not: p = ...
    """
    _require_p_values(method, alpha, options)
    given = _with_hidden(graph) or dag_of("graph", graph, "DAG, PDAG, PAG, MAG, Network or Discovery")
    variables = given.variables
    source = discrete(data_for(graph, data, given, discretize=discretize), variables, discretize, threads).select(
        variables
    )
    levels_of_missing = checked_missing_as_level(missing_as_level)
    source = with_missing_level(with_missing_level_like(graph, source), levels_of_missing)
    pairs = len(variables) * (len(variables) - 1) // 2
    if pairs > _MAX_STATEMENTS:
        raise ArgumentError(
            f"graph: too many variables for a check; at most {_MAX_STATEMENTS:,} pairs are possible, got {pairs:,}."
        )
    order = _by_counts(source, variables, threads)
    names = [variables[v] for v in order]
    sizes = [max(1, source.n_levels(name)) for name in names]
    if isinstance(given, DAG):
        tested = DAG._of(variables, member(given._marks, order))
        statements = _named(names, implied_independences(tested._marks.within(order), sizes))
        checked: DAG | MAG = given
        edges = _edge_queries(tested if isinstance(graph, PDAG) else given, order, sizes)
    else:
        checked = given._member(order) if isinstance(given, PAG) else given
        marks = checked._marks.within(order)
        statements = _named(names, implied_by_mag(marks, sizes))
        edges = [(x, y, [z]) for x, y, z in _named(names, separators_without_edges_of_mag(marks, sizes))]
    found = evaluate(source, statements, method, alpha, threads, progress, "holm", **options)
    of_edges = evaluate(
        source, [(x, y, given) for x, y, sets in edges for given in sets], method, alpha, threads, progress, **options
    )
    shown = _shown_graph(graph, checked)
    independences = tuple(ImpliedIndependence(one, len(found)) for one in found)
    return GraphCheck(
        graph=shown,
        independences=independences,
        edges=_edge_checks(shown, edges, of_edges, alpha),
        alpha=alpha,
        method=method,
        n=source.n,
        settings=MappingProxyType({"missing_as_level": levels_of_missing, "discretize": discretize, **options}),
        notes=_notes(graph, source, len(variables), independences),
    )


def _require_p_values(method: Any, alpha: Any, options: dict[str, Any]) -> None:
    if alpha is None:
        raise ArgumentError("alpha: must lie between 0 and 1, both excluded, got None.")
    if resolve_method(method, alpha, options).method.family != "significance":
        known = [name for name, one in METHODS.items() if one.family == "significance"]
        raise ArgumentError(f"method: must be a test with p-values ({', '.join(known)}), got {method!r}.")


def _by_counts(source: EncodedData, variables: Sequence[Name], threads: int | None) -> list[int]:
    """The indices of the variables ordered by the counts of their levels, and by names only where these are equal.

    The graph is numbered in this order: it decides which member of an equivalence class is tested (all of them imply
    the same independences, but a separator can be minimal in one of them only), and which of two separators with as
    many combinations of levels. So the result is the same for all DAGs of a class and for their CPDAG, and for any
    names.
    """
    counter = source.counter(threads)
    counts = [sorted(counter.level_counts(counter.places[name]).tolist(), reverse=True) for name in variables]
    return sorted(range(len(counts)), key=lambda v: (counts[v], v))


def _named(names: Sequence[Name], statements: Iterable[Statement]) -> list[Query]:
    """The statements with names, in canonical order."""
    found = []
    for i, j, given in statements:
        x, y = sorted_names((names[i], names[j]))
        found.append((x, y, sorted_names(names[z] for z in given)))
    return sorted(found, key=lambda query: (name_key(query[0]), name_key(query[1])))


def _with_hidden(graph: Any) -> PAG | MAG | None:
    """The PAG or MAG, also of a discovery; None for other graphs."""
    if isinstance(graph, Discovery):
        graph = graph.graph
    return graph if isinstance(graph, PAG | MAG) else None


def _edge_queries(
    dag: DAG, order: Sequence[int], sizes: Sequence[int]
) -> list[tuple[Name, Name, list[tuple[Name, ...]]]]:
    """Each edge with the one or two conditioning sets of its tests."""
    found = []
    names = [dag.variables[v] for v in order]
    for x, y, smallest in _named(names, separators_without_edges(dag._marks.within(order), sizes)):
        parent, child = (x, y) if (x, y) in dag.edges else (y, x)
        others = sorted_names(dag.parents(child) - {parent})
        found.append((x, y, [smallest] if set(smallest) == set(others) else [smallest, others]))
    return found


def _edge_checks(
    graph: AnyGraph,
    edges: Sequence[tuple[Name, Name, list[tuple[Name, ...]]]],
    results: Sequence[IndependenceResult],
    alpha: float,
) -> tuple[EdgeCheck, ...]:
    marks = {frozenset((a, b)): (a, sign, b) for a, sign, b in graph.edge_lines()}
    checks, place = [], 0
    for x, y, sets in edges:
        a, sign, b = marks[frozenset((x, y))]
        checks.append(EdgeCheck(a, sign, b, tuple(results[place : place + len(sets)]), alpha))
        place += len(sets)
    return tuple(checks)


def _shown_graph(graph: Any, dag: DAG | MAG) -> AnyGraph:
    """The graph as it was given: a discovery, a PDAG and a PAG have other marks, too."""
    if isinstance(graph, Discovery):
        return graph.graph if graph.graph.skeleton == dag.skeleton else dag
    return graph if isinstance(graph, PDAG | PAG) else dag


def _notes(graph: Any, source: EncodedData, variables: int, found: Sequence[ImpliedIndependence]) -> tuple[str, ...]:
    """What limits the meaning of the result, in sentences."""
    notes = []
    if isinstance(graph, Discovery) and graph.data is not None and graph.data.fingerprint() == source.fingerprint():
        notes.append("The graph was found in these rows, so it fits them better than other rows.")
    if source.n_rows < variables:
        notes.append(f"The data have fewer rows ({source.n_rows:,}) than variables ({variables:,}).")
    if not found:
        notes.append("The graph implies no independences, so no data can refute it.")
    empty = sum(not one.testable for one in found)
    if empty:
        notes.append(f"{empty:,} of {len(found):,} implied independences cannot be tested with these rows.")
    return tuple(notes)
