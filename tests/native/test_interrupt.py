"""A long native run answers Ctrl-C, and reports progress meanwhile."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

# Some 10^6 tests of 4,000 rows each given eight variables: minutes of work.
LONG_RUN = """
import signal

import numpy as np
from bitsep.independence import Queries, Ragged, open_engine

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us with SIGINT ignored
rng = np.random.default_rng(0)
engine = open_engine({f"v{i:02}": rng.integers(0, 3, 4000) for i in range(10)}, "cmi", threads=2)
m = 1_000_000
given = Ragged(np.arange(0, 8 * m + 1, 8), np.tile(np.arange(2, 10, dtype=np.int32), m))
queries = Queries(np.zeros(m, np.int32), np.ones(m, np.int32), given)
engine.evaluate(queries, lambda finished, total: print("progress", finished, total, flush=True))
"""


def test_ctrl_c_ends_a_run_and_progress_is_reported():
    process = subprocess.Popen(
        [sys.executable, "-c", LONG_RUN], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("progress")
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    assert time.monotonic() - begin < 5  # within a second on an idle machine; tests must not fail on a busy one
