"""Effect sizes by their definitions, from rows; slow."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product
from statistics import NormalDist

import numpy as np

Row = tuple[Hashable, Hashable, Hashable]
"""x, y and the stratum."""


def strata(rows: Sequence[Row]) -> list[list[tuple[Hashable, Hashable]]]:
    return [[(x, y) for x, y, z in rows if z == stratum] for stratum in sorted({z for _, _, z in rows}, key=repr)]


def cramers_v(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """Bergsma (2013), equations for the corrected V."""
    n = len(pairs)
    r, c, both = Counter(x for x, _ in pairs), Counter(y for _, y in pairs), Counter(pairs)
    if n < 2:
        return 0.0
    x2 = sum((both[x, y] - r[x] * c[y] / n) ** 2 / (r[x] * c[y] / n) for x, y in product(r, c))
    phi2 = max(0.0, x2 / n - (len(r) - 1) * (len(c) - 1) / (n - 1))
    rows, columns = (k - (k - 1) ** 2 / (n - 1) for k in (len(r), len(c)))
    least = min(rows, columns) - 1
    return math.sqrt(min(1.0, phi2 / least)) if least > 1e-12 and phi2 > 1e-12 else 0.0


def effect_size(rows: Sequence[Row]) -> float:
    return sum(cramers_v(pairs) * len(pairs) for pairs in strata(rows)) / len(rows)


def plug_in_bits(rows: Sequence[Row]) -> float:
    """n times the plug-in conditional mutual information."""
    bits = 0.0
    for pairs in strata(rows):
        n, r, c = len(pairs), Counter(x for x, _ in pairs), Counter(y for _, y in pairs)
        bits += sum(k * math.log2(k * n / (r[x] * c[y])) for (x, y), k in Counter(pairs).items())
    return bits


def mean_bits_under_independence(rows: Sequence[Row]) -> float:
    """The mean of n times the information over all tables with these margins, by enumeration."""
    total = 0.0
    for pairs in strata(rows):
        r = list(Counter(x for x, _ in pairs).values())
        c = list(Counter(y for _, y in pairs).values())
        n = len(pairs)
        ways = Fraction(0)
        mean = 0.0
        weights = []
        for table in tables(r, c):
            # The number of ways to assign the rows: n! is common to all tables.
            weight = Fraction(1, math.prod(math.factorial(k) for line in table for k in line))
            information = sum(
                k * math.log2(k * n / (a * b))
                for line, a in zip(table, r, strict=True)
                for k, b in zip(line, c, strict=True)
                if k
            )
            weights.append((weight, information))
            ways += weight
        mean = sum(float(weight / ways) * information for weight, information in weights)
        total += mean
    return total


def interval_bits(rows: Sequence[Row], mean_bits: float) -> tuple[float, float]:
    """The interval of the information per row, from the mean of n times the information under independence.

    The limits are the roots I of (Î − e − s I)² = z² (e + 2κI)/n in nats, with s = 1 for the lower limit and
    s = 1 − e/M for the upper one; where no real root exists, the I that comes closest.
    """
    n = len(rows)
    density = [
        math.log(pairs.count((x, y)) * len(pairs) / (xs.count(x) * ys.count(y)))
        for pairs in strata(rows)
        for xs, ys in [([x for x, _ in pairs], [y for _, y in pairs])]
        for x, y in pairs
    ]
    plug_in = max(0.0, sum(density) / n)
    variance = sum((one - plug_in) ** 2 for one in density) / n
    kappa = variance / (2 * plug_in) if plug_in > 1e-12 else 1.0
    bias = mean_bits * math.log(2) / n
    largest = math.log(min(len({x for x, _, _ in rows}), len({y for _, y, _ in rows})))
    most = min(
        -sum(
            math.log(sum(row[side] == other[side] and row[2] == other[2] for other in rows) / stratum[row[2]])
            for row in rows
        )
        for side in (0, 1)
        for stratum in [Counter(z for _, _, z in rows)]
    )
    unit = NormalDist().inv_cdf(0.975) ** 2 / n

    def roots(slope: float) -> list[float]:
        linear = -2 * (slope * (plug_in - bias) + unit * kappa)
        return sorted(np.roots([slope**2, linear, (plug_in - bias) ** 2 - unit * bias]).real.tolist())

    low = max(0.0, roots(1.0)[0])
    slope = 1 - bias / (most / n) if most > 0 else 0.0
    high = min(max(0.0, roots(slope)[1]), largest) if slope > 1e-9 else largest
    return low / math.log(2), high / math.log(2)


def tables(r: Sequence[int], c: Sequence[int]) -> list[list[list[int]]]:
    """All tables with these row and column sums."""
    if not r:
        return [[]] if not any(c) else []
    found = []
    for line in lines(r[0], c):
        rest = [b - k for b, k in zip(c, line, strict=True)]
        found += [[line, *others] for others in tables(r[1:], rest)]
    return found


def lines(total: int, most: Sequence[int]) -> list[list[int]]:
    if not most:
        return [[]] if total == 0 else []
    return [[k, *others] for k in range(min(total, most[0]) + 1) for others in lines(total - k, most[1:])]
