"""Forward sampling: parents before children, each variable for a block of rows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bitsep.checks import integer
from bitsep.naming import Name

if TYPE_CHECKING:
    from bitsep.networks.network import Network

Codes = npt.NDArray[np.signedinteger[Any]]

BLOCK = 1 << 15
"""Rows drawn together. Small enough for the cache; part of what a seed means, so never to be changed."""


def draw_codes(network: Network, n: int, seed: int) -> dict[Name, Codes]:
    """An array of n level numbers per variable, in canonical order of the variables.

    Uniform numbers come from PCG64, variable by variable in topological order (ties by name), block by block; only
    additions and comparisons follow, so the rows are the same on every machine.
    """
    n, seed = integer("n", n, at_least=0), integer("seed", seed, at_least=0)
    rng = np.random.Generator(np.random.PCG64(seed))
    columns = {v: np.empty(n, dtype=_smallest(len(network.levels(v)))) for v in network.variables}
    plan = [_Column(network, v) for v in network.dag.topological_order]
    uniform = np.empty(min(n, BLOCK))
    for start in range(0, n, BLOCK):
        rows = slice(start, min(start + BLOCK, n))
        drawn = uniform[: rows.stop - rows.start]
        for column in plan:
            rng.random(out=drawn)
            column.fill(columns, rows, drawn)
    return columns


class _Column:
    """How one variable is drawn: for each combination of its parents, the limits between its levels."""

    def __init__(self, network: Network, variable: Name) -> None:
        self.variable = variable
        self.parents = network.parents(variable)
        cpt = network.cpt(variable)
        self.sizes = cpt.shape[:-1]
        table = cpt.reshape(-1, cpt.shape[-1])
        limits = np.cumsum(table, axis=1)
        # Rounding may leave the last sum below 1: levels from the last possible one on must not be drawn.
        last = table.shape[1] - 1 - np.argmax(table[:, ::-1] > 0, axis=1)
        limits[np.arange(table.shape[1]) >= last[:, None]] = np.inf
        self.limits = [np.ascontiguousarray(limits[:, level]) for level in range(table.shape[1] - 1)]

    def fill(self, columns: dict[Name, Codes], rows: slice, uniform: npt.NDArray[np.float64]) -> None:
        codes = columns[self.variable][rows]
        codes[:] = 0
        if not self.parents:
            for limit in self.limits:
                codes += uniform >= limit[0]
            return
        stratum = columns[self.parents[0]][rows].astype(np.intp)
        for parent, size in zip(self.parents[1:], self.sizes[1:], strict=True):
            stratum *= size
            stratum += columns[parent][rows]
        for limit in self.limits:
            codes += uniform >= limit.take(stratum)


def _smallest(levels: int) -> type[np.signedinteger[Any]]:
    for kind in (np.int8, np.int16):
        if levels - 1 <= np.iinfo(kind).max:
            return kind
    return np.int32
