"""The one entry: run experiments, draw, decide, write the page."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bitsep import __version__
from bitsep.errors import ArgumentError
from reproduction.catalog import chosen
from reproduction.claims import CLAIMS, Verdict, decide
from reproduction.experiment import Experiment, Size
from reproduction.folder import PAGE, VERDICTS, Folder, dump_json
from reproduction.page import render_page
from reproduction.work import completed, draw_figure, run_chunk, workers

Report = Callable[[str, int, int], None]
"""Called with (stage, finished, total); a stage is an experiment, or "figures"."""
Pool = ProcessPoolExecutor | None


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What `reproduce` made.

    Attributes
    ----------
    out : Path
        The folder.
    size : str
    claims : tuple of Verdict
        Each claim of the experiments that were run, with its outcome and what was measured.
    seconds : dict from name to float
        How long each experiment, and drawing all figures, took in this run; next to nothing where it was complete.
    """

    out: Path
    size: Size
    claims: tuple[Verdict, ...]
    seconds: dict[str, float]

    @property
    def page(self) -> Path:
        """The HTML page with everything on it."""
        return self.out / PAGE

    def outcomes(self) -> dict[str, int]:
        """How many claims hold, how many do not, how many could not be decided."""
        counts = {"holds": 0, "partly": 0, "does not hold": 0, "misprint": 0, "not decided": 0}
        for verdict in self.claims:
            counts[verdict.outcome] += 1
        return counts

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "out": str(self.out),
            "page": str(self.page),
            "size": self.size,
            "outcomes": self.outcomes(),
            "claims": [verdict.to_dict() for verdict in self.claims],
            "seconds": self.seconds,
        }


def reproduce(
    names: Sequence[str] = (),
    size: Size = "full",
    *,
    out: str | os.PathLike[str],
    threads: int | None = None,
    resume: bool = False,
    progress: Report | None = None,
) -> Reproduction:
    """Rerun the paper's experiments, draw its figures, and say claim by claim what holds.

    Parameters
    ----------
    names : sequence of str
        Names of experiments (see ``EXPERIMENTS``); all by default.
    size : str
        The paper's size by default.
    out : path
        Folder for results (CSV, Parquet, JSON), figures (SVG, PNG), verdicts and the page ``index.html``. Nothing in
        it is ever overwritten by another run.
    threads : int, optional
        Worker processes; by default one per processor. The files do not depend on it, to the byte.
    resume : bool
        Continue a run that was stopped, with the same settings and version.
    progress : callable, optional
        Called with (experiment, finished, total).

    Raises
    ------
    UnknownMethodError
        If there is no such experiment.
    ArgumentError
        If `out` already holds results and `resume` is not set, or holds results of other settings, or other files.
    ReadError, WriteError
        If `out` cannot be read or written.
    FormatError
        If a file of results is damaged.
    """
    experiments = chosen(names)
    if threads is not None and threads < 1:
        raise ArgumentError(f"threads: too few; a whole number of at least 1, got {threads!r}.")
    report = progress or (lambda stage, finished, total: None)
    folder = Folder(out)
    folder.open(_manifest(experiments, size), resume=resume)
    results: dict[str, pd.DataFrame] = {}
    seconds: dict[str, float] = {}
    with workers(threads or _processors()) as pool:
        for experiment in experiments:
            start = time.perf_counter()
            results[experiment.name] = _complete(experiment, size, folder, pool, report)
            seconds[experiment.name] = time.perf_counter() - start
        start = time.perf_counter()
        _draw(experiments, folder, pool, report)
        seconds["figures"] = time.perf_counter() - start
    verdicts = tuple(
        decide(claim, frame) for name, frame in results.items() for claim in CLAIMS if claim.experiment == name
    )
    folder.write(VERDICTS, dump_json([verdict.to_dict() for verdict in verdicts]))
    figures = folder.path / "figures"
    pictures = {p.name: (figures / f"{p.name}.svg").read_bytes() for e in experiments for p in e.pictures}
    folder.write(PAGE, render_page(experiments, size, verdicts, pictures))
    return Reproduction(folder.path, size, verdicts, seconds)


def _processors() -> int:
    """The processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _manifest(experiments: Sequence[Experiment], size: Size) -> dict[str, Any]:
    """Everything the bytes of the results depend on."""
    return {
        "bitsep_version": __version__,
        "numpy_version": np.__version__,  # its random streams may change between versions
        "matplotlib_version": version("matplotlib"),
        "size": size,
        "experiments": {e.name: {"seed": e.seed, "settings": dict(e.sizes[size])} for e in experiments},
    }


def _complete(experiment: Experiment, size: Size, folder: Folder, pool: Pool, report: Report) -> pd.DataFrame:
    """The results of an experiment: read if complete, else put together from its chunks, old and new."""
    name = experiment.name
    if (results := folder.read_results(name)) is None:
        chunks = len(experiment.chunks(experiment.sizes[size]))
        missing = [index for index in range(chunks) if not folder.part(name, index).exists()]
        steps = completed(pool, run_chunk, [(folder.path, name, size, index) for index in missing])
        _follow(steps, report, name, chunks - len(missing), chunks)
        results = folder.read_parts(name, chunks)
        folder.write_results(name, results)
    folder.remove_parts(name)
    return results


def _draw(experiments: Sequence[Experiment], folder: Folder, pool: Pool, report: Report) -> None:
    figures = [(experiment.name, picture.name) for experiment in experiments for picture in experiment.pictures]
    missing = [(folder.path, *names) for names in figures if not folder.has_figure(names[1])]
    steps = completed(pool, draw_figure, missing)
    _follow(steps, report, "figures", len(figures) - len(missing), len(figures))


def _follow(steps: Iterable[None], report: Report, stage: str, finished: int, total: int) -> None:
    report(stage, finished, total)
    for done, _ in enumerate(steps, finished + 1):
        report(stage, done, total)
