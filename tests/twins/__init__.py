"""Slow textbook twins of everything bitsep computes: plain Python, plain lists, written from the paper alone.

Nothing here imports bitsep or NumPy. Each module follows the paper's text in the order of the paper's text, with the
equation beside the code, and prefers the form of a formula that bitsep does *not* use: a regret by Mononen and
Myllymäki's sum instead of a recurrence, conditional entropies stratum by stratum from dicts.
"""

from twins.counts import Row, complete_rows, entropy, groups, joint
from twins.regret import log2_regret, log2_regret_precise, regret_by_definition, regret_exact
from twins.search import first_separator, subsets_in_order
from twins.statistics import METHODS, evaluate, stochastic_complexity

__all__ = [
    "METHODS",
    "Row",
    "complete_rows",
    "entropy",
    "evaluate",
    "first_separator",
    "groups",
    "joint",
    "log2_regret",
    "log2_regret_precise",
    "regret_by_definition",
    "regret_exact",
    "stochastic_complexity",
    "subsets_in_order",
]
