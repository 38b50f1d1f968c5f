"""Calibrated probabilities: how likely a pair is adjacent in the true graph, given its bootstrap support.

Support is not a probability: an edge that half of the samples have is true more often than not, because a sample has
fewer rows than the table. The logit of the probability is a linear function of

- the logit of the share of graphs with the edge, in which the graph of all rows counts as much as all samples together;
- the logarithm of the number of variables: with more of them, a smaller share of the pairs is adjacent;
- the logarithm of the number of edges that a sample has on average, per variable: where searches find few edges, more
  of the true ones are missing, and are among those with little support;
- where samples have less than 0.4 edges per variable, this logarithm times that of the number of variables and the
  share of the graphs without the edge instead: tables with so few edges are most often tables with few true edges, the
  more variables the more so, but an edge that all graphs have is as probable as in other tables.

In searches by score, variables that determine each other are copies: the data cannot tell to which of them an edge
belongs, and a search chooses one of them, perhaps the same in every sample. Their edges to another variable count as
one edge, whose probability they share equally.

The coefficients were fitted to graphs with known truth: `python -m accuracy.confidence` prints them, and measures how
good they are on networks to which they were not fitted (docs/confidence.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

from bitsep.discovery.evidence import EdgeEvidence, EdgeSaving, Pair, Support
from bitsep.lazy import cached_property
from bitsep.naming import Name, name_key

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery


@dataclass(frozen=True, slots=True)
class PairSupport:
    """What the probability of a pair depends on.

    count, total : the bootstrap samples with the edge, and all of them.
    drawn : whether the graph of all rows has the edge.
    variables : the number of variables.
    edges : the sum of the support of all pairs.
    """

    count: float
    total: int
    drawn: bool
    variables: int
    edges: float


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A map from support to probability; `features` has what each coefficient is multiplied with."""

    intercept: float
    support: float
    variables: float
    density: float
    few_edges: float

    def probability(self, pair: PairSupport) -> float:
        """The probability that a pair is adjacent."""
        value = sum(a * b for a, b in zip(astuple(self), features(pair), strict=True))
        return 1 / (1 + math.exp(-value))


def features(pair: PairSupport) -> tuple[float, ...]:
    """The numbers of which the logit of the probability is a linear function."""
    share = (pair.count / pair.total + pair.drawn) / 2
    logit = math.log((share * _GRAPHS + 0.5) / ((1 - share) * _GRAPHS + 0.5))
    density = pair.edges / (pair.variables - 1) + 0.1
    return (
        1.0,
        logit,
        math.log(pair.variables),
        math.log(max(density, _LOW_DENSITY)),
        min(0.0, math.log(density / _LOW_DENSITY)) * math.log(max(pair.variables, 3) / 3) * (1 - share),
    )


BY_SCORE = Coefficients(2.595, 0.795, -0.469, -2.037, 3.345)
BY_TESTS = Coefficients(3.23, 0.752, -0.601, -0.882, 6.932)

# The coefficients were fitted with 100 bootstrap samples, and the graph that counts as much: a share means the same
# whatever the number of samples.
_GRAPHS = 200
_NO_SUPPORT = Support(0.0, 0.0, 0.0)
_LOW_DENSITY = 0.5  # 0.4 edges per variable, and the 0.1 that keeps logarithms finite


class Alike(NamedTuple):
    """Pairs that differ only by copies of variables, so that the data cannot tell them apart; usually one pair.

    pairs : all of them.
    chosen : the one that stands for all: of those in the graph or, if it has none, of all, that with most support.
    support : the sum of their support, at most 1; forward is the direction from `first`.
    first : the variables at one end of the pairs.
    probability : that one of them is adjacent.
    """

    pairs: tuple[Pair, ...]
    chosen: Pair
    support: Support
    first: tuple[Name, ...]
    probability: float


