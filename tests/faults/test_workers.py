"""Every search in worker processes of every kind, in several threads at once, and at the end of the interpreter."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

import bitsep
from faults.searches import SEARCHES, alarm, asia
from faults.workers import search

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
ROOT = Path(__file__).parents[1]


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code), *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@unix_only
@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_every_search_in_worker_processes(start: str) -> None:
    expected = [search(name) for name in SEARCHES]  # the threads of this process exist before the fork
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(start)) as pool:
        assert list(pool.map(search, SEARCHES, timeout=120)) == expected
    assert [search(name) for name in SEARCHES] == expected


@unix_only
def test_prefork_servers() -> None:
    """As gunicorn with `preload_app`: data and threads are made first, workers are forked later and serve requests; a
    worker that dies is replaced."""
    done = run("""
        import os, signal
        from faults.searches import SEARCHES, asia
        from bitsep import Table
        table = Table(asia())
        names = ["pc_stable", "boss", "blankets", "check"]
        expected = {name: SEARCHES[name](table, threads=2) for name in names}
        def worker(number):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                if number == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                os._exit(sum(SEARCHES[name](table, threads=2) != expected[name] for name in names for _ in range(3)))
            return child
        codes = []
        alive = [worker(number) for number in range(4)]
        while alive:
            child, status = os.wait()
            alive.remove(child)
            codes.append(os.waitstatus_to_exitcode(status))
            if codes[-1] == -signal.SIGKILL:
                alive.append(worker(9))
        print(sorted(codes), all(SEARCHES[name](table, threads=2) == expected[name] for name in names))
    """)
    assert done.stdout.strip() == "[-9, 0, 0, 0, 0] True", done.stderr


def test_every_search_in_several_threads_at_once() -> None:
    table = bitsep.Table(asia())  # shared: counts and effects are made when first used
    expected = {name: SEARCHES[name](asia(), threads=1) for name in SEARCHES}
    jobs = [name for name in SEARCHES for _ in range(3)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda name: SEARCHES[name](table, threads=2), jobs))
    assert [name for name, result in zip(jobs, found, strict=True) if result != expected[name]] == []


def test_lazy_attributes_in_several_threads_at_once() -> None:
    """One result, whose evidence, explanations and graph are made by eight threads at the same moment."""
    expected = bitsep.pc_stable(alarm(1000))
    texts = [expected.to_json(), str(expected), expected.graph.to_dot()]
    for _ in range(3):
        fresh = bitsep.pc_stable(alarm(1000))
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda k, d=fresh: [d.to_json(), str(d), d.graph.to_dot()][k % 3], range(24)))
        assert found == [texts[k % 3] for k in range(24)]


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
def test_the_interpreter_can_exit_while_a_search_runs(name: str) -> None:
    done = run(
        """
        import sys, threading, time
        from faults.searches import SEARCHES, alarm, asia
        name = sys.argv[1]
        data = asia(5000) if name in ("check", "expected_accuracy") else alarm(5000)
        def forever():
            while True:
                SEARCHES[name](data, threads=2)
        for _ in range(2):
            threading.Thread(target=forever, daemon=True).start()
        time.sleep(0.5)
        print("end")
        """,
        name,
    )
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr[-2000:]
    assert "terminate" not in done.stderr
