"""PC-stable on a table larger than memory: time per row with a hard memory limit, compared with the memory backend.

Run by hand::

    python benchmarks/bench_stream.py --rows 50000000 --folder /tmp/bitsep-bench

Generates Alarm as Parquet, batch by batch (once; a file of the right length is used again), then measures in new
processes: the stream with RLIMIT_DATA, and the memory backend on as many rows as fit (`--memory-rows`).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

BATCH = 1_000_000


def generate(path: Path, rows: int) -> None:
    """Write a sample of Alarm, with at most one batch in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    import bitsep

    network = bitsep.load_network("alarm")
    part = path.with_suffix(".part")
    writer = None
    for number, begin in enumerate(range(0, rows, BATCH)):
        frame = network.sample(min(BATCH, rows - begin), seed=number)
        table = pa.Table.from_pandas(frame, preserve_index=False)
        writer = writer or pq.ParquetWriter(part, table.schema, compression="snappy")
        writer.write_table(table.cast(writer.schema), row_group_size=BATCH // 4)
        print(f"\rgenerated {begin + table.num_rows:,} rows", end="", file=sys.stderr)
    assert writer is not None
    writer.close()
    print(file=sys.stderr)
    os.replace(part, path)


def stream(path: str, memory: str, limit: int, threads: int | None) -> dict[str, object]:
    """PC-stable on a scan, with a hard limit on the memory of this process."""
    if limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    import bitsep

    _warm(path)
    times = [(time.perf_counter(), time.process_time())]
    scan = bitsep.scan_parquet(path, memory=memory)
    rows = scan.n_rows
    times.append((time.perf_counter(), time.process_time()))
    found = bitsep.pc_stable(scan, orientation="standard", threads=threads)
    times.append((time.perf_counter(), time.process_time()))
    passes: Any = next(iter(scan._counters.values()))
    return _report("stream", rows, times, found.tests_run, spilled=scan.spilled, passes=passes.passes_made)


def memory(path: str, rows: int, threads: int | None) -> dict[str, object]:
    """PC-stable on a table in memory."""
    import pyarrow.parquet as pq

    import bitsep

    groups = [g for g in range(pq.ParquetFile(path).num_row_groups) if g * (BATCH // 4) < rows]
    times = [(time.perf_counter(), time.process_time())]
    table = bitsep.Table(pq.ParquetFile(path).read_row_groups(groups))
    times.append((time.perf_counter(), time.process_time()))
    found = bitsep.pc_stable(table, orientation="standard", threads=threads)
    times.append((time.perf_counter(), time.process_time()))
    return _report("memory", table.n_rows, times, found.tests_run)


def _warm(path: str) -> None:
    """Read the file once, so that it is in the page cache."""
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 24):
            pass


def _report(name: str, rows: int, times: list[tuple[float, float]], tests: int, **more: object) -> dict[str, object]:
    (a, ca), (b, cb), (c, cc) = times
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    data = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData"))
    return {
        "backend": name,
        "rows": rows,
        "tests": tests,
        "read_s": round(b - a, 2),
        "search_s": round(c - b, 2),
        "search_cpu_s": round(cc - cb, 2),
        "read_cpu_s": round(cb - ca, 2),
        "search_ns_per_row": round((c - b) / rows * 1e9, 1),
        "search_cpu_ns_per_row": round((cc - cb) / rows * 1e9, 1),
        "data_mb_at_end": int(data.split()[1]) // 1000,
        "peak_rss_mb": peak // 1000,
        **more,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--memory-rows", type=int, default=5_000_000)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/bitsep-bench"))
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--limit", type=int, default=2 << 30, help="RLIMIT_DATA in bytes; 0: none")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--only", choices=["stream", "memory"])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / f"alarm-{options.rows}.parquet"
    if options.only == "stream":
        print(json.dumps(stream(str(path), options.memory, options.limit, options.threads)))
    elif options.only == "memory":
        print(json.dumps(memory(str(path), options.memory_rows, options.threads)))
    else:
        if not path.exists():
            generate(path, options.rows)
        for backend in ("memory", "stream"):
            subprocess.run([sys.executable, __file__, *sys.argv[1:], "--only", backend], check=True)


if __name__ == "__main__":
    main()
