"""Calls in several threads: their order, errors, and what signals do to them."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from bitsep.parallel import in_parallel


@pytest.mark.parametrize("threads", [1, 2, 5, 50])
@pytest.mark.parametrize("total", [0, 1, 2, 20])
def test_results_come_in_order(threads: int, total: int) -> None:
    def work(number: int) -> int:
        time.sleep(0.002 * (number % 3 == 0))
        return number**2

    assert list(in_parallel(work, total, threads)) == [number**2 for number in range(total)]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_is_raised_in_its_place(threads: int) -> None:
    def work(number: int) -> int:
        if number >= 4:
            raise ValueError(str(number))
        return number

    calls = in_parallel(work, 100, threads)
    assert [next(calls) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(ValueError, match=r"^4$"):
        next(calls)


def test_an_iteration_that_ends_early_drops_calls_and_waits_for_the_others() -> None:
    running = set()
    begun = []

    def work(number: int) -> int:
        running.add(number)
        begun.append(number)
        time.sleep(0.01)
        running.discard(number)
        return number

    before = threading.active_count()
    calls = in_parallel(work, 1000, 3)
    assert next(calls) == 0
    calls.close()  # type: ignore[attr-defined]
    assert not running
    assert len(begun) < 20
    assert threading.active_count() == before


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_exceptions_of_signal_handlers_at_any_moment_leave_nothing_locked() -> None:
    """300 times an alarm raises an exception in the first milliseconds of the iteration."""
    code = textwrap.dedent("""
        import random, signal
        from bitsep.parallel import in_parallel

        class Alarm(BaseException):
            pass

        def ring(number, frame):
            raise Alarm

        signal.signal(signal.SIGALRM, ring)
        rng = random.Random(1)
        ended = 0
        for _ in range(300):
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-5 + 0.004 * rng.random() ** 2)
                for _ in in_parallel(lambda number: sum(range(100)), 20_000, 3):
                    pass
            except Alarm:
                ended += 1
        print(ended)
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "300\n", done.stderr
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
