"""Python calls in several threads, which do not wait forever after an exception of a signal handler."""

from __future__ import annotations

import _thread
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class _Returned(NamedTuple, Generic[T]):
    number: int
    result: T


class _Raised(NamedTuple):
    number: int
    error: BaseException


def in_parallel(work: Callable[[int], T], total: int, threads: int) -> Iterator[T]:
    """The results of work(0), work(1), … in this order; `threads` calls at a time.

    An error of a call is raised in its place in the order. Whenever the iteration ends, calls that have not begun are
    dropped, and those that have are waited for.

    The locks of `threading`, and so the executors of `concurrent.futures`, are written in Python: an exception of a
    signal handler between two of their instructions leaves them locked, and all threads wait forever. Queues of
    the class `SimpleQueue` are written in C, and `_thread` starts a thread without a lock.
    """
    if threads == 1:
        yield from map(work, range(total))
        return
    waiting: SimpleQueue[int] = SimpleQueue()
    for number in range(total):
        waiting.put(number)
    ended: SimpleQueue[_Returned[T] | _Raised | None] = SimpleQueue()  # None: a thread

    def run() -> None:
        with suppress(Empty):
            while True:
                number = waiting.get_nowait()
                try:
                    ended.put(_Returned(number, work(number)))
                except BaseException as error:
                    ended.put(_Raised(number, error))
        ended.put(None)

    running = 0
    try:
        for _ in range(min(threads, total)):
            _thread.start_new_thread(run, ())
            running += 1
        early: dict[int, _Returned[T] | _Raised] = {}
        for number in range(total):
            while number not in early:
                if (one := ended.get()) is None:
                    running -= 1
                else:
                    early[one.number] = one
            place = early.pop(number)
            if isinstance(place, _Raised):
                raise place.error
            yield place.result
    finally:
        with suppress(Empty):
            while True:
                waiting.get_nowait()
        while running:
            running -= ended.get() is None
