"""What `x2_calibrated` and permutation tests cost, in processor time of one thread.

Usage: python -m benchmarks.calibrated_cost [--repetitions N]

- PC-stable on samples of Alarm with 10,000 rows: `x2_calibrated` against `g2_adjusted`, in turns; the median of the
  ratios of each sample, at most 3;
- a permutation test with 1,000 tables of 10,000 rows, 3 x 3 levels and 9 strata: below 5 ms with sequential stopping
  where X and Y are independent, below 20 ms without.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np

import bitsep

SAMPLES = 5
ROWS = 10_000


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def search_seconds(data: object, method: str) -> float:
    table = bitsep.Table(data)  # new: no counts are cached
    return seconds(lambda: bitsep.pc_stable(table, method=method, threads=1).graph)


def search_costs(repetitions: int) -> None:
    print("| sample of Alarm | `g2_adjusted` | `x2_calibrated` | ratio |\n| --- | --- | --- | --- |")
    ratios = []
    for seed in range(1, SAMPLES + 1):
        data = bitsep.load_network("alarm").sample(ROWS, seed=seed)
        pairs = [
            tuple(search_seconds(data, one) for one in ("g2_adjusted", "x2_calibrated")) for _ in range(repetitions)
        ]
        ratios.append(median(calibrated / adjusted for adjusted, calibrated in pairs))
        base, ours = (1000 * median(times) for times in zip(*pairs, strict=True))
        print(f"| {seed} | {base:.1f} ms | {ours:.1f} ms | {ratios[-1]:.2f} |", flush=True)
    print(f"| median | | | {median(ratios):.2f} |\n")


def permutation_costs(repetitions: int) -> None:
    print("| permutation test | sequential | tables | all tables |\n| --- | --- | --- | --- |")
    rng = np.random.default_rng(0)
    x, z = rng.integers(0, 3, ROWS), rng.integers(0, 9, ROWS)
    y = rng.integers(0, 3, ROWS)
    for name, copied in (("independent", 0.0), ("dependent", 0.1)):
        table = bitsep.Table({"x": x, "y": np.where(rng.random(ROWS) < copied, x, y), "z": z})

        def test(sequential: bool, seed: int, table: bitsep.Table = table) -> bitsep.IndependenceResult:
            return bitsep.independence_test(
                table, "x", "y", given="z", method="x2", permutations=1000, seed=seed, sequential=sequential
            )

        drawn = test(True, 0).permutations
        early, full = (
            1000 * median(seconds(lambda s=sequential, i=i: test(s, i)) for i in range(repetitions))
            for sequential in (True, False)
        )
        print(f"| {name} | {early:.1f} ms | {drawn:,} | {full:.1f} ms |")


def main() -> None:
    parser = argparse.ArgumentParser(description="What x2_calibrated and permutation tests cost.")
    parser.add_argument("--repetitions", type=int, default=21, help="of each measurement (default 21)")
    repetitions = parser.parse_args().repetitions
    search_costs(repetitions)
    permutation_costs(repetitions)


if __name__ == "__main__":
    main()
