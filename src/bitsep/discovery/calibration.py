"""Calibrated probabilities: how likely a pair is adjacent in the true graph, given its bootstrap support.

Support is not a probability: an edge that half of the samples have is true more often than not, because a sample has
fewer rows than the table. The logit of the probability is a linear function of

- the logit of the support, and whether the graph of all rows has the edge;
- the logarithm of the number of variables: with more of them, a smaller share of the pairs is adjacent;
- the logarithm of the number of edges that a sample has on average, per variable: where searches find few edges, more
  of the true ones are missing, and are among those with little support;
- where samples have less than 0.4 edges per variable, this logarithm times that of the number of variables and the
  share of the samples without the edge instead: tables with so few edges are most often tables with few true edges, the
  more variables the more so, but an edge that all samples have is as probable as in other tables;
- in searches by score, whether another variable determines one of the two, alone and times the logit of the support:
  what depends on one of them can then be explained by the other just as well, in every sample, so that support says
  little.

The coefficients were fitted to graphs with known truth: `python -m accuracy.confidence` prints them, and measures how
good they are on networks to which they were not fitted (docs/confidence.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from itertools import chain
from typing import TYPE_CHECKING

from bitsep.discovery.evidence import EdgeEvidence, EdgeSaving, Pair
from bitsep.lazy import cached_property
from bitsep.naming import Name

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery


@dataclass(frozen=True, slots=True)
class PairSupport:
    """What the probability of a pair depends on.

    count, total : the bootstrap samples with the edge, and all of them.
    drawn : whether the graph of all rows has the edge.
    variables : the number of variables.
    edges : the sum of the support of all pairs.
    determined : whether another variable determines one of the two.
    """

    count: float
    total: int
    drawn: bool
    variables: int
    edges: float
    determined: bool


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A map from support to probability; `features` has what each coefficient is multiplied with."""

    intercept: float
    support: float
    drawn: float
    variables: float
    density: float
    determined: float
    determined_support: float
    few_edges: float

    def probability(self, pair: PairSupport) -> float:
        """The probability that a pair is adjacent."""
        value = sum(a * b for a, b in zip(astuple(self), features(pair), strict=True))
        return 1 / (1 + math.exp(-value))


def features(pair: PairSupport) -> tuple[float, ...]:
    """The numbers of which the logit of the probability is a linear function."""
    share = pair.count / pair.total
    logit = math.log((share * _SAMPLES + 0.5) / ((1 - share) * _SAMPLES + 0.5))
    determined = float(pair.determined and pair.count > 0)
    density = pair.edges / (pair.variables - 1) + 0.1
    return (
        1.0,
        logit,
        float(pair.drawn),
        math.log(pair.variables),
        math.log(max(density, _LOW_DENSITY)),
        determined,
        determined * logit,
        min(0.0, math.log(density / _LOW_DENSITY)) * math.log(max(pair.variables, 3) / 3) * (1 - share),
    )


BY_SCORE = Coefficients(1.704, 0.74, 1.645, -0.414, -1.894, -0.659, -0.74, 3.304)
BY_TESTS = Coefficients(2.514, 0.707, 1.691, -0.609, -0.881, 0.0, 0.0, 6.942)

# The coefficients were fitted with 100 bootstrap samples: a share means the same whatever the number of samples.
_SAMPLES = 100
_LOW_DENSITY = 0.5  # 0.4 edges per variable, and the 0.1 that keeps logarithms finite


class Probabilities(Mapping[Pair, float]):
    """The probability of every pair of variables; empty without bootstrap samples."""

    def __init__(self, discovery: Discovery) -> None:
        self._discovery = discovery

    @cached_property
    def _edges(self) -> float:
        return sum(support.edge for support in self._discovery.support.values())

    @cached_property
    def _determined(self) -> frozenset[Name]:
        return frozenset(self._discovery.determined)

    def __getitem__(self, pair: Pair) -> float:
        found = self._discovery
        total = found.settings["bootstrap"]
        if not total or pair not in self:
            raise KeyError(pair)
        if pair in found.excluded:
            return 0.0
        evidence = found.edges.get(pair)
        if evidence is not None and _is_required(evidence):
            return 1.0
        support = found.support.get(pair)
        about = PairSupport(
            count=0.0 if support is None else support.edge * total,
            total=total,
            drawn=pair in found.edges,
            variables=len(found.variables),
            edges=self._edges,
            determined=not self._determined.isdisjoint(pair),
        )
        return (BY_SCORE if found.by_score else BY_TESTS).probability(about)

    def __contains__(self, pair: object) -> bool:
        found = self._discovery
        return bool(found.settings["bootstrap"]) and (
            pair in found.edges or pair in found.separations or pair in found.excluded
        )

    def __iter__(self) -> Iterator[Pair]:
        found = self._discovery
        return chain(found.edges, found.separations, found.excluded) if found.settings["bootstrap"] else iter(())

    def __len__(self) -> int:
        variables = len(self._discovery.variables)
        return math.comb(variables, 2) if self._discovery.settings["bootstrap"] else 0

    def __repr__(self) -> str:
        return f"<probabilities of {len(self):,} pairs>"


def _is_required(evidence: EdgeEvidence | EdgeSaving) -> bool:
    """Whether knowledge requires an edge."""
    return evidence.required if isinstance(evidence, EdgeSaving) else evidence.weakest is None
