"""What every job needs: a function Spark takes, and batches of a bearable size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_BATCH_RECORDS = "spark.sql.execution.arrow.maxRecordsPerBatch"
_CHUNKS_PER_BATCH = 8  # Spark's default, made for rows, would hand over gigabytes of chunks at a time


def plain_function(worker: Any) -> Any:
    """Spark takes plain functions only."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        return worker(batches)  # type: ignore[no-any-return]

    return run


@contextmanager
def few_records(session: Any) -> Iterator[None]:
    """Few chunks per Arrow batch while a job is planned and run; the session's own setting comes back."""
    earlier = session.conf.get(_BATCH_RECORDS, None)
    session.conf.set(_BATCH_RECORDS, str(_CHUNKS_PER_BATCH))
    try:
        yield
    finally:
        if earlier is None:
            session.conf.unset(_BATCH_RECORDS)
        else:
            session.conf.set(_BATCH_RECORDS, earlier)
