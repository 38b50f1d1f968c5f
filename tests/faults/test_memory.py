"""Out of memory: the same result, or a MemoryError, after which the process still works; never a crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from faults.searches import SEARCHES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="limits the address space of forked processes"),
]
ROOT = Path(__file__).parents[1]

# Each search runs in forked processes whose address space is limited ever more: a child with the code 0 has the same
# result, 3 a MemoryError and then the same result of a small search, everything else is a failure. One megabyte is the
# least: with nothing left at all a new thread of Python does not start, and `Thread.start` of Python 3.11 waits for it
# without end.
LIMITED = """
import os, resource, signal, sys
from faults.searches import SEARCHES, alarm, asia

name = sys.argv[1]
search, small = SEARCHES[name], SEARCHES["pc_stable"]
data = asia(2000) if name in ("check", "expected_accuracy") else alarm()
expected, expected_small = search(data, threads=2), small(asia())
codes = []
for megabytes in (1, 2, 4, 6, 8, 12, 16, 24, 32, 64, 512):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (megabytes << 20), resource.RLIM_INFINITY))
        code = 9
        try:
            code = 0 if search(data, threads=2) == expected else 4
        except MemoryError:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            code = 3 if small(asia()) == expected_small else 5
        except BaseException as error:
            print(megabytes, repr(error), file=sys.stderr, flush=True)
        os._exit(code)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(*codes)
"""


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_with_too_little_memory_says_so(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LIMITED, name],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    codes = [int(code) for code in done.stdout.split()]
    assert codes, done.stderr
    assert set(codes) <= {0, 3}, (codes, done.stderr[-3000:])
    assert codes[-1] == 0
