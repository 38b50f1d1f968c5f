"""How strong a dependence is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bitsep.counting import Counts
from bitsep.independence.effects.cramer import cramers_v
from bitsep.independence.effects.information import information
from bitsep.independence.effects.margins import Integers, Margins
from bitsep.independence.effects.odds_ratio import OddsRatio, common_odds_ratio, stratum_odds_ratios, two_by_two

MAX_STRATA = 1000
"""The number of strata that an `Effect` describes; of more, those with the most information."""


@dataclass(frozen=True, slots=True)
class StratumEffect:
    """What one stratum contributes.

    Attributes
    ----------
    levels : tuple of str
        The levels of the conditioning variables, in the order of `given`.
    n : int
        The number of rows (the sum of their weights).
    information_bits : float
        Its share of the information: ``n * cmi_bits`` of the test is the sum over all strata.
    effect_size : float
        Cramér's V in the stratum, corrected for bias.
    odds_ratio : float or None
        The odds ratio of a 2 × 2 stratum; None if it is infinite or undefined.

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("asia").sample(2000, seed=1)
    >>> first, second = bitsep.independence_test(data, "lung", "dysp", given="bronc").strata
    >>> first.levels, first.n, round(first.information_bits, 1)
    (('no',), 1131, 73.0)
    """

    levels: tuple[str, ...]
    n: int
    information_bits: float
    effect_size: float
    odds_ratio: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {name: getattr(self, name) for name in self.__slots__} | {"levels": list(self.levels)}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> StratumEffect:
        """A stratum from the dictionary that `to_dict` returned."""
        return cls(**{**fields, "levels": tuple(fields["levels"])})


@dataclass(frozen=True, slots=True)
class Effect:
    """How strong the dependence of X and Y given Z is; the attributes are explained in `IndependenceResult`."""

    effect_size: float
    cmi_corrected_bits: float
    cmi_interval: tuple[float, float]
    adjusted_df: int
    odds_ratio: OddsRatio | None
    strata: tuple[StratumEffect, ...]

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {
            "effect_size": self.effect_size,
            "cmi_corrected_bits": self.cmi_corrected_bits,
            "cmi_interval": list(self.cmi_interval),
            "adjusted_df": self.adjusted_df,
            "odds_ratio": None if self.odds_ratio is None else self.odds_ratio.to_dict(),
            "strata": [stratum.to_dict() for stratum in self.strata],
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Effect:
        """An effect from the dictionary that `to_dict` returned."""
        ratio = fields["odds_ratio"]
        return cls(
            effect_size=fields["effect_size"],
            cmi_corrected_bits=fields["cmi_corrected_bits"],
            cmi_interval=(fields["cmi_interval"][0], fields["cmi_interval"][1]),
            adjusted_df=fields["adjusted_df"],
            odds_ratio=None if ratio is None else OddsRatio.from_dict(ratio),
            strata=tuple(map(StratumEffect.from_dict, fields["strata"])),
        )


@dataclass(frozen=True, slots=True)
class Labels:
    """The texts of levels: of X and Y by code (None if they are not known), of Z by the number of the stratum."""

    x: Callable[[int], str] | None = None
    y: Callable[[int], str] | None = None
    stratum: Callable[[int], tuple[str, ...]] = lambda number: ()


def mean_effect_size(counts: Counts) -> float:
    """Cramér's V, corrected for bias; the mean over the strata, weighted by their rows."""
    if not len(counts.count):
        return 0.0
    margins = Margins.of(counts)
    return math.fsum(cramers_v(counts, margins) * margins.n) / counts.n


def effect_of(counts: Counts, labels: Labels) -> Effect:
    """The effect in one table of counts."""
    if not len(counts.count):
        return Effect(0.0, 0.0, (0.0, 0.0), 0, None, ())
    margins = Margins.of(counts)
    v = cramers_v(counts, margins)
    found = information(counts, margins)
    tables = two_by_two(counts)
    order = np.lexsort((np.arange(len(v)), -found.of_stratum))[:MAX_STRATA]
    ratios: dict[int, float | None] = {}
    common = None
    if tables is not None:
        ratios = dict(zip(order.tolist(), stratum_odds_ratios(tables[order]), strict=True))
        common = common_odds_ratio(tables, _two(labels.x, counts.x), _two(labels.y, counts.y))
    return Effect(
        effect_size=math.fsum(v * margins.n) / counts.n,
        cmi_corrected_bits=found.corrected,
        cmi_interval=found.interval,
        adjusted_df=int(margins.degrees_of_freedom.sum()),
        odds_ratio=common,
        strata=tuple(
            StratumEffect(labels.stratum(z), int(margins.n[z]), float(found.of_stratum[z]), float(v[z]), ratios.get(z))
            for z in order.tolist()
        ),
    )


def _two(text: Callable[[int], str] | None, codes: Integers) -> tuple[str, ...]:
    return () if text is None else tuple(map(text, np.unique(codes).tolist()))
