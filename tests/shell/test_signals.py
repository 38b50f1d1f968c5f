"""An exception of a signal handler that is lost is raised again, but not where it is being handled."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable

import pytest

from bitsep.shell.signals import Stopped, raising_stopped

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no timer that sends a signal")
SIGNALS = [(signal.SIGINT, "interrupted", 130), (signal.SIGTERM, "terminated", 143)]


@pytest.fixture(autouse=True)
def interruptible():
    """Also where the tests run in the background, with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def everything_is_as_before(interruptible):
    handled = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
    before = [signal.getsignal(number) for number in handled]
    hook = sys.unraisablehook
    yield
    assert [signal.getsignal(number) for number in handled] == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert sys.unraisablehook is hook


def wait(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.001)


def stopped(work: Callable[[], object]) -> Stopped:
    """How this work is stopped."""
    with pytest.raises(Stopped) as raised, raising_stopped():
        work()
    return raised.value


@pytest.mark.parametrize(("number", "word", "code"), SIGNALS)
def test_a_signal_stops_the_block(number: signal.Signals, word: str, code: int) -> None:
    end = stopped(lambda: signal.raise_signal(number))
    assert (end.word, end.exit_code) == (word, code)


class Ending:
    """Its end receives a signal; Python cannot raise what happens there."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGTERM)


def discarding() -> None:
    with contextlib.suppress(BaseException):
        signal.raise_signal(signal.SIGTERM)


def at_the_end_of_an_object() -> None:
    Ending()


@pytest.mark.parametrize("lose", [discarding, at_the_end_of_an_object])
def test_a_lost_exception_is_raised_again(lose, capsys: pytest.CaptureFixture[str]) -> None:
    reached = []

    def work() -> None:
        lose()
        reached.append("after the loss")
        wait(30)

    stopped(work)
    assert reached
    assert capsys.readouterr().err == ""


def test_other_exceptions_at_the_end_of_an_object_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    monkeypatch.setattr(sys, "__unraisablehook__", shown.append)

    class Failing:
        def __del__(self) -> None:
            raise ValueError

    with raising_stopped():
        Failing()
    assert [type(one.exc_value) for one in shown] == [ValueError]


@pytest.mark.parametrize("follows", [ImportError, None])
def test_what_follows_from_a_lost_exception_ends_as_stopped(follows: type[Exception] | None) -> None:
    def work() -> None:
        discarding()
        if follows:
            raise follows

    stopped(work)


def test_cleaning_up_is_not_disturbed() -> None:
    """Neither in `finally`, nor where another error is handled there, nor at the end of a `with` block."""
    done = []

    @contextlib.contextmanager
    def cleaning():
        try:
            yield
        finally:
            wait(0.25)
            done.append("with")

    @cleaning()
    def work() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            wait(0.25)
            done.append("finally")
            try:
                raise OSError
            except OSError:
                wait(0.25)
                done.append("except")

    stopped(work)
    assert done == ["finally", "except", "with"]


def test_a_second_signal_ends_cleaning_up() -> None:
    def work() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGINT)
            wait(30)

    assert stopped(work).word == "terminated"


def test_ignored_signals_stay_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with raising_stopped():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_handle_no_signals() -> None:
    done = []

    def run() -> None:
        with raising_stopped():
            done.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert done == [signal.getsignal(signal.SIGTERM)]
