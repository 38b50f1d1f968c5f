"""The number of processors that this process can use."""

from __future__ import annotations

import math
import os
from functools import cache
from pathlib import Path, PurePosixPath

from bitsep.checks import integer

THREADS_PER_PROCESSOR = 4
"""The largest number of threads per processor: more would only use memory. Results do not depend on it."""

_ALWAYS_ALLOWED = 16


def thread_count(threads: int | None) -> int:
    """The number of threads to use: all available processors by default; above 16 at most four per processor."""
    if threads is None:
        return available_processors()
    number = integer("threads", threads, at_least=1)
    if number <= _ALWAYS_ALLOWED:
        return number
    return max(_ALWAYS_ALLOWED, min(number, THREADS_PER_PROCESSOR * available_processors()))


def available_processors() -> int:
    """The number of processors that this process can use, limited by its CPU affinity and control group quota."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(min(allowed, _control_group_quota())))


@cache
def _control_group_quota() -> float:
    return control_group_quota(Path("/"))


def control_group_quota(root: Path) -> float:
    """The processor time that the control groups of this process allow, in processors; infinite without a limit.

    Groups are nested, and the smallest quota counts. In a container the path of the group is often not visible; the
    mounted group is then that of the container.
    """
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return math.inf
    mounted = root / "sys/fs/cgroup"
    quota = math.inf
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            folder, read = mounted, _read_version_2
        elif "cpu" in controllers.split(","):
            folder, read = mounted / "cpu", _read_version_1
        else:
            continue
        inside = PurePosixPath(path.lstrip("/"))
        quota = min([quota, *(read(folder / group) for group in (inside, *inside.parents))])
    return quota


def _read_version_2(group: Path) -> float:
    try:
        quota, period = (group / "cpu.max").read_text().split()
        return math.inf if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError):
        return math.inf


def _read_version_1(group: Path) -> float:
    try:
        quota = int((group / "cpu.cfs_quota_us").read_text())
        return math.inf if quota <= 0 else quota / int((group / "cpu.cfs_period_us").read_text())
    except (OSError, ValueError):
        return math.inf
