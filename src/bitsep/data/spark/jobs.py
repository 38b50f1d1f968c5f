"""Helpers for Spark jobs: functions for `mapInArrow`, and the size of batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_BATCH_RECORDS = "spark.sql.execution.arrow.maxRecordsPerBatch"
_CHUNKS_PER_BATCH = 8  # the default of Spark is for rows; with chunks, a batch would have gigabytes


def as_function(worker: Any) -> Any:
    """The worker as a function, because Spark does not accept callable objects."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        return worker(batches)  # type: ignore[no-any-return]

    return run


@contextmanager
def small_batches(session: Any) -> Iterator[None]:
    """Use few chunks per Arrow batch while a job is planned and run; then restore the setting of the session."""
    earlier = session.conf.get(_BATCH_RECORDS, None)
    session.conf.set(_BATCH_RECORDS, str(_CHUNKS_PER_BATCH))
    try:
        yield
    finally:
        if earlier is None:
            session.conf.unset(_BATCH_RECORDS)
        else:
            session.conf.set(_BATCH_RECORDS, earlier)
