"""Runs series of searches in at most two processes, and keeps the results."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from unittest.mock import patch

from accuracy.plan import Series, is_given_up
from accuracy.runs import Run, Runs
from accuracy.worker import ONE_THREAD, ClosedError, Worker

MAX_PROCESSES = 2

Report = Callable[[list[Run]], None]


def run_all(
    plan: Sequence[Series], runs: Runs, processes: int = MAX_PROCESSES, report: Report = lambda cell: None
) -> None:
    """Complete the results of a plan; runs that are there already are not repeated.

    Parameters
    ----------
    plan : sequence of Series
        What to run. Each series is run in one process, by increasing size.
    runs : Runs
        Receives the results.
    processes : int
        The number of processes, each with one thread.
    report : callable
        Called with the runs of a cell when its last run is done; not for cells that were finished before.
    """
    queue = iter(plan)
    turn = threading.Lock()
    stop = threading.Event()
    workers = [Worker() for _ in range(processes)]

    def work(worker: Worker) -> None:
        while not stop.is_set():
            with turn:
                series = next(queue, None)
            if series is None:
                break
            _run_series(series, runs, worker, report)
        worker.close()

    # Set once, before any thread starts a process: the environment belongs to all threads.
    with patch.dict(os.environ, ONE_THREAD), ThreadPoolExecutor(processes) as pool:
        pending = [pool.submit(work, worker) for worker in workers]
        try:
            done, _ = wait(pending, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
        finally:
            stop.set()
            for worker in workers:
                worker.close()


def _run_series(series: Series, runs: Runs, worker: Worker, report: Report) -> None:
    for rows in series.sizes:
        cell = runs.of(series.search.text, series.network, rows)
        before = len(cell)
        while (number := series.next_sample(cell)) is not None:
            try:
                run = worker.run(series.search, series.network, rows, number, series.limit)
            except ClosedError:
                return
            runs.add(run)
            cell.append(run)
        if len(cell) > before:
            report(cell)
        if is_given_up(cell):
            return
