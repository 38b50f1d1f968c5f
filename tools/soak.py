"""Mixed work in one process for half an hour: does its memory stay the same?

``python tools/soak.py --minutes 30`` repeats rounds of every kind of work (readers, tests, searches in memory and on
streams, bootstrap, reports, files, errors, forks, several Python threads) on both cores, on eight tables in turn. After
each round it samples the resident memory, the blocks that Python has allocated, threads and open files. The first third
is the warm-up: caches, pools of the allocators, lazily imported modules. The memory is flat if the median of the last
third is at most 2% above that of the second third; everything else ends with the exit code 1.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import statistics
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import bitsep
from bitsep.errors import BitsepError

TABLES = 8
MEGABYTE = 1 << 20
ALGORITHMS = ("grow_shrink", "iamb", "inter_iamb", "fast_iamb", "mmmb", "hiton_mb", "pcmb")
BAD = ("network n {", "network n { } probability ( x ) { table 1; }", "{" * 1000)


def nasty(seed: int) -> dict[str, Any]:
    """A table with many levels, missing values, one constant column and an identifier."""
    rng = np.random.default_rng(seed)
    rows = 3000
    columns: dict[str, Any] = {f"v{k}": rng.integers(0, 2 + k, rows) for k in range(6)}
    columns["many"] = rng.integers(0, 1000, rows)
    columns["constant"] = np.zeros(rows, int)
    columns["text"] = [None if x < 0.3 else f"level {x:.1f}" for x in rng.random(rows)]
    return columns


def tests_and_scores(table: bitsep.Table, seed: int) -> None:
    names = table.names
    queries = [(a, b, (c,)) for a in names[:6] for b in names[6:10] for c in names[10:14]]
    for method in ("sci_f", "g2_adjusted", "x2_calibrated", "cmi"):
        for result in bitsep.evaluate(table, queries, method=method, threads=2):
            str(result)
    bitsep.pairwise(table, threads=2)
    for score in ("bdeu", "bic", "sparse_qnml"):
        bitsep.score(table, bitsep.load_network("alarm"), score, threads=2)


def searches(table: bitsep.Table, seed: int, folder: Path) -> None:
    found = bitsep.pc_stable(table, threads=2, bootstrap=5, seed=seed)
    bitsep.Discovery.from_json(found.to_json())
    found.save_report(folder / "report.html")
    bitsep.fci(table, threads=2, max_given=2).graph.save(folder / "graph.graphml")
    best = bitsep.discover(table, threads=2, starts=2)
    bitsep.Network.fit(best).to_bif(folder / "network.bif.gz")
    bitsep.read_bif(folder / "network.bif.gz").sample(1000, seed=seed)
    bitsep.hill_climb(table, threads=2, checkpoint=folder / "checkpoint")
    bitsep.check(best, threads=2)
    str(best), best.edges, best.explain(*best.graph.variables[:2])
    for algorithm in ALGORITHMS:
        bitsep.markov_blankets(table, algorithm=algorithm, threads=2, targets=table.names[:5])


def files(frame: Any, folder: Path) -> None:
    frame.to_csv(folder / "rows.csv", index=False)
    frame.to_parquet(folder / "rows.parquet", index=False)
    for name in ("rows.csv", "rows.parquet"):
        bitsep.describe(folder / name)
        bitsep.pc_stable(bitsep.scan(folder / name, memory="50MB"), max_given=1, threads=2)


def failures(table: bitsep.Table) -> None:
    for text in BAD:
        with contextlib.suppress(BitsepError):
            bitsep.DAG.from_dot(text)
    with contextlib.suppress(BitsepError):
        bitsep.evaluate(table, [("nowhere", table.names[0], ())])

    def stop(stage: str, finished: int, total: int) -> None:
        raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        bitsep.pc_stable(table, threads=2, progress=stop)


def fork(table: bitsep.Table) -> None:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if bitsep.pc_stable(table, threads=2).edges else 2
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1]:
        raise SystemExit("a forked search failed")


def one_round(number: int, frames: list[Any]) -> None:
    seed = number % TABLES
    frame = frames[seed]
    table = bitsep.Table(frame)
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(name)
        tests_and_scores(table, seed)
        searches(table, seed, folder)
        files(frame, folder)
        failures(table)
        bitsep.describe(nasty(seed))
        bitsep.pc_stable(nasty(seed), threads=2, missing_as_level=True)
        fork(table)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda k: bitsep.boss(table, threads=1, starts=1, seed=k), range(4)))


def sample() -> dict[str, float]:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "rss_mb": pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE,
        "blocks": sys.getallocatedblocks(),
        "threads": len(os.listdir("/proc/self/task")),
        "files": len(os.listdir("/proc/self/fd")) - 1,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--out", type=Path, default=Path("build/soak.jsonl"))
    minutes = parser.parse_args().minutes
    out = parser.parse_args().out
    out.parent.mkdir(parents=True, exist_ok=True)
    frames = [bitsep.load_network("alarm").sample(2000, seed=seed) for seed in range(TABLES)]
    begin, rounds, samples = time.monotonic(), 0, []
    with out.open("w") as file:
        while (elapsed := time.monotonic() - begin) < 60 * minutes:
            one_round(rounds, frames)
            rounds += 1
            samples.append({"round": rounds, "seconds": round(time.monotonic() - begin, 1), **sample()})
            file.write(json.dumps(samples[-1]) + "\n")
            file.flush()
            if int((time.monotonic() - begin) / 60) > int(elapsed / 60):
                print(json.dumps(samples[-1]), flush=True)
    thirds = [samples[len(samples) * k // 3 : len(samples) * (k + 1) // 3] for k in range(3)]
    flat = True
    for key in ("rss_mb", "blocks", "threads", "files"):
        first, second, third = (statistics.median(s[key] for s in part) for part in thirds)
        grew = third / second - 1
        flat &= grew <= 0.02
        print(f"{key}: median {first:,.1f} / {second:,.1f} / {third:,.1f} by thirds, {grew:+.2%} after the warm-up")
    print(f"{rounds} rounds in {(time.monotonic() - begin) / 60:.1f} minutes: {'flat' if flat else 'GROWING'}")
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main())
