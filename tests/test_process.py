"""Native calls beside forks, at the end of the interpreter, and with more threads than there is room for."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import bitsep
from bitsep.processors import control_group_quota, thread_count

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork and no resource limits")


def run(code: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=timeout
    )


@unix_only
def test_children_forked_while_another_thread_searches_can_search_the_same_table():
    done = run("""
        import os, signal, threading, time
        import bitsep

        data = bitsep.load_network("alarm").sample(3000, seed=1)
        expected = len(bitsep.pc_stable(data, threads=2).skeleton)
        shared = {"table": bitsep.Table(data)}
        stop = False

        def search():
            while not stop:
                shared["table"] = bitsep.Table(data)  # bitmaps and counts are made anew, under their locks
                bitsep.pc_stable(shared["table"], threads=2)

        searching = threading.Thread(target=search)
        searching.start()
        failed = 0
        for i in range(60):
            time.sleep(0.001 * (i % 7))
            child = os.fork()
            if child == 0:
                signal.alarm(20)  # a child that hangs is ended and counted
                found = len(bitsep.pc_stable(shared["table"], threads=1 + i % 2).skeleton)
                os._exit(0 if found == expected else 1)
            failed += os.waitpid(child, 0)[1] != 0
        stop = True
        searching.join()
        print(failed)
    """)
    assert done.stdout.strip() == "0", done.stderr


@unix_only
def test_a_fork_inside_a_progress_callback_ends_the_call_in_the_child():
    done = run("""
        import os, signal
        import bitsep

        table = bitsep.Table(bitsep.load_network("alarm").sample(5000, seed=1))
        queries = [("CVP", "PCWP", ("HR", "CO", "TPR"))] * 1_000_000
        children = []

        def progress(stage, finished, total):
            if not children:
                children.append(os.fork())
                if children[0] == 0:
                    signal.alarm(60)

        try:
            bitsep.evaluate(table, queries, threads=2, progress=progress)
        except RuntimeError as error:
            assert children == [0] and "forked" in str(error)
            os._exit(len(bitsep.pc_stable(table, threads=2).skeleton))
        status = os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1])
        print(status == len(bitsep.pc_stable(table).skeleton))
    """)
    assert done.stdout.strip() == "True", done.stderr


@pytest.mark.parametrize(
    "call", ["pc_stable(table)", "evaluate(table, queries)", "pc_stable(table, progress=callback)"]
)
def test_the_interpreter_can_exit_while_daemon_threads_are_in_native_code(call: str):
    done = run(f"""
        import threading, time
        import bitsep

        table = bitsep.Table(bitsep.load_network("alarm").sample(20_000, seed=1))
        queries = [("CVP", "PCWP", ("HR", "CO", "TPR"))] * 2000

        def slow(stage, finished, total):
            time.sleep(0.01)

        def forever():
            while True:
                bitsep.{call}

        for _ in range(3):
            threading.Thread(target=forever, daemon=True).start()
        time.sleep(0.5)
        print("end")
    """)
    assert done.stdout.strip() == "end"
    assert done.returncode == 0, done.stderr
    assert "terminate" not in done.stderr


def test_exit_handlers_may_still_use_the_library():
    done = run("""
        import atexit
        data = {"x": [0, 1] * 50, "y": [0, 0, 1, 1] * 25}
        verdict = lambda: bitsep.independence_test(data, "x", "y").verdict
        atexit.register(lambda: print(verdict(), len(bitsep.pc_stable(data).edges)))
        import bitsep
        bitsep.pc_stable(data)
    """)
    assert done.stdout.strip() == "independent 0", done.stderr


@pytest.mark.parametrize("threads", [100, 3000, 10**6])
def test_huge_numbers_of_threads_are_bounded(threads: int):
    data = bitsep.load_network("asia").sample(500, seed=1)
    expected = bitsep.pc_stable(data, threads=1).to_json()  # other libraries start their threads now
    before = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 0
    assert bitsep.pc_stable(data, threads=threads).to_json() == expected
    assert thread_count(threads) <= max(16, 4 * (os.cpu_count() or 1))
    if sys.platform == "linux":
        assert len(os.listdir("/proc/self/task")) <= before + thread_count(threads)


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of the address space makes starting threads fail")
def test_a_search_goes_on_where_no_more_threads_can_be_started():
    done = run("""
        import resource, threading
        import bitsep

        data = bitsep.load_network("asia").sample(500, seed=1)
        expected = bitsep.pc_stable(data, threads=1).to_json()
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (48 << 20),) * 2)
        assert bitsep.pc_stable(data, threads=16).to_json() == expected
        thread = threading.Thread(target=lambda: print("started"))
        threading.stack_size(1 << 20)
        thread.start()
        thread.join()
    """)
    assert done.stdout.strip() == "started", done.stderr


def test_default_threads_follow_the_affinity():
    if not hasattr(os, "sched_setaffinity"):
        return
    done = run("""
        import os
        from bitsep.processors import thread_count
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        print(thread_count(None))
    """)
    assert done.stdout.strip() == "1", done.stderr


@pytest.mark.parametrize(
    ("cgroup", "files", "quota"),
    [
        ("0::/\n", {"cpu.max": "150000 100000"}, 1.5),
        ("0::/a/b\n", {"a/cpu.max": "200000 100000", "a/b/cpu.max": "max 100000"}, 2),
        ("0::/hidden\n", {"cpu.max": "max 100000"}, float("inf")),
        (
            "4:cpu,cpuacct:/docker/x\n2:memory:/docker/x\n",
            {"cpu/cpu.cfs_quota_us": "400000", "cpu/cpu.cfs_period_us": "100000"},
            4,
        ),
        ("4:cpu:/\n", {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, float("inf")),
        ("0::/\n", {"cpu.max": "nonsense"}, float("inf")),
    ],
)
def test_the_quota_of_the_control_group_is_read(tmp_path: Path, cgroup: str, files: dict[str, str], quota: float):
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(cgroup)
    for name, text in files.items():
        path = tmp_path / "sys/fs/cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert control_group_quota(tmp_path) == quota
    assert control_group_quota(tmp_path / "nowhere") == float("inf")
