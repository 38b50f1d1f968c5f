"""The distribution of X² given the margins: moments in rational arithmetic, exact tables, and the law between them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import mpmath
from scipy import special

Margins = tuple[tuple[int, ...], tuple[int, ...]]
"""The row sums and the column sums of one stratum, occupied levels only, descending."""

# N^m = Σ_k S(m, k) N (N-1) … (N-k+1), Stirling numbers of the second kind.
STIRLING = {2: {1: 1, 2: 1}, 4: {1: 1, 2: 7, 3: 6, 4: 1}, 6: {1: 1, 2: 31, 3: 90, 4: 65, 5: 15, 6: 1}}


def falling(x: int, k: int) -> int:
    return math.prod(range(x, x - k, -1)) if k else 1


def set_partitions(m: int) -> list[tuple[int, ...]]:
    """The block of each of m things, in all ways."""
    found: list[tuple[int, ...]] = [()] if m == 0 else []
    for shorter in set_partitions(m - 1) if m else []:
        found += [(*shorter, block) for block in range(max(shorter, default=-1) + 2)]
    return found


@cache
def sum_over_distinct(margin: tuple[int, ...], blocks: tuple[tuple[int, int], ...]) -> Fraction:
    """Σ over different levels i_1, i_2, … of Π (1/R)^power · R (R-1) … (k factors), a (power, k) per block."""
    if not blocks:
        return Fraction(1)
    first, others = blocks[0], blocks[1:]
    total = power_sum(margin, (first,)) * sum_over_distinct(margin, others)
    for i, other in enumerate(others):  # minus those where the first level is that of another block
        total -= sum_over_equal(margin, (first, other), others[:i] + others[i + 1 :])
    return total


def sum_over_equal(
    margin: tuple[int, ...], same: tuple[tuple[int, int], ...], others: tuple[tuple[int, int], ...]
) -> Fraction:
    """The same, where the blocks of `same` share a level that differs from those of the others."""
    total = power_sum(margin, same) * sum_over_distinct(margin, others)
    for i, other in enumerate(others):
        total -= sum_over_equal(margin, (*same, other), others[:i] + others[i + 1 :])
    return total


@cache
def power_sum(margin: tuple[int, ...], factors: tuple[tuple[int, int], ...]) -> Fraction:
    return sum(
        (
            levels * math.prod((Fraction(falling(count, k), count**power) for power, k in factors), start=Fraction(1))
            for count, levels in Counter(margin).items()
        ),
        Fraction(0),
    )


@cache
def raw_moment(rows: tuple[int, ...], columns: tuple[int, ...], m: int) -> Fraction:
    """E[(Σ N_ij² / (R_i C_j))^m]: the m cells share rows and columns in all ways (m = 3: 25 patterns)."""
    n, total = sum(rows), Fraction(0)
    for same_row, same_column in product(set_partitions(m), repeat=2):
        cells = list(dict.fromkeys(zip(same_row, same_column, strict=True)))
        members = Counter(zip(same_row, same_column, strict=True))
        for orders in product(*(STIRLING[2 * members[cell]].items() for cell in cells)):
            ks = [k for k, _ in orders]
            if sum(ks) > n:
                continue
            in_rows, in_columns = (
                tuple(
                    sorted(
                        (blocks.count(block), sum(k for cell, k in zip(cells, ks, strict=True) if cell[axis] == block))
                        for block in range(max(blocks) + 1)
                    )
                )
                for axis, blocks in enumerate((same_row, same_column))
            )
            ways = math.prod(s for _, s in orders)
            both = sum_over_distinct(rows, in_rows) * sum_over_distinct(columns, in_columns)
            total += ways * both / falling(n, sum(ks))
    return total


@cache
def cumulants(margins: Margins) -> tuple[Fraction, Fraction, Fraction]:
    """Mean, variance and third cumulant of X² = n Σ N²/(RC) - n."""
    n = sum(margins[0])
    first, second, third = (raw_moment(*margins, m) for m in (1, 2, 3))
    return (
        n * first - n,
        n**2 * (second - first**2),
        n**3 * (third - 3 * second * first + 2 * first**3),
    )


def tables(rows: Sequence[int], columns: Sequence[int]) -> Iterator[list[list[int]]]:
    """All tables with these margins."""
    if len(rows) == 1:
        yield [list(columns)]
        return
    for first in rows_of(rows[0], columns):
        rest = [c - used for c, used in zip(columns, first, strict=True)]
        for others in tables(rows[1:], rest):
            yield [list(first), *others]


def rows_of(total: int, limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(limits) == 1:
        if total <= limits[0]:
            yield (total,)
        return
    for first in range(max(0, total - sum(limits[1:])), min(total, limits[0]) + 1):
        for others in rows_of(total - first, limits[1:]):
            yield (first, *others)


def distribution(margins: Margins, most: int | None = None) -> dict[Fraction, Fraction] | None:
    """The probability of each value of X²; None with more than `most` tables."""
    rows, columns = margins
    n = sum(rows)
    weight = Fraction(math.prod(map(math.factorial, rows + columns)), math.factorial(n))
    found: dict[Fraction, Fraction] = {}
    for number, table in enumerate(tables(rows, columns), start=1):
        if most is not None and number > most:
            return None
        x2 = n * sum(
            Fraction(count**2, rows[i] * columns[j]) for i, line in enumerate(table) for j, count in enumerate(line)
        )
        ways = math.prod(math.factorial(count) for line in table for count in line)
        found[x2 - n] = found.get(x2 - n, Fraction(0)) + weight / ways
    return found


MOST_VALUES, MOST_COMBINATIONS = 256, 2048


def exact_tail(strata: Sequence[Margins], x2: Fraction) -> Fraction | None:
    """P(X² ≥ x2) where X² has few values."""
    least = math.prod(min(rows[1], columns[1]) + 1 for rows, columns in strata)
    if least > MOST_VALUES or any(len(rows) * len(columns) > 64 or sum(rows) > 1 << 22 for rows, columns in strata):
        return None
    known: dict[Fraction, Fraction] = {Fraction(0): Fraction(1)}
    for rows, columns in sorted((sorted((list(r), list(c))) for r, c in strata), key=lambda s: (len(s[0]), *s)):
        one = distribution((tuple(rows), tuple(columns)), MOST_VALUES)
        if one is None or len(known) * len(one) > MOST_COMBINATIONS:
            return None
        combined: dict[Fraction, Fraction] = {}
        for (a, p), (b, q) in product(known.items(), one.items()):
            combined[a + b] = combined.get(a + b, Fraction(0)) + p * q
        known = combined
        if len(known) > MOST_VALUES:
            return None
    return sum((p for value, p in known.items() if value >= x2), Fraction(0))


def log_smooth_tail(x2: float, mean: float, variance: float, third: float) -> float:
    """Pearson's type III law with these cumulants."""
    deviation = math.sqrt(variance)
    skewness = third / deviation**3
    size = max(abs(skewness), 0.02)
    shape, z = 4 / size**2, (x2 - mean) / deviation
    if skewness > -0.02:
        x = shape + 2 * z / size
        upper = float(special.gammaincc(shape, max(x, 0.0)))
        return math.log(upper) if upper > 1e-280 else float(mpmath.log(mpmath.gammainc(shape, x, regularized=True)))
    x = max(shape - 2 * z / size, 1e-6 * shape)
    return float(mpmath.log(mpmath.gammainc(shape, 0, x, regularized=True)))


