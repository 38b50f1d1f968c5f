"""The result of one run, and the file of all results, which is also the checkpoint."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from bitsep.errors import FormatError

Outcome = Literal["found", "time-out", "failed"]


@dataclass(frozen=True, order=True)
class Run:
    """One search on one sample: the sample, the outcome, the figures of `metrics.measure`.

    `to_dag` says whether the search, if it is one of bitsep, gave a DAG, too; `message` why it failed.
    """

    search: str
    network: str
    rows: int
    sample: int
    outcome: Outcome
    seconds: float
    shd: int | None = None
    cpdag_f1: float | None = None
    skeleton_f1: float | None = None
    arrow_f1: float | None = None
    sid_lower: int | None = None
    sid_upper: int | None = None
    to_dag: bool | None = None
    message: str | None = None
    version: str = ""

    def to_json(self) -> str:
        """One line, without the values that are missing; five digits are enough for shares and seconds."""
        values = {name: value for name, value in asdict(self).items() if value is not None}
        return json.dumps({k: float(f"{v:.5g}") if isinstance(v, float) else v for k, v in values.items()})


class Runs:
    """All results so far, in memory and, line by line, in a file; a file that exists is continued.

    Parameters
    ----------
    path : Path, optional
        The file; without one, results are only kept in memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._runs: dict[tuple[str, str], dict[int, list[Run]]] = defaultdict(lambda: defaultdict(list))
        if path is not None and path.exists():
            for run in _read(path):
                self._keep(run)

    def __iter__(self) -> Iterator[Run]:
        for cells in self._runs.values():
            for runs in cells.values():
                yield from runs

    def of(self, search: str, network: str, rows: int) -> list[Run]:
        """The runs of one search in one cell, by number of the sample."""
        return sorted(self._runs[search, network][rows], key=lambda run: run.sample)

    def add(self, run: Run) -> None:
        """Keep a run, and write it down at once."""
        with self._lock:
            self._keep(run)
            if self._path is not None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(run.to_json() + "\n")

    def discard(self, unwanted: Callable[[Run], bool]) -> int:
        """Forget runs, also in the file; returns how many."""
        kept = [run for run in self if not unwanted(run)]
        count = sum(1 for _ in self) - len(kept)
        self._runs.clear()
        for run in kept:
            self._keep(run)
        if count:
            self.rewrite()
        return count

    def rewrite(self) -> None:
        """Write the file in sorted order, so that it does not depend on which process was faster."""
        if self._path is not None and self._path.exists():
            draft = self._path.with_name(f".draft-{self._path.name}")
            draft.write_text("".join(run.to_json() + "\n" for run in sorted(self, key=_order)), encoding="utf-8")
            draft.replace(self._path)

    def _keep(self, run: Run) -> None:
        self._runs[run.search, run.network][run.rows].append(run)


def _order(run: Run) -> tuple[Any, ...]:
    return (run.search, run.network, run.rows, run.sample)


def _read(path: Path) -> Iterator[Run]:
    """The runs of a file. A process that was killed can leave an incomplete last line, which is cut off."""
    text = path.read_text(encoding="utf-8")
    complete = text[: text.rfind("\n") + 1]
    if complete != text:
        path.write_text(complete, encoding="utf-8")
    known = {field.name for field in fields(Run)}
    for number, line in enumerate(complete.splitlines(), 1):
        try:
            values = json.loads(line)
            if unknown := set(values) - known:
                raise ValueError(f"unknown fields {', '.join(sorted(unknown))}")
            yield Run(**values)
        except (ValueError, TypeError) as error:
            raise FormatError(f"results: line {number} of {path} is damaged ({error}).") from error
