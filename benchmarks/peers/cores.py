"""Whether the machine gives whole cores.

What a guest of a shared host calls a core may be half of one: another guest's work on the other half takes it the same
units, for seconds at a time, and leaves it some 60% of its speed. One thread then looks slow, or two do.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time

_WORK = bytes(1 << 15)  # hashing it keeps the units of a core busy, and the GIL free
_ROUNDS = 7

SETTLING = 0.02  # seconds: wide vectors leave a core slower for a moment


def slowest() -> float:
    """Seconds that the slowest core takes for a small piece of work, all of them at it at the same time."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    together = threading.Barrier(len(cores), timeout=10.0)
    taken: list[float] = []

    def work(core: int) -> None:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {core})  # this thread alone
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
