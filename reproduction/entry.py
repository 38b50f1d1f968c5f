"""The one entry: run experiments, draw, decide, write the page."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from bitsep import __version__
from bitsep.errors import ArgumentError
from reproduction.catalogue import chosen
from reproduction.claims import Verdict, decide, load_claims
from reproduction.experiment import Experiment, Size
from reproduction.folder import CLAIMS, MANIFEST, PAGE, Folder
from reproduction.page import render_page
from reproduction.results import Results, dump_json
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
    page : Path
        The HTML page with everything on it.
    claims : tuple of Verdict
        Each claim of the experiments that were run, with its outcome and what was measured.
    paths : tuple of Path
        All files, in a fixed order.
    seconds : mapping from name to float
        How long each experiment, and drawing all figures, took in this run; next to nothing where it was complete.
    size : str
        ``"full"`` or ``"quick"``.
    """

    out: Path
    page: Path
    claims: tuple[Verdict, ...]
    paths: tuple[Path, ...]
    seconds: Mapping[str, float] = field(compare=False)
    size: Size = "full"

    def outcomes(self) -> dict[str, int]:
        """How many claims hold, how many do not, how many could not be decided."""
        counts = {"holds": 0, "does not hold": 0, "not decided": 0}
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
            "paths": [str(path) for path in self.paths],
            "seconds": dict(self.seconds),
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes().items() if count)
        return f"Reproduction({str(self.page)!r}, {self.size}: {counts})"


def reproduce(
    names: Sequence[str] = (),
    *,
    quick: bool = False,
    out: str | os.PathLike[str] = "build/reproduction",
    threads: int | None = None,
    resume: bool = False,
    progress: Report | None = None,
) -> Reproduction:
    """Rerun the paper's experiments, draw its figures, and say claim by claim what holds.

    Parameters
    ----------
    names : sequence of str
        Names of experiments (see ``EXPERIMENTS``); all by default.
    quick : bool
        A size that ends within a minute; its numbers are noisier. By default the paper's size.
    out : path
        Folder for results (CSV, Parquet, JSON), figures (SVG, PNG), verdicts and the page ``index.html``. Nothing in
        it is ever overwritten by another run.
    threads : int, optional
        Worker processes; by default all cores. The files do not depend on it, to the byte.
    resume : bool
        Continue a run that was stopped, with the same settings and version.
    progress : callable, optional
        Called with (experiment, finished, total).

    Returns
    -------
    Reproduction

    Raises
    ------
    UnknownMethodError
        If there is no such experiment.
    ArgumentError
        If `out` already holds results and `resume` is not set, or holds results of other settings, or other files.
    ReadError
        If `out` cannot be written.
    FormatError
        If a file of results is damaged.

    Examples
    --------
    >>> import tempfile
    >>> from reproduction import reproduce
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = reproduce(["thresholds"], quick=True, out=folder, threads=1)
    >>> next(verdict.outcome for verdict in made.claims if verdict.id == "fnml-turns-at-125")
    'holds'
    """
    return run(names, "quick" if quick else "full", out, threads, resume, progress)


def run(
    names: Sequence[str],
    size: Size,
    out: str | os.PathLike[str],
    threads: int | None,
    resume: bool,
    progress: Report | None,
) -> Reproduction:
    """`reproduce` for any size."""
    experiments = chosen(names)
    if threads is not None and threads < 1:
        raise ArgumentError(f"threads: too few; a whole number of at least 1, got {threads!r}.")
    report = progress or (lambda stage, finished, total: None)
    folder = Folder(out)
    folder.open(_manifest(experiments, size), resume=resume)
    results: dict[str, Results] = {}
    seconds: dict[str, float] = {}
    with workers(threads or _processors()) as pool:
        for experiment in experiments:
            start = time.perf_counter()
            results[experiment.name] = _complete(experiment, size, folder, pool, report)
            seconds[experiment.name] = time.perf_counter() - start
        start = time.perf_counter()
        _draw(experiments, folder, pool, report)
        seconds["figures"] = time.perf_counter() - start
    names_run = set(results)
    verdicts = tuple(decide(claim, results) for claim in load_claims() if claim.experiment in names_run)
    folder.write(CLAIMS, dump_json([verdict.to_dict() for verdict in verdicts]))
    drawings = folder.path / "figures"
    pictures = {p.name: (drawings / f"{p.name}.svg").read_bytes() for e in experiments for p in e.pictures}
    page = folder.write(PAGE, render_page(experiments, size, verdicts, pictures))
    paths = tuple(folder.path / name for name in _files(experiments))
    return Reproduction(folder.path, page, verdicts, paths, MappingProxyType(seconds), size)


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


def _complete(experiment: Experiment, size: Size, folder: Folder, pool: Pool, report: Report) -> Results:
    """The results of an experiment: read if complete, else put together from its chunks, old and new."""
    name = experiment.name
    if (results := folder.read_results(name, experiment.schema)) is None:
        chunks = len(experiment.chunks(experiment.sizes[size]))
        missing = [index for index in range(chunks) if not folder.part(name, index).exists()]
        steps = completed(pool, run_chunk, [(folder.path, name, size, index) for index in missing])
        _follow(steps, report, name, chunks - len(missing), chunks)
        results = Results.of_rows(folder.read_parts(name, chunks), experiment.schema)
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


def _files(experiments: Sequence[Experiment]) -> list[str]:
    results = [f"results/{e.name}.{kind}" for e in experiments for kind in ("csv", "parquet", "json")]
    figures = [f"figures/{p.name}.{kind}" for e in experiments for p in e.pictures for kind in ("svg", "png")]
    return [PAGE, CLAIMS, MANIFEST, *results, *figures]
