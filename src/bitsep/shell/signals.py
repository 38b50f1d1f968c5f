"""SIGINT (Ctrl-C) and SIGTERM end a command: one signal suffices, whenever it arrives."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SECONDS = 0.1  # until an exception that was lost is raised again


class Stopped(BaseException):
    """A signal asks the process to end; temporary files are deleted on the way."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.word, self.exit_code = ("terminated", 143) if number == signal.SIGTERM else ("interrupted", 130)


@contextmanager
def raising_stopped() -> Iterator[None]:
    """Raise `Stopped` in this block when a signal arrives.

    An exception of a signal handler can be lost. While C code imports a module, for instance, each exception becomes
    an ImportError, after which `xml.etree.ElementTree` continues without that module. So the exception is raised again
    until it leaves the block, except where it is being handled: temporary files are deleted there.
    """
    if threading.current_thread() is not threading.main_thread():  # which cannot handle signals
        yield
        return
    received: list[int] = []
    clock = hasattr(signal, "setitimer")  # not on Windows

    def stop(number: int, _: object) -> None:
        received.append(number)
        if clock:
            signal.setitimer(signal.ITIMER_REAL, _SECONDS, _SECONDS)
        raise Stopped(received[0])

    def stop_again(*_: object) -> None:
        if not _is_handled():
            raise Stopped(received[0])

    def ignore_stopped(lost: sys.UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, Stopped):  # which is raised again
            sys.__unraisablehook__(lost)

    numbers = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in numbers}
    if clock:
        before[signal.SIGALRM] = signal.signal(signal.SIGALRM, stop_again)
    hook, sys.unraisablehook = sys.unraisablehook, ignore_stopped
    try:
        yield
    finally:
        if clock:
            signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)
        if received:  # also after an error that followed from a lost exception
            raise Stopped(received[0])


def keep_signals_from_arrow() -> None:
    """Let pyarrow not handle signals while it reads a file: one that arrives as it finishes would be lost."""
    import pyarrow

    pyarrow.enable_signal_handlers(False)


def _is_handled() -> bool:
    """Whether an `except`, a `finally` or the end of a `with` block is dealing with `Stopped` right now."""
    error = sys.exception()
    seen = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, Stopped):
            return True
        seen.add(id(error))
        error = error.__context__
    return False
