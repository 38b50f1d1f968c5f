"""Write native/tests/golden.hpp: what the slow twins (tests/twins) and mpmath say, for the native tests.

python tools/native_golden.py && make format
"""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path
from typing import Any

import mpmath
from scipy import special

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from twins import large, regret, scores, statistics  # noqa: E402

mpmath.mp.dps = 40

TABLES = [  # levels of X and Y, counts of all cells [strata][x][y]
    (2, 2, [30, 10, 10, 50]),
    (2, 2, [30, 10, 10, 50, 9, 0, 1, 0, 4, 4, 4, 5]),
    (2, 2, [1, 0, 0, 1]),
    (3, 3, [7, 2, 0, 1, 9, 3, 2, 2, 11, 0, 0, 4, 1, 0, 0, 0, 5, 2]),
    (2, 4, [3, 1, 4, 1, 5, 9, 2, 6, 0, 0, 1, 0, 2, 0, 0, 0]),
    (5, 6, [(7 * i * i + 3) % 11 for i in range(30)]),
    (3, 2, [2000, 1, 900, 0, 1, 3]),
    (3, 4, [4000, 900, 2, 1, 700, 150, 1, 0, 1, 3, 0, 1]),
    (6, 6, [900 if i == j else (i + 2 * j) % 3 == 0 and j > 3 for i in range(6) for j in range(6)]),
    (2, 3, [120, 130, 90, 110, 140, 95, 20, 30, 25, 35, 15, 22]),
    (2, 2, [6, 1, 2, 7, 5, 2, 1, 3, 2, 2, 3, 1, 4, 4, 0, 3]),
    (4, 4, [int(random.Random(i).expovariate(0.02)) for i in range(48)]),
    (2, 2, [4500, 4300, 4400, 4700, 300, 280, 310, 299]),
    (8, 2, [1, 0, 0, 1, 2, 0, 1, 1, 0, 3, 1, 0, 400, 380, 0, 2]),
    (2, 2, [5, 1, 2, 7, 0, 0, 0, 0, 0, 1, 0, 0]),
    (9, 3, [1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 2, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1]),
]
LARGE = [
    (2, 2, [2**40, 2**38 + 5, 2**39 + 11, 2**40 + 7]),
    (2, 3, [2**30, 2**29, 2**31, 2**28, 2**30, 7, 0, 0, 2**20, 3, 2**22, 0]),
]
N_AND_K = [
    *((2, 2), (3, 7), (10, 2), (50, 3), (4095, 2), (4096, 2), (5000, 2), (20000, 3), (1000, 30), (30, 1000)),
    *((5, 10**6), (1, 12), (300, 300), (7, 2**30), (100_000, 150_000), (120_000, 110_000), (200_000, 150_000)),
]
TAILS = [
    (x * df, df) for df in (0.4, 1.0, 2.0, 7.0, 33.0, 100.0, 1000.0, 20_000.0) for x in (0.3, 0.95, 1.0, 1.04, 1.3, 2.5)
]
TAILS += [(1e-8, 3.0), (900.0, 2.0), (1e-5, 0.5), (5000.0, 40.0)]


