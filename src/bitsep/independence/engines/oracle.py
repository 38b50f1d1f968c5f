"""The oracle: a perfect test by d-separation in a known graph."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bitsep import _native
from bitsep.data.fingerprint import Fingerprint
from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs import DAG
from bitsep.graphs.base import collect
from bitsep.independence.engines.base import Found, Identity, Queries, Ragged, Records, Tasks
from bitsep.independence.engines.native import NativeSearchEngine
from bitsep.independence.engines.skeleton import Skeleton, SkeletonQuery, search_by_size
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name, sorted_names, unknown_column
from bitsep.networks import Network
from bitsep.progress import Step


class Oracle:
    """A known graph in place of data: answers are by d-separation, so a search can be checked without sampling.

    Scores are +1 bit (d-connected, "dependent") or −1 bit (d-separated).

    Parameters
    ----------
    graph : Network or DAG
        The known graph.
    hidden : name or collection of names
        Variables of the graph that are not observed.
    selection : name or collection of names
        Variables of the graph that select the rows: they are not observed, and every answer is given them.

    Raises
    ------
    ArgumentError
        If a variable is hidden and selects, or no variable is left.
    UnknownColumnError
        If a name is not in the graph.

    Examples
    --------
    >>> import bitsep
    >>> asia = bitsep.load_network("asia")
    >>> bitsep.independence_test(bitsep.Oracle(asia), "asia", "smoke").independent
    True
    >>> bitsep.pc_stable(bitsep.Oracle(asia)).graph == asia.cpdag
    True
    >>> bitsep.Oracle(asia, hidden="smoke")
    Oracle(7 variables)
    """

    def __init__(
        self,
        graph: DAG | Network,
        hidden: Name | Iterable[Name] = (),
        selection: Name | Iterable[Name] = (),
    ) -> None:
        if not isinstance(graph, DAG | Network):
            raise UnsupportedTypeError(f"graph: must be a DAG or a Network, got {type(graph).__name__}.")
        gone = {"hidden": _names(graph, "hidden", hidden), "selection": _names(graph, "selection", selection)}
        self._made_of = (graph, gone["hidden"], gone["selection"])
        for name in gone["hidden"] & gone["selection"]:
            raise ArgumentError(f"hidden: {name!r} is also in selection.", hint="Take it out of one of them.")
        self.variables: tuple[Name, ...] = sorted_names(set(graph.variables) - gone["hidden"] - gone["selection"])
        if graph.variables and not self.variables:
            raise ArgumentError("hidden: must leave at least one variable, got all of them.")
        # Observed variables first: their indices are those of the engine.
        names = (*self.variables, *sorted_names(gone["hidden"]), *sorted_names(gone["selection"]))
        index = {name: i for i, name in enumerate(names)}
        self.selection = tuple(index[name] for name in sorted_names(gone["selection"]))
        self.edges = edges = sorted((index[a], index[b]) for a, b in graph.edges)
        self.native = _native.Dag(
            len(names),
            np.array([a for a, _ in edges], dtype=np.int32),
            np.array([b for _, b in edges], dtype=np.int32),
        )
        self.observes_all = len(names) == len(self.variables)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Oracle, self._made_of)

    def __repr__(self) -> str:
        return f"Oracle({len(self.variables)} variables)"


class OracleEngine(NativeSearchEngine):
    """The engine for a known graph."""

    method = "d_separation"
    alpha = None
    n = 0

    def __init__(self, oracle: Oracle, threads: int | None = None) -> None:
        self._oracle = oracle
        super().__init__(oracle.native, None, threads)

    @property
    def variables(self) -> tuple[Name, ...]:
        return self._oracle.variables

    def evaluate(self, queries: Queries, step: Step | None = None) -> Records:
        if chosen := self._oracle.selection:
            given = Ragged.of([(*queries.given[row], *chosen) for row in range(len(queries.given))])
            queries = replace(queries, given=given)
        return super().evaluate(queries, step)

    def separate(self, tasks: Tasks, step: Step | None = None) -> Found:
        chosen = self._oracle.selection
        if not chosen:
            return super().separate(tasks, step)
        always = [(*(() if tasks.always is None else tasks.always[row]), *chosen) for row in range(len(tasks.x))]
        found = super().separate(replace(tasks, always=Ragged.of(always)), step)
        return replace(found, given=self._observed(found.given), runner_up=self._observed(found.runner_up))

    def find_skeleton(self, query: SkeletonQuery, stages: Callable[[int], Step | None] | None = None) -> Skeleton:
        if self._oracle.observes_all:
            return super().find_skeleton(query, stages)
        return search_by_size(self, query, stages)  # the native search is over all variables of the graph

    def _observed(self, sets: Ragged) -> Ragged:
        """The sets without the selection variables."""
        n = len(self.variables)
        return Ragged.of([tuple(v for v in sets[row] if v < n) for row in range(len(sets))])

    def result(self, x: int, y: int, given: Sequence[int], record: np.void) -> IndependenceResult:
        names = self._oracle.variables
        return IndependenceResult(
            independent=bool(record["independent"]),
            score_bits=float(record["score_bits"]),
            cmi_bits=0.0,
            threshold_bits=0.0,
            n=0,
            method=self.method,
            x=names[x],
            y=names[y],
            given=tuple(names[z] for z in given),
        )

    def identity(self) -> Identity:
        graph = repr((self._oracle.variables, self._oracle.edges, self._oracle.selection)).encode(
            "utf-8", "surrogatepass"
        )
        digest = hashlib.blake2b(graph, digest_size=16).hexdigest()
        return Identity(self.method, Fingerprint(digest, digest))

    def resampled(self, seed: int) -> OracleEngine:
        raise ArgumentError("bootstrap: an oracle has no rows to resample.", hint="Leave bootstrap at 0.")


def _names(graph: DAG | Network, argument: str, names: Name | Iterable[Name]) -> set[Name]:
    known = {name: i for i, name in enumerate(graph.variables)}
    found = set(collect(names, known))
    for name in sorted_names(found - known.keys()):
        raise unknown_column(argument, name, graph.variables, "variable")
    return found
