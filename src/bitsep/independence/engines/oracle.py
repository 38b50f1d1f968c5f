"""The oracle: a perfect test by d-separation in a known graph."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from bitsep import _native
from bitsep.data.fingerprint import Fingerprint
from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs import DAG
from bitsep.independence.engines.base import Identity
from bitsep.independence.engines.native import NativeSearchEngine
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name, sorted_names
from bitsep.networks import Network


class Oracle:
    """A known graph in place of data: answers are by d-separation, so a search can be checked without sampling.

    Scores are +1 bit (d-connected, "dependent") or −1 bit (d-separated).

    Parameters
    ----------
    graph : Network or DAG
        The known graph.

    Examples
    --------
    >>> import bitsep
    >>> asia = bitsep.load_network("asia")
    >>> bitsep.independence_test(bitsep.Oracle(asia), "asia", "smoke").independent
    True
    >>> bitsep.pc_stable(bitsep.Oracle(asia)).graph == asia.cpdag
    True
    """

    def __init__(self, graph: DAG | Network) -> None:
        if not isinstance(graph, DAG | Network):
            raise UnsupportedTypeError(f"graph: must be a DAG or a Network, got {type(graph).__name__}.")
        self.variables: tuple[Name, ...] = sorted_names(graph.variables)
        index = {name: i for i, name in enumerate(self.variables)}
        self.edges = edges = sorted((index[a], index[b]) for a, b in graph.edges)
        self.native = _native.Dag(
            len(self.variables),
            np.array([a for a, _ in edges], dtype=np.int32),
            np.array([b for _, b in edges], dtype=np.int32),
        )

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
        graph = repr((self._oracle.variables, self._oracle.edges)).encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(graph, digest_size=16).hexdigest()
        return Identity(self.method, Fingerprint(digest, digest))

    def resampled(self, seed: int) -> OracleEngine:
        raise ArgumentError("bootstrap: an oracle has no rows to resample.", hint="Leave bootstrap at 0.")
