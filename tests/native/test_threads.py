"""Workers belong to one call at a time: they sleep afterwards, keep their affinity, and do not survive a fork."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from pathlib import Path

import pytest

import bitsep


def skeleton_size(threads: int) -> int:
    return len(bitsep.pc_stable(bitsep.load_network("asia").sample(500, seed=1), threads=threads).skeleton)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_forked_process_can_search_with_threads():
    expected = skeleton_size(threads=3)  # the parent's workers exist now, and do not survive the fork
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(skeleton_size, [1, 2, 3, 4], chunksize=1) == [expected] * 4
    assert skeleton_size(threads=3) == expected


@pytest.mark.parametrize("threads", [2, 4])
def test_no_thread_works_after_a_call_has_returned(threads: int):
    used = []
    for _ in range(5):  # other threads of the test run may work once
        skeleton_size(threads)
        before = time.process_time()
        time.sleep(0.05)
        used.append(time.process_time() - before)
    assert min(used) < 0.002, used


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_many_short_calls_start_few_threads():
    table = bitsep.Table(bitsep.load_network("asia").sample(500, seed=1))
    threads = len(os.listdir("/proc/self/task"))
    for _ in range(300):
        bitsep.evaluate(table, [("smoke", "lung", ()), ("smoke", "bronc", ())], threads=2)
    assert len(os.listdir("/proc/self/task")) <= threads + (os.cpu_count() or 1)


@pytest.mark.skipif(sys.platform != "linux", reason="the affinity of all threads is read from /proc")
def test_a_search_changes_no_affinity():
    def affinities() -> dict[str, str]:
        found = {}
        for status in Path("/proc/self/task").glob("*/status"):
            lines = status.read_text().splitlines()
            found[status.parent.name] = next(line for line in lines if line.startswith("Cpus_allowed:"))
        return found

    before = affinities()
    for threads in (2, 3, 4):
        skeleton_size(threads)
        after = affinities()
        assert before.items() <= after.items()
        assert len(set(after.values())) == len(set(before.values()))
