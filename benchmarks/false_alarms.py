"""How often each test calls independent variables dependent, by domain sizes, rows and distribution of the levels.

Usage: python -m benchmarks.false_alarms [--sets N]     prints the table of docs/sample-size.md in some 20 seconds

X and Y are drawn independently given Z, which is uniform:

- even: X and Y are uniform;
- skewed: each level has 40% of the probability of the one before;
- function: Y is a function of Z, but for noise in 10% of the rows; X is uniform.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

import bitsep

METHODS = ("sci_f", "sci_fs", "x2", "x2_calibrated", "g2_adjusted")
SIZES = ((2, 2, 4), (3, 3, 9), (4, 4, 16))
ROWS = (100, 300, 1000)
KINDS = ("even", "skewed", "function")
SETS = 2000


def false_alarms(kind: str, sizes: tuple[int, int, int], n: int, sets: int) -> list[float]:
    """For each method the share of `sets` data sets of n rows in which it says dependent."""
    rng = np.random.default_rng([n, *sizes])
    wrong = np.zeros(len(METHODS))
    for first in range(0, sets, 100):  # many data sets as separate columns of one table
        drawn = range(first, min(first + 100, sets))
        columns = {}
        for i in drawn:
            columns |= dict(zip((f"x{i}", f"y{i}", f"z{i}"), _draw(kind, sizes, n, rng), strict=True))
        table = bitsep.Table(pd.DataFrame(columns))
        queries = [(f"x{i}", f"y{i}", (f"z{i}",)) for i in drawn]
        for m, method in enumerate(METHODS):
            wrong[m] += sum(not result.independent for result in bitsep.evaluate(table, queries, method=method))
    return [float(share) for share in wrong / sets]


def _draw(
    kind: str, sizes: tuple[int, int, int], n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    size_x, size_y, size_z = sizes
    z = rng.integers(0, size_z, n)
    if kind == "skewed":
        return _skewed(size_x, n, rng), _skewed(size_y, n, rng), z
    x, y = rng.integers(0, size_x, n), rng.integers(0, size_y, n)
    if kind == "function":
        y = np.where(rng.random(n) < 0.1, y, rng.integers(0, size_y, size_z)[z])
    return x, y, z


def _skewed(size: int, n: int, rng: np.random.Generator) -> np.ndarray:
    weights = 0.4 ** np.arange(size)
    return rng.choice(size, n, p=weights / weights.sum())


def main() -> None:
    parser = argparse.ArgumentParser(description="How often each test calls independent variables dependent.")
    parser.add_argument("--sets", type=int, default=SETS, help=f"data sets per line (default {SETS})")
    sets = parser.parse_args().sets
    print(f"| levels of X, Y, Z | drawn | rows | {' | '.join(f'`{method}`' for method in METHODS)} |")
    print("| --- | --- | --- |" + " --- |" * len(METHODS))
    for sizes in SIZES:
        for kind in KINDS:
            for n in ROWS:
                shares = " | ".join(f"{share:.1%}" for share in false_alarms(kind, sizes, n, sets))
                print(f"| {', '.join(map(str, sizes))} | {kind} | {n:,} | {shares} |")


if __name__ == "__main__":
    main()