def number(value: Any) -> str:
    """A number of C++."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "NAN"
    if value in (math.inf, -math.inf):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


def rows_of(kx: int, ky: int, cells: list[int]) -> tuple[list[int], list[int], list[int]]:
    """The rows of a table."""
    found: tuple[list[int], list[int], list[int]] = ([], [], [])
    for place, count in enumerate(cells):
        for column, value in zip(found, (place // ky % kx, place % ky, place // (kx * ky)), strict=True):
            column += [value] * int(count)
    return found


def test_lines() -> list[str]:
    """Every test of every table that has all levels; of large ones what the twin knows."""
    lines = []
    for kx, ky, cells in TABLES:
        x, y, z = rows_of(kx, ky, cells)
        if len(set(x)) < kx or len(set(y)) < ky:
            raise ValueError("A level does not occur.")
        for method in statistics.METHODS:
            for alpha in (None, 0.001):
                one = statistics.evaluate([x], [y], [z], method, alpha=alpha)
                values = [one["cmi_bits"] * one["n"], one["threshold_bits"], one["score_bits"], one["statistic"],
                          one["df"], one["p_value"], one["no_hypercompression_bound"]]  # fmt: skip
                lines.append(line_of(method, alpha, kx, ky, cells, values))
    for kx, ky, cells in LARGE:
        counts = {(i // ky % kx, i % ky, i // (kx * ky)): c for i, c in enumerate(cells) if c}
        for method in ("sci_f", "sci_q", "sci_fs", "jic", "g2", "x2"):
            known = large.evaluate(counts, kx, ky, method)
            values = [
                known["information_bits"],
                known.get("threshold_bits"),
                None,
                known.get("statistic"),
                None,
                None,
                None,
            ]
            lines.append(line_of(method, None, kx, ky, cells, values))
    return lines


def line_of(method: str, alpha: float | None, kx: int, ky: int, cells: list[int], values: list[Any]) -> str:
    """An entry of the list of tests."""
    counts = ", ".join(str(int(count)) for count in cells)
    return f'{{"{method}", {number(alpha)}, {kx}, {ky}, {{{counts}}}, {", ".join(map(number, values))}}},'


def score_lines() -> list[str]:
    """Every score of every table."""
    lines = []
    for kx, ky, cells in TABLES:
        x, y, z = rows_of(kx, ky, cells)
        counts = ", ".join(str(int(count)) for count in cells)
        product = kx * len(cells) // (kx * ky)
        strata = list(zip(x, z, strict=True))
        for name, formula in scores.FORMULAS.items():
            for size in (0.2, 1.0, 30.0) if name == "bdeu" else (1.0,):
                bits = formula(y, strata, ky, product, size)
                lines.append(f'{{"{name}", {size}, {kx}, {ky}, {{{counts}}}, {number(bits)}}},')
    return lines


def regret_lines() -> list[str]:
    """Regrets by the sum over n in integers."""
    return [f"{{{n}, {k}, {number(regret.log2_regret_precise(n, k))}}}," for n, k in N_AND_K]


def tail_lines() -> list[str]:
    """Both tails of chi-square and their logarithms."""
    lines = []
    for x, df in TAILS:
        upper = mpmath.gammainc(df / 2, x / 2, regularized=True)
        lower = mpmath.gammainc(df / 2, 0, x / 2, regularized=True)
        values = (x, df, float(upper), float(mpmath.log(upper)), float(mpmath.log(lower)))
        lines.append(f"{{{', '.join(map(number, values))}}},")
    return lines


def quantile_lines() -> list[str]:
    """Quantiles of chi-square."""
    pairs = [(alpha, df) for alpha in (0.9, 0.5, 0.05, 0.001, 1e-12) for df in (1, 2, 3, 10, 77, 1000, 50_000)]
    pairs += [(0.9999, 1), (0.999999, 1), (0.9999, 2)]
    return [f"{{{alpha}, {df}.0, {number(2 * special.gammainccinv(df / 2, alpha))}}}," for alpha, df in pairs]


HEAD = """// Values of the slow twins in tests/twins and of mpmath: written by tools/native_golden.py.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace bitsep::golden {

struct TestValue {
    const char* name;
    double alpha; // NaN: the default
    std::int64_t kx, ky;
    std::vector<std::int64_t> cells;
    double information_bits, threshold_bits, score_bits, statistic, df, p_value, bound; // NaN: none, or not known
};
struct ScoreValue {
    const char* name;
    double sample_size;
    std::int64_t kx, ky;
    std::vector<std::int64_t> cells;
    double bits;
};
struct RegretValue {
    std::int64_t n;
    double k, log2_regret;
};
struct TailValue {
    double x, df, upper, log_upper, log_lower;
};
struct QuantileValue {
    double alpha, df, quantile;
};
"""


def main() -> None:
    """Write the file."""
    parts = [HEAD]
    for kind, name, lines in (
        ("TestValue", "tests", test_lines()),
        ("ScoreValue", "scores", score_lines()),
        ("RegretValue", "regrets", regret_lines()),
        ("TailValue", "tails", tail_lines()),
        ("QuantileValue", "quantiles", quantile_lines()),
    ):
        parts.append(f"inline const std::vector<{kind}> {name}{{\n" + "\n".join(lines) + "\n};\n")
    parts.append("} // namespace bitsep::golden\n")
    (ROOT / "native/tests/golden.hpp").write_text("\n".join(parts))


if __name__ == "__main__":
    main()
