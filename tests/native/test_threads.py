"""Threads stay from call to call; a forked process makes its own."""

from __future__ import annotations

import multiprocessing
import sys

import pytest

import bitsep


def skeleton_size(threads: int) -> int:
    return len(bitsep.pc_stable(bitsep.load_network("asia").sample(500, seed=1), threads=threads).skeleton)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_forked_process_can_search_with_threads():
    expected = skeleton_size(threads=3)  # the parent's helpers exist now, and do not survive the fork
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(skeleton_size, [1, 2, 3, 4], chunksize=1) == [expected] * 4
    assert skeleton_size(threads=3) == expected