class Probabilities(Mapping[Pair, float]):
    """The probability of every pair of variables; empty without bootstrap samples."""

    def __init__(self, discovery: Discovery) -> None:
        self._discovery = discovery
        self._found: dict[frozenset[tuple[Name, ...]], Alike] = {}

    @cached_property
    def _edges(self) -> float:
        return sum(support.edge for support in self._discovery.support.values())

    @cached_property
    def _copies(self) -> dict[Name, tuple[Name, ...]]:
        """The group of each variable that has copies; not of those between which knowledge excludes an edge."""
        excluded = self._discovery.excluded
        groups = [
            group
            for group in self._discovery.copies
            if not (excluded and any(frozenset(pair) in excluded for pair in combinations(group, 2)))
        ]
        return {name: group for group in groups for name in group}

    def __getitem__(self, pair: Pair) -> float:
        if pair not in self:
            raise KeyError(pair)
        known = self.decided(pair)
        if known is not None:
            return known
        alike = self.alike(pair)
        return alike.probability / len(alike.pairs)

    def counted(self, pair: Pair) -> float:
        """The probability with which a pair counts in a graph, in which one pair stands for all that are alike."""
        known = self.decided(pair)
        if known is not None:
            return known
        alike = self.alike(pair)
        return alike.probability if pair == alike.chosen else alike.probability / len(alike.pairs)

    def support(self, pair: Pair) -> Support:
        """The support of all pairs that are alike; forward is the direction from the first variable by name."""
        alike = self.alike(pair)
        if sorted(pair, key=name_key)[0] in alike.first:
            return alike.support
        return Support(alike.support.edge, alike.support.backward, alike.support.forward)

    def alike(self, pair: Pair) -> Alike:
        """The pairs that the data cannot tell from this one, about which knowledge does not decide."""
        a, b = sorted(pair, key=name_key)
        first, second = self._copies.get(a, (a,)), self._copies.get(b, (b,))
        if first == second or len(first) == len(second) == 1 or self.decided(pair) is not None:
            return self._alike([(a, b)])
        key = frozenset((first, second))
        if key not in self._found:
            places = [(x, y) for x in first for y in second]
            self._found[key] = self._alike([place for place in places if self.decided(frozenset(place)) is None])
        return self._found[key]

    def apart(self, pair: Pair) -> list[tuple[Name, ...]]:
        """For each variable of a pair that has copies in the pairs alike, these copies and itself."""
        pairs = self.alike(pair).pairs
        if len(pairs) == 1:
            return []
        groups = [sorted({x for one in pairs for x in one} & {*self._copies.get(v, ())}, key=name_key) for v in pair]
        return sorted((tuple(group) for group in groups if len(group) > 1), key=lambda group: name_key(group[0]))

    def _alike(self, places: list[tuple[Name, Name]]) -> Alike:
        found = self._discovery
        total = found.settings["bootstrap"]
        edge = forward = backward = 0.0
        shares = {}
        for x, y in places:
            pair = frozenset((x, y))
            support = found.support.get(pair, _NO_SUPPORT)
            ahead, back = support.forward, support.backward
            if name_key(x) > name_key(y):
                ahead, back = back, ahead
            edge, forward, backward = edge + support.edge, forward + ahead, backward + back
            shares[pair] = support.edge
        drawn = [pair for pair in shares if pair in found.edges]
        about = PairSupport(
            count=min(edge, 1.0) * total,
            total=total,
            drawn=bool(drawn),
            variables=len(found.variables),
            edges=self._edges,
        )
        return Alike(
            pairs=tuple(shares),
            chosen=max(drawn or shares, key=lambda pair: shares[pair]),
            support=Support(*(min(share, 1.0) for share in (edge, forward, backward))),
            first=tuple(x for x, _ in places),
            probability=(BY_SCORE if found.by_score else BY_TESTS).probability(about),
        )

    def decided(self, pair: Pair) -> float | None:
        """The probability of a pair about which knowledge decides; of others None."""
        found = self._discovery
        if pair in found.excluded:
            return 0.0
        evidence = found.edges.get(pair)
        return 1.0 if evidence is not None and _is_required(evidence) else None

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
