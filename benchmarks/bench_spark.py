"""PC-stable on a local Spark cluster with one worker and with two.

Run by hand::

    python benchmarks/bench_spark.py --rows 5000000 --folder /tmp/bitsep-bench

Each number of workers gets a cluster of its own, with executors in processes of their own, and a process of its own for
the driver; encoding and search are timed apart, after a first search on few rows that starts every Python worker.

Every executor, its Java and its Python together, is kept on one processor core, as if it were a machine with one core:
otherwise the Java process and the Python process of a single worker would share the cores that the second one is to
bring along. ``--free`` lets them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path

JAVA = """#!/bin/sh
# An executor is pinned to the core with its number, and so are the processes it starts.
number=$(printf '%s\\n' "$@" | sed -n '/^--executor-id$/{{n;p;}}')
exec taskset -c "$((${{number:-0}} % {cores}))" {java} "$@"
"""


def one_core_each(folder: Path) -> Path:
    """A Java home whose `java` pins every executor to one core."""
    java = folder / "one-core-java" / "bin" / "java"
    java.parent.mkdir(parents=True, exist_ok=True)
    java.write_text(JAVA.format(cores=os.cpu_count(), java=shutil.which("java")))
    java.chmod(0o755)
    return java.parents[1]


def measure(path: str, workers: int, partitions: int, free: bool) -> dict[str, object]:
    """One cluster."""
    warnings.simplefilter("ignore")
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    from pyspark.sql import SparkSession

    import bitsep

    java = {} if free else {"spark.executorEnv.JAVA_HOME": str(one_core_each(Path(path).parent))}
    session = (
        SparkSession.builder.master(f"local-cluster[{workers},1,1536]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executor.memory", "1536m")
        .config("spark.sql.shuffle.partitions", str(workers))
        .config("spark.driver.host", "127.0.0.1")
        .config(map=java)
        # Split the file when it is read: a repartition would add to the time for reading.
        .config("spark.sql.files.maxPartitionBytes", str(-(-os.path.getsize(path) // partitions)))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    frame = session.read.parquet(path)
    bitsep.pc_stable(frame.limit(1000).repartition(2 * workers), max_given=0)
    begin = time.perf_counter()
    scan = bitsep.scan_spark(frame, progress=lambda *_: None)
    n = scan.n
    encoded = time.perf_counter()
    found = bitsep.pc_stable(scan, orientation="standard")
    end = time.perf_counter()
    result = {
        "workers": workers,
        "rows": n,
        "tests": found.tests_run,
        "rounds": scan.counter().passes_made,
        "encode_s": round(encoded - begin, 1),
        "search_s": round(end - encoded, 1),
        "total_s": round(end - begin, 1),
    }
    session.stop()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/bitsep-bench"))
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--free", action="store_true", help="executors may use all cores")
    options = parser.parse_args()
    path = options.folder / f"alarm-{options.rows}.parquet"
    if options.workers:
        print(json.dumps(measure(str(path), options.workers, options.partitions, options.free)))
        return
    if not path.exists():
        from bench_stream import generate

        options.folder.mkdir(parents=True, exist_ok=True)
        generate(path, options.rows)
    times = []
    for workers in (1, 2):
        command = [sys.executable, __file__, *sys.argv[1:], "--workers", str(workers)]
        out = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        print(out, end="")
        times.append(json.loads(out.splitlines()[-1]))
    for part in ("encode_s", "search_s", "total_s"):
        print(f"{part}: one worker takes {times[0][part] / times[1][part]:.2f} times as long as two")


if __name__ == "__main__":
    main()
