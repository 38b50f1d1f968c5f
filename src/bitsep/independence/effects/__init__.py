"""How strong a dependence is, from the counts of one test: Cramér's V, information with an interval, odds ratios."""

from bitsep.independence.effects.effect import Effect, StratumEffect
from bitsep.independence.effects.lazy import LazyEffect
from bitsep.independence.effects.odds_ratio import OddsRatio

__all__ = ["Effect", "LazyEffect", "OddsRatio", "StratumEffect"]
