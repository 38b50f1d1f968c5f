"""How well effect sizes are estimated, and how well `bitsep.power` predicts the power of tests.

Usage: python -m benchmarks.effects [--sets N]     prints the tables of docs/one-test.md in some minutes

Y is a copy of X with probability V, and drawn from the distribution of X otherwise, so that Cramér's V is V in every
stratum. Strata are equally probable.

- even: the levels of X are equally probable;
- skewed: each level has 40% of the probability of the one before.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

import bitsep

SIZES = ((2, 1), (3, 4), (4, 16))  # levels of X and Y, strata
COPIED = (0.0, 0.2, 0.5, 0.9)
ROWS = (100, 1000)
SKEW = {"even": 1.0, "skewed": 0.4}
POWER = (
    ((2, 1), 0.15, 300),
    ((3, 1), 0.2, 150),
    ((3, 4), 0.15, 500),
    ((3, 4), 0.3, 100),
    ((4, 16), 0.2, 1000),
    ((10, 1), 0.1, 500),
    ((10, 1), 0.1, 3600),
    ((10, 1), 0.2, 100),
)
METHODS = ("x2_calibrated", "g2_adjusted", "sci_f")
SETS = 1000


def probabilities(levels: int, skew: float) -> np.ndarray:
    weights: np.ndarray = skew ** np.arange(levels)
    return weights / weights.sum()


def information(levels: int, skew: float, copied: float) -> float:
    """The conditional mutual information of the distribution, in bits."""
    p = probabilities(levels, skew)
    joint = (1 - copied) * np.outer(p, p) + copied * np.diag(p)
    return float((joint * np.log2(joint / np.outer(p, p))).sum())


def results(
    sizes: tuple[int, int], skew: float, copied: float, rows: int, sets: int, method: str
) -> Iterator[bitsep.IndependenceResult]:
    """The tests of many data sets."""
    levels, strata = sizes
    rng = np.random.default_rng([levels, strata, rows, round(100 * copied), round(100 * skew)])
    p = probabilities(levels, skew)
    for first in range(0, sets, 100):  # many data sets as separate columns of one table
        columns = {}
        for i in range(first, min(first + 100, sets)):
            x = rng.choice(levels, rows, p=p)
            y = np.where(rng.random(rows) < copied, x, rng.choice(levels, rows, p=p))
            columns |= {f"x{i}": x, f"y{i}": y, f"z{i}": rng.integers(0, strata, rows)}
        queries = [(f"x{i}", f"y{i}", (f"z{i}",)) for i in range(first, min(first + 100, sets))]
        yield from bitsep.evaluate(bitsep.Table(pd.DataFrame(columns)), queries, method=method)


def print_estimates(sets: int) -> None:
    print("| levels, strata | drawn | rows | V | mean `effect_size` | bits per row | plug-in | corrected | interval |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for (sizes, (drawn, skew)), rows, copied in product(product(SIZES, SKEW.items()), ROWS, COPIED):
        true = information(sizes[0], skew, copied)
        found = list(results(sizes, skew, copied, rows, sets, "x2_calibrated"))
        intervals = [r.cmi_interval or (0.0, 0.0) for r in found]
        size, plug_in, corrected, covered = np.mean(
            [
                (r.effect_size, r.cmi_bits - true, (r.cmi_corrected_bits or 0.0) - true, low - 1e-9 <= true <= high)
                for r, (low, high) in zip(found, intervals, strict=True)
            ],
            axis=0,
        )
        print(
            f"| {sizes[0]}, {sizes[1]} | {drawn} | {rows:,} | {copied:g} | {size:.2f} | {true:.3f} | {plug_in:+.3f} | "
            f"{corrected:+.3f} | {covered:.0%} |",
            flush=True,
        )


def print_power(sets: int) -> None:
    print("| levels, strata | V | rows | test | `bitsep.power` | simulated |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (sizes, effect, rows), method in product(POWER, METHODS):
        found = [not r.independent for r in results(sizes, 1.0, effect, rows, sets, method)]
        expected = bitsep.power(sizes[0], *sizes, effect_size=effect, rows=rows, method=method).power
        print(
            f"| {sizes[0]}, {sizes[1]} | {effect:g} | {rows:,} | `{method}` | {expected:.0%} | {np.mean(found):.0%} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="How well effect sizes and power are estimated.")
    parser.add_argument("--sets", type=int, default=SETS, help=f"data sets per line (default {SETS})")
    sets = parser.parse_args().sets
    print_estimates(sets)
    print()
    print_power(sets)


if __name__ == "__main__":
    main()
