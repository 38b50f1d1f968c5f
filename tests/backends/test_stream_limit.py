"""The budget is kept: a search in a process that may not have more memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bitsep

SEARCH = """
import os, resource, sys
os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[2]), int(sys.argv[2])))
import bitsep
scan = bitsep.scan_parquet(sys.argv[1], memory=sys.argv[3])
found = bitsep.pc_stable(scan, max_given=1, threads=2)
assert scan.spilled
sys.stdout.write(found.to_json())
"""


@pytest.mark.slow
def test_hard_limit(tmp_path: Path) -> None:
    frame = bitsep.load_network("alarm").sample(100_000, seed=1)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    path = tmp_path / "data.parquet"
    with pq.ParquetWriter(path, table.schema) as writer:
        for _ in range(40):
            writer.write_table(table)
    limit = 500 << 20  # the interpreter, its libraries and their threads take the most of it
    found = subprocess.run(
        [sys.executable, "-c", SEARCH, str(path), str(limit), "150MB"], stdout=subprocess.PIPE, check=True, text=True
    )
    # Forty times the rows: the same as a weight of forty.
    weighted = bitsep.Table(frame.assign(weight=40), weights="weight")
    expected = json.loads(bitsep.pc_stable(weighted, max_given=1).to_json())
    assert expected["warnings"].pop(0).startswith("The weights make 4,000,000 rows of 100,000")
    assert json.loads(found.stdout) == expected
