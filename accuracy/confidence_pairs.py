"""The runs of `accuracy.confidence_runs` as numbers: what the probability of each pair depends on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy.confidence_runs import FEW_EDGES, SIZES, results
from bitsep.discovery.calibration import PairSupport, features

Floats = npt.NDArray[np.float64]
Place = tuple[int, int]


@dataclass(frozen=True)
class Run:
    """A search of one sample. The last line of `features` stands for all pairs that no graph has (`others`).

    `alike` is the number of pairs that share a probability, because they differ only by copies of variables, `shares`
    the sum of their support, and `chosen` marks the one that stands for all.
    """

    network: str
    rows: int
    pairs: list[list[Any]]
    variables: int
    others: int
    features: Floats
    alike: Floats
    chosen: npt.NDArray[np.bool_]
    shares: Floats

    @cached_property
    def weights(self) -> Floats:
        return np.array([1.0] * len(self.pairs) + [self.others])

    @cached_property
    def true(self) -> Floats:
        return np.array([float(pair[6] > 0) for pair in self.pairs] + [0.0])

    @cached_property
    def drawn(self) -> npt.NDArray[np.bool_]:
        return np.array([pair[5] > 0 for pair in self.pairs] + [False])

    @property
    def has_few_edges(self) -> bool:
        """Whether few edges can be found: of permuted columns, or because there are few rows."""
        return self.network in FEW_EDGES or self.rows not in SIZES

    @property
    def source(self) -> str:
        """The network of which the table has the columns."""
        return self.network.rpartition(" ")[2]

    @property
    def lacking(self) -> float:
        """The mean share of bootstrap samples that lack an edge of the graph."""
        return float(np.mean(1 - self.shares[self.drawn]))

    @property
    def seen(self) -> int:
        """The number of pairs, without those of copies, that are adjacent in some bootstrap sample."""
        return int(((self.shares > 0) & (self.alike == 1)).sum())


def load(search: str, bootstrap: int | None = None) -> list[Run]:
    """All runs of a search; `bootstrap` keeps so many of the bootstrap samples, drawn at random for each pair."""
    found = []
    rng = np.random.default_rng(0)
    for one in results():
        if one["search"] != search:
            continue
        total, variables = one["bootstrap"], one["variables"]
        if bootstrap is not None:
            one["pairs"] = [_thinned(pair, total, bootstrap, rng) for pair in one["pairs"]]
            total = bootstrap
        edges = sum(pair[2] for pair in one["pairs"]) / total
        pairs = {(pair[0], pair[1]): pair for pair in one["pairs"]}
        groups = {v: group for group in one["copies"] for v in group}
        alike = {pair: _alike(pair, groups) for pair in pairs}
        for pair in {other for others in alike.values() for other in others} - pairs.keys():
            pairs[pair], alike[pair] = [*pair, 0, 0, 0, 0, 0, None], _alike(pair, groups)
        about, chosen = [], []
        for pair, line in pairs.items():
            lines = [pairs[other] for other in alike[pair]]
            drawn = [other for other in lines if other[5]]
            count = min(sum(other[2] for other in lines), total)
            about.append(PairSupport(count, total, bool(drawn), variables, edges))
            chosen.append(line is max(drawn or lines, key=lambda other: other[2]))
        about.append(PairSupport(0, total, False, variables, edges))
        found.append(
            Run(
                one["network"],
                one["rows"],
                list(pairs.values()),
                variables,
                others=math.comb(variables, 2) - len(pairs),
                features=np.array([features(pair) for pair in about]),
                alike=np.array([*map(len, alike.values()), 1.0]),
                chosen=np.array([*chosen, True]),
                shares=np.array([pair.count / total for pair in about]),
            )
        )
    return found


def _alike(pair: Place, groups: Mapping[int, Sequence[int]]) -> list[Place]:
    """The pair, and those with copies in place of its variables."""
    i, j = pair
    first, second = groups.get(i, (i,)), groups.get(j, (j,))
    if first == second:
        return [pair]
    return [(min(a, b), max(a, b)) for a in first for b in second]


def _thinned(pair: list[Any], total: int, bootstrap: int, rng: np.random.Generator) -> list[Any]:
    """The line of a pair as it would be with fewer bootstrap samples."""
    i, j, count, forward, backward, *rest = pair
    kinds = [forward, backward, count - forward - backward, total - count]
    ahead, back, undirected, _ = rng.multivariate_hypergeometric(kinds, bootstrap).tolist()
    return [i, j, ahead + back + undirected, ahead, back, *rest]
