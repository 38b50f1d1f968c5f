"""The multinomial regret C(n, k), four times: by definition, exact, precise, and in floats.

All but the first use Mononen and Myllymäki's sum as the paper's appendix prints it (proof of the log-concavity)::

    C(n, k) = Σ_j m(j, n),   m(0, n) = 1,   m(j, n) = m(j-1, n) (n-j+1)(j+k-2) / (n j)

Every term is positive, so nothing cancels, and the cost does not grow with k. bitsep uses a recurrence in k.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache


def regret_by_definition(n: int, k: int) -> Fraction:
    """Section 3: Σ over counts that add up to n of n!/(c1!…ck!) Π (ci/n)^ci. Tiny n and k only."""
    if n == 0:
        return Fraction(1)
    total = Fraction(0)
    for counts in _compositions(n, k):
        ways = math.factorial(n)
        likelihood = Fraction(1)
        for count in counts:
            ways //= math.factorial(count)
            likelihood *= Fraction(count, n) ** count
        total += ways * likelihood
    return total


def _compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (n,)
        return
    for head in range(n + 1):
        for tail in _compositions(n - head, parts - 1):
            yield (head, *tail)


def regret_exact(n: int, k: int) -> Fraction:
    """The sum in exact fractions."""
    term = total = Fraction(1)
    for j in range(1, n + 1):
        term *= Fraction((n - j + 1) * (j + k - 2), n * j)
        total += term
    return total


def log2_regret_precise(n: int, k: int, digits: int = 160) -> float:
    """The sum in integers with at least `digits` binary digits; each step errs by less than 2^-digits."""
    term = total = 1 << digits
    exponent = 0
    for j in range(1, n + 1):
        term = term * ((n - j + 1) * (j + k - 2)) // (n * j)
        if term == 0:
            break
        total += term
        if total.bit_length() > 4 * digits:
            term, total, exponent = term >> digits, total >> digits, exponent + digits
    return math.log2(Fraction(total, 1 << digits)) + exponent


@cache
def log2_regret(n: int, k: int) -> float:
    """The sum in floats, scaled down whenever it grows large."""
    term = total = 1.0
    exponent = 0
    for j in range(1, n + 1):
        term *= (n - j + 1) * (j + k - 2) / (n * j)
        total += term
        if total > 2.0**500:
            term, total, exponent = term * 2.0**-500, total * 2.0**-500, exponent + 500
        elif term < total * 2.0**-80 and (n - j) * (j + k - 1) < n * (j + 1):
            break  # past the largest term and too small to matter: the rest is smaller still
    return math.log2(total) + exponent
