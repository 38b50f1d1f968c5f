"""The statistics and scores for counts too large to be written down as rows: from counts, in 50 digits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath

from twins.u_statistic import statistic

Cells = Mapping[tuple[Hashable, Hashable, Hashable], int]
"""The count of each combination of values of X, Y and Z."""

mp = mpmath.mp.clone()
mp.dps = 50


@cache
def regret(n: int, k: int) -> Any:
    """C(n, k): C(n, 2) from Ramanujan's integral, then Kontkanen and Myllymäki's recurrence in k."""
    if n == 0 or k == 1:
        return mp.mpf(1)
    if k == 2:
        root = mp.sqrt(n)
        return 1 + root * mp.quad(lambda u: mp.exp((n - 1) * mp.log1p(u / root) - root * u), [0, 2, 5, 9, 16])
    return regret(n, k - 1) + mp.mpf(n) / (k - 2) * regret(n, k - 2)


def log2_regret(n: int, k: int) -> Any:
    for smaller in range(2, k, 100):  # no deep recursion
        regret(n, smaller)
    return mp.log(regret(n, k), 2)


def margin(cells: Cells, *places: int) -> dict[tuple[Hashable, ...], int]:
    """The counts of some of the three variables."""
    found: Counter[tuple[Hashable, ...]] = Counter()
    for values, count in cells.items():
        found[tuple(values[i] for i in places)] += count
    return dict(found)


def x_log2_x(counts: Mapping[Any, int]) -> Any:
    return mp.fsum(count * mp.log(count, 2) for count in counts.values() if count)


def information(cells: Cells) -> Any:
    """n·Î(X;Y|Z) = Σ c log2 c over cells, minus that over (x, z) and (y, z), plus that over z."""
    return x_log2_x(cells) - x_log2_x(margin(cells, 0, 2)) - x_log2_x(margin(cells, 1, 2)) + x_log2_x(margin(cells, 2))


def x2(cells: Cells) -> Any:
    """Σ N² n_z / (row · column) - n."""
    rows, columns, strata = margin(cells, 0, 2), margin(cells, 1, 2), margin(cells, 2)
    return (
        mp.fsum(mp.mpf(c) ** 2 * strata[z,] / (rows[x, z] * columns[y, z]) for (x, y, z), c in cells.items() if c)
        - mp.fsum(strata.values())
    )  # fmt: skip


def u_statistic(cells: Cells, kx: int, ky: int) -> Any:
    """The sum of n U over the strata of at least four rows in which neither variable is constant."""
    rows, columns, strata = margin(cells, 0, 2), margin(cells, 1, 2), margin(cells, 2)
    found = Fraction(0)
    for (z,), n in strata.items():
        xs, ys = ([one for one, other in sums if other == z] for sums in (rows, columns))
        if n >= 4 and len(xs) > 1 and len(ys) > 1:
            margins = (tuple(rows[x, z] for x in xs), tuple(columns[y, z] for y in ys))
            found += statistic(margins, [[cells.get((x, y, z), 0) for y in ys] for x in xs], (kx, ky))
    return mp.mpf(found.numerator) / found.denominator


def regrets(counts: Mapping[Any, int], k: int) -> Any:
    return mp.fsum(log2_regret(count, k) for count in counts.values())


def threshold_sci_f(cells: Cells, kx: int, ky: int, kz: int) -> Any:
    rows, columns, strata = margin(cells, 0, 2), margin(cells, 1, 2), margin(cells, 2)
    return min(regrets(columns, kx) - regrets(strata, kx), regrets(rows, ky) - regrets(strata, ky))


def threshold_sci_q(cells: Cells, kx: int, ky: int, kz: int) -> Any:
    n = sum(cells.values())
    return log2_regret(n, kx * ky * kz) - log2_regret(n, ky * kz) - log2_regret(n, kx * kz) + log2_regret(n, kz)


def threshold_sci_fs(cells: Cells, kx: int, ky: int, kz: int) -> Any:
    strata = margin(cells, 2)
    return regrets(strata, kx * ky) - regrets(strata, kx) - regrets(strata, ky)


def threshold_jic(cells: Cells, kx: int, ky: int, kz: int) -> Any:
    return mp.mpf((kx - 1) * (ky - 1) * kz) / 2 * mp.log(sum(cells.values()), 2)


THRESHOLDS: Mapping[str, Callable[[Cells, int, int, int], Any]] = {
    "sci_f": threshold_sci_f,
    "sci_q": threshold_sci_q,
    "sci_fs": threshold_sci_fs,
    "cmi": lambda *_: mp.mpf(0),
    "jic": threshold_jic,
}


def evaluate(cells: Cells, kx: int, ky: int, method: str) -> dict[str, Any]:
    """What is independent of alpha: information, for tests with a statistic that, else the threshold."""
    strata = len(margin(cells, 2))
    found: dict[str, Any] = {"information_bits": float(information(cells)), "n": sum(cells.values())}
    if method in THRESHOLDS:
        found["threshold_bits"] = float(THRESHOLDS[method](cells, kx, ky, strata))
    elif method.startswith("x2"):
        found["statistic"] = float(x2(cells))
    elif method == "u_calibrated":
        found["statistic"] = float(u_statistic(cells, kx, ky))
    else:
        found["statistic"] = float(2 * mp.log(2) * information(cells))
    return found


def local_score(name: str, y: Mapping[tuple[Hashable, Hashable], int], levels: int, product: int) -> float:
    """The bits of Y given its parents, from the counts of (stratum, y)."""
    strata: Counter[Hashable] = Counter()
    for (stratum, _), count in y.items():
        strata[stratum] += count
    n = sum(strata.values())
    cells = {cell: count for cell, count in y.items() if count}
    entropy = x_log2_x(strata) - x_log2_x(cells)
    if name == "fnml":
        return float(entropy + regrets(strata, levels))
    if name == "qnml":
        return float(entropy + log2_regret(n, levels * product) - log2_regret(n, product))
    if name == "bic":
        return float(entropy + mp.log(n, 2) * (levels - 1) * product / 2)
    if name == "sparse_qnml":
        regret = log2_regret(n, len(cells)) - log2_regret(n, len(strata))
        places = place_bits(len(cells), levels * product) - place_bits(len(strata), product)
        bits = entropy + regret + places + 2 * mp.log(1 + levels * len(strata) - len(cells), 2)
        explains_nothing = len(strata) > 1 and bits >= n * mp.log(levels, 2)
        return float(bits + max(log2_regret(n, levels) - regret, 0) if explains_nothing else bits)
    a = mp.mpf(1) / product
    terms = [mp.loggamma(a + count) - mp.loggamma(a) for count in strata.values()]
    terms += [mp.loggamma(a / levels) - mp.loggamma(a / levels + count) for count in cells.values()]
    return float(mp.fsum(terms) / mp.log(2))


def place_bits(occupied: int, domain: int) -> Any:
    """The place of each occupied cell in the domain."""
    return occupied * mp.log(mp.mpf(domain) / occupied, 2)


def significance_floor(n: int) -> float:
    """What rounding may leave of a sum over n rows: 8 ε n log2 n bits."""
    return max(1e-7, 8 * 2.0**-52 * n * math.log2(max(n, 2)))
