"""Estimates the time of PC-stable for 10^10 rows × 100 variables on 100 executors, from the passes of a real search.

Run by hand::

    python benchmarks/cluster_cost.py

The passes are those of a real search (Alarm and 63 columns of Hepar II side by side, a sample of `--sample` rows),
with the requests of the Spark backend: the cost depends on how many sets of variables each pass counts, over which
columns, and with how many cells. Rates per row are measured on one core of this machine; bandwidths are options.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

import bitsep
from bitsep.counting.joint_counts import DenseJoint, Joint, VariableSet
from bitsep.counting.partial import Partial, PassPlan
from bitsep.counting.passes import PassCounter
from bitsep.counting.spark import SparkPasses
from bitsep.counting.stream import StreamPasses
from bitsep.independence.engines.passes import PassesEngine
from bitsep.independence.tests import resolve_method


@dataclass
class Round:
    """What one pass counts."""

    tables: int
    columns: int
    cells: int
    occupied: int
    seconds: float


class Recorded(StreamPasses):
    """Records its passes, which are as large as those of the Spark backend."""

    min_tests_per_pass = SparkPasses.min_tests_per_pass
    rounds: list[Round]

    def joint_counts(self, sets: Sequence[VariableSet]) -> list[Joint]:
        begin = time.process_time()
        found = super().joint_counts(sets)
        used = time.process_time() - begin
        cells = sum(one.cells.size if isinstance(one, DenseJoint) else len(one.count) for one in found)
        occupied = sum(
            int(np.count_nonzero(one.cells)) if isinstance(one, DenseJoint) else len(one.count) for one in found
        )
        self.rounds.append(Round(len(found), len({v for one in sets for v in one}), cells, occupied, used))
        return found


def search(rows: int) -> tuple[list[Round], int]:
    """The passes of a search on 100 variables, and its number of tests."""
    alarm = bitsep.load_network("alarm").sample(rows, seed=1)
    hepar = bitsep.load_network("hepar2").sample(rows, seed=2).iloc[:, :63]
    table = pa.Table.from_pandas(alarm.join(hepar.add_prefix("hepar ")), preserve_index=False)
    scan = bitsep.scan(table, memory="2GB")
    assert len(scan.names) == 100
    passes = Recorded(scan._read(), scan._budget, 1, lambda *_: None)
    passes.rounds = []
    engine = PassesEngine(PassCounter(passes), resolve_method("sci_f", None, {}))
    found = bitsep.pc_stable(engine, orientation="standard")
    return passes.rounds, found.tests_run


def base_cost(rows: int, columns: int) -> float:
    """Seconds of one core for the bitmaps of that many columns, with little counting."""
    draw = np.random.default_rng(1)
    codes = [draw.integers(0, 3, rows).astype(np.int8) for _ in range(columns)]
    plan = PassPlan.fitting([(i, i + 1) for i in range(0, columns - 1, 2)], [3] * columns, rows, 1 << 30)
    begin = time.process_time()
    Partial(plan, 1 << 30).add(codes, rows, None)
    return time.process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=200_000)
    parser.add_argument("--rows", type=float, default=1e10)
    parser.add_argument("--executors", type=int, default=100)
    parser.add_argument("--cores", type=int, default=4, help="cores per executor")
    parser.add_argument("--partitions", type=int, default=800)
    parser.add_argument("--scan-gb-per-s", type=float, default=1.0, help="rate from cache to Python worker, per core")
    parser.add_argument("--network-gb-per-s", type=float, default=1.0, help="rate into the driver, and per executor")
    options = parser.parse_args()
    rounds, tests = search(options.sample)
    cores = options.executors * options.cores
    base = base_cost(1 << 18, 100) / (1 << 18) / 100
    print(f"{tests:,} tests, {sum(one.tables for one in rounds):,} sets counted in {len(rounds)} passes")
    print(f"bitmaps: {base * 1e9:.2f} ns per row and column on one core")
    print("pass     sets  columns      cells   occupied  read/executor  shuffled  to driver  compute s  move s")
    total = 0.0
    for number, one in enumerate(rounds, 1):
        read = options.rows * one.columns / options.executors
        shuffled = options.partitions * one.occupied * 20
        collected = one.occupied * 20
        compute = one.seconds / options.sample * options.rows / cores
        compute += options.rows * one.columns / cores / (options.scan_gb_per_s * 1e9)
        move = shuffled / options.executors / (options.network_gb_per_s * 1e9) + collected / 1e9
        total += compute + move + 1
        print(
            f"{number:5d} {one.tables:7,} {one.columns:8} {one.cells:10,} {one.occupied:10,} {read / 1e9:11.1f} GB "
            f"{shuffled / 1e9:6.2f} GB {collected / 1e6:7.1f} MB {compute:10.1f} {move:7.2f}"
        )
    each = options.rows * sum(one.columns for one in rounds) / options.executors
    occupied = sum(one.occupied for one in rounds)
    print(
        f"all passes: {each / 1e9:.0f} GB read per executor, {occupied:,} occupied cells, "
        f"{options.partitions * occupied * 20 / 1e9:.0f} GB shuffled, {occupied * 20 / 1e6:.0f} MB to the driver"
    )
    largest = max(rounds, key=lambda one: one.cells)
    print(
        f"encoded data: {options.rows * 100 / 1e12:.1f} TB, {options.rows * 100 / options.executors / 1e9:.0f} GB each"
    )
    remembered = sum(one.cells for one in rounds) * 8
    print(f"driver: {largest.cells * 16 / 1e6:.0f} MB for the largest pass, {remembered / 1e6:.0f} MB for all counts")
    print(f"search: {total / 60:.1f} minutes (one second of latency per pass included)")


if __name__ == "__main__":
    main()
