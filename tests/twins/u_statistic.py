"""The U-statistic of `u_calibrated` and its distribution given the margins."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from twins.calibrated import MOST_COMBINATIONS, MOST_VALUES, Margins, falling, log_of, log_smooth_tail, tables

Levels = tuple[int, int]
"""The domain sizes of X and Y."""

MOST_EXACT_COUNTS = 10
ROUNDING_PER_ROW = 2.0**-46  # the statistic is not known better than that; its standard deviation counts as this


def weights(counts: Sequence[int], levels: int) -> list[Fraction]:
    n = sum(counts)
    return [1 / (Fraction(1, levels) + Fraction(count, n)) for count in counts]


def statistic(margins: Margins, table: Sequence[Sequence[int]], levels: Levels) -> Fraction:
    """n U, an unbiased estimate of n² times the weighted squared distance from independence, divided by n."""
    rows, columns = margins
    n = sum(rows)
    a, b = weights(rows, levels[0]), weights(columns, levels[1])
    cells = [(i, j, table[i][j]) for i, j in product(range(len(rows)), range(len(columns)))]
    pairs = sum(a[i] * b[j] * count * (count - 1) for i, j, count in cells)
    mixed = sum(a[i] * b[j] * count * (rows[i] - 1) * (columns[j] - 1) for i, j, count in cells)
    both = math.prod(
        sum(weight * count * (count - 1) for weight, count in zip(one, counts, strict=True))
        for one, counts in ((a, rows), (b, columns))
    )
    return (pairs + Fraction(both, (n - 1) * (n - 2)) - Fraction(2 * mixed, n - 2)) / (n - 3)


def centered_sums(counts: tuple[int, ...], levels: int) -> tuple[Fraction, Fraction, Fraction]:
    """Σ A², Σ A³ and Σ A(s,t) A(t,u) A(u,s) over different rows s, t, u; levels with the same count are one group."""
    n, grouped = sum(counts), Counter(counts)
    count, size = list(grouped), list(grouped.values())
    a = [1 / (Fraction(1, levels) + Fraction(c, n)) for c in count]
    means = [weight * (c - 1) / Fraction(n - 2) for weight, c in zip(a, count, strict=True)]
    pairs = sum(weight * c * (c - 1) * q for weight, c, q in zip(a, count, size, strict=True))
    overall = pairs / Fraction((n - 1) * (n - 2))
    known = range(len(count))
    apart = [[overall - means[g] - means[h] for h in known] for g in known]  # of rows with different levels
    same = [a[g] + apart[g][g] for g in known]
    if len(count) > MOST_EXACT_COUNTS:
        arrays = (np.array(one, dtype=float) for one in (count, size, apart, same))
        return rounded_sums(*arrays)
    rows = [c * q for c, q in zip(count, size, strict=True)]

    def over_pairs(power: int) -> Fraction:
        within = sum(q * c * (c - 1) * one**power for q, c, one in zip(size, count, same, strict=True))
        between = sum(rows[g] * (rows[h] - (g == h) * count[g]) * apart[g][h] ** power for g in known for h in known)
        return Fraction(within + between)

    triangles = sum(size[g] * math.perm(count[g], 3) * same[g] ** 3 for g in known)  # one level, two, three levels
    for g, h in product(known, repeat=2):
        others = rows[h] - (g == h) * count[g]
        triangles += 3 * rows[g] * (count[g] - 1) * others * same[g] * apart[g][h] ** 2
        for k in known:
            rest = rows[k] - (k == g) * count[g] - (k == h) * count[h]
            triangles += rows[g] * others * rest * apart[g][h] * apart[h][k] * apart[k][g]
    return over_pairs(2), over_pairs(3), Fraction(triangles)


def rounded_sums(
    count: np.ndarray, size: np.ndarray, apart: np.ndarray, same: np.ndarray
) -> tuple[Fraction, Fraction, Fraction]:
    """The same in floating point, for many different counts."""
    rows, own = count * size, apart.diagonal()
    within = size * count * (count - 1)

    def over_pairs(power: int) -> float:
        between = rows @ apart**power @ rows - (rows * count * own**power).sum()
        return float((within * same**power).sum() + between)

    by_rows = apart * rows
    all_triples = np.einsum("gh,hg->", by_rows @ by_rows, by_rows)
    to_others = (apart**2) @ rows  # a level of its own group is subtracted
    of_three = all_triples - 3 * (rows * count * own * to_others).sum() + 2 * (rows * count**2 * own**3).sum()
    of_two = 3 * (within * same * (to_others - count * own**2)).sum()
    of_one = (within * (count - 2) * same**3).sum()
    return Fraction(over_pairs(2)), Fraction(over_pairs(3)), Fraction(float(of_one + of_two + of_three))


def cumulants(margins: Margins, levels: Levels) -> tuple[Fraction, Fraction]:
    """Variance and third cumulant of n U; its mean is zero."""
    n = sum(margins[0])
    (s, c, d), (ss, cc, dd) = (centered_sums(margin, k) for margin, k in zip(margins, levels, strict=True))
    f = [Fraction(1, falling(n, k)) if k <= n else Fraction(0) for k in range(7)]
    variance = s * ss * (2 * f[2] + 4 * f[3] + 4 * f[4])
    # Patterns of three pairs of rows: the number of ways, of different rows, and the sum over A.
    patterns = [
        (4, 2, (1, 0)),  # the same pair three times
        (24, 3, (-1, 0)),  # one pair twice, another that shares a row
        (8, 3, (0, 1)),  # a triangle
        (8, 4, (2, 0)),  # a star
        (24, 4, (1, -1)),  # a path
        (6, 4, (2, 0)),  # one pair twice, another apart
        (12, 5, (-4, 2)),  # two that share a row, another apart
        (1, 6, (16, -8)),  # all apart
    ]
    third = sum((ways * f[k] * (p * c + q * d) * (p * cc + q * dd) for ways, k, (p, q) in patterns), Fraction(0))
    return variance / (n - 3) ** 2, third / (n - 3) ** 3


def distribution(margins: Margins, levels: Levels, most: int | None = None) -> dict[Fraction, Fraction] | None:
    """The probability of each value; None with more than `most` tables."""
    rows, columns = margins
    weight = Fraction(math.prod(map(math.factorial, rows + columns)), math.factorial(sum(rows)))
    found: dict[Fraction, Fraction] = {}
    for number, table in enumerate(tables(rows, columns), start=1):
        if most is not None and number > most:
            return None
        value = statistic(margins, table, levels)
        ways = math.prod(math.factorial(count) for line in table for count in line)
        found[value] = found.get(value, Fraction(0)) + weight / ways
    return found


def exact_tail(strata: Sequence[Margins], levels: Levels, value: Fraction) -> Fraction | None:
    """P(Σ n U ≥ value) where it has few values."""
    least = math.prod(min(rows[1], columns[1]) + 1 for rows, columns in strata)
    if least > MOST_VALUES or any(len(rows) * len(columns) > 64 or sum(rows) > 1 << 22 for rows, columns in strata):
        return None
    if levels[0] > levels[1]:
        strata, levels = [(columns, rows) for rows, columns in strata], levels[::-1]
    elif levels[0] == levels[1]:
        strata = [(rows, columns) if rows <= columns else (columns, rows) for rows, columns in strata]
    known: dict[Fraction, Fraction] = {Fraction(0): Fraction(1)}
    for margins in sorted(strata, key=lambda s: (len(s[0]), *s)):
        one = distribution(margins, levels, MOST_VALUES)
        if one is None or len(known) * len(one) > MOST_COMBINATIONS:
            return None
        combined: dict[Fraction, Fraction] = {}
        for (a, p), (b, q) in product(known.items(), one.items()):
            combined[a + b] = combined.get(a + b, Fraction(0)) + p * q
        known = combined
        if len(known) > MOST_VALUES:
            return None
    return sum((p for one, p in known.items() if one >= value), Fraction(0))


def log_p_value(strata: Sequence[Margins], levels: Levels, value: Fraction, n: int) -> float:
    """ln P(Σ n U ≥ value) as `u_calibrated` takes it; strata with four rows or more where nothing is constant."""
    known = [(margins, *cumulants(margins, levels)) for margins in strata]
    wanted = [margins for margins, variance, _ in known if variance]
    if not wanted:
        return 0.0
    exact = exact_tail(wanted, levels, value)
    if exact is not None:
        return log_of(exact)
    variance, third = (float(sum(values)) for values in zip(*(moments for _, *moments in known), strict=True))
    return log_smooth_tail(float(value), 0.0, max(variance, (n * ROUNDING_PER_ROW) ** 2), third)