Jump = tuple[float, float, float]
"""What a cell adds to X² when it is hit a number of times, how often it is, and what the other cells lose by it."""


def jumps_of(margins: Margins) -> list[Jump]:
    rows, columns = margins
    n, found = sum(rows), []
    for r, c in product(rows, columns):
        lost = (len(columns) - 1) / r + (len(rows) - 1) / c - 1 / (r * c)
        for hits in range(1, min(r, c, 4) + 1) if n > 10 * r * c else ():
            rate = falling(r, hits) * falling(c, hits) / (math.factorial(hits) * falling(n, hits))
            found.append((n * hits**2 / (r * c) - lost * hits, rate, lost * hits))
    return found


def log_law_tail(x2: float, mean: float, variance: float, third: float, jumps: Sequence[Jump]) -> float:
    """The law with rare large jumps apart."""
    hits, apart = 0.0, []
    for size, rate, lost in sorted(jumps, reverse=True)[:64]:
        less = mean - size * rate, variance - size**2 * rate * (1 - rate)
        if min(less) <= 0 or size < 5 * math.sqrt(less[1]) or hits + rate > 0.25:
            break
        third += 6 * lost * size * rate - size**3 * rate * (1 - rate) * (1 - 2 * rate)
        (mean, variance), hits = less, hits + rate
        apart.append((size, rate))
    if not apart:
        return log_smooth_tail(x2, mean, variance, third)
    gamma = 2 * variance**2 / mean
    third = min(max(third, gamma / 2), gamma * 3)

    def smooth(at: float) -> mpmath.mpf:
        return mpmath.exp(log_smooth_tail(at, mean, variance, third))

    tail = smooth(x2) + sum(smooth(x2 - size) * rate for size, rate in apart)
    together = apart[0][0]
    for k in range(2, len(apart) + 1):
        if x2 - together <= mean:
            break
        together += apart[k - 1][0]
        tail += mpmath.mpf(hits) ** k / mpmath.factorial(k) * smooth(x2 - together)
    return min(0.0, float(mpmath.log(tail)) - hits)


def log_of(probability: Fraction) -> float:
    """Its natural logarithm, also where a float would be zero."""
    if probability > Fraction(1, 10**280):
        return math.log(probability)
    return math.log(probability.numerator) - math.log(probability.denominator)


def log_p_value(strata: Sequence[Margins], x2: Fraction) -> float:
    """ln P(X² ≥ x2) as `x2_calibrated` takes it; the margins of strata where neither variable is constant."""
    if not strata:
        return 0.0
    mean, variance, third = (float(sum(values)) for values in zip(*map(cumulants, strata), strict=True))
    if variance < 1e-9:
        return 0.0
    exact = exact_tail(strata, x2)
    if exact is not None:
        return log_of(exact)
    jumps = [jump for margins in strata for jump in jumps_of(margins)]
    return log_law_tail(float(x2), mean, variance, third, jumps)
