"""Measures whether the cores of the machine run at full speed.

A core of a virtual machine may be one of two hardware threads of a physical core. While another guest uses the other
one, often for seconds, the core has only about 60% of its speed. Timings of one or of two threads are then too long.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time

_WORK = bytes(1 << 15)  # hashing it keeps a core busy and releases the GIL
_ROUNDS = 7

SETTLING = 0.02  # seconds; a core is slower for a moment after AVX-512 code


def slowest() -> float:
    """Seconds that the slowest core takes for a short task that runs on all cores at the same time."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    together = threading.Barrier(len(cores), timeout=10.0)
    taken: list[float] = []

    def work(core: int) -> None:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {core})  # of this thread only
        together.wait()
        rounds = []
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            hashlib.blake2b(_WORK).digest()
            rounds.append(time.perf_counter() - start)
        taken.append(sorted(rounds)[_ROUNDS // 2])

    threads = [threading.Thread(target=work, args=(core,)) for core in cores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(taken)
