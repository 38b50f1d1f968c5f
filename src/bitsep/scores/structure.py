"""The structure code: the bits that it takes to say which variables are the parents."""

from __future__ import annotations

import math


def structure_bits(variables: int, parents: int) -> float:
    """The bits to choose a number of parents among all other variables, log2 of the binomial coefficient.

    >>> structure_bits(5, 2) == math.log2(6)
    True
    """
    return math.log2(math.comb(variables - 1, parents))
