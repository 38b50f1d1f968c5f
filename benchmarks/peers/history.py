"""The history of benchmark runs: one JSON line per run, appended and never changed."""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.compare.builds import ROOT, BuildError, commit_of

SCHEMA_VERSION = 1
MEASURED_SOURCES = ("src", "native", "CMakeLists.txt", "pyproject.toml")
DIGITS = 6  # significant; medians of times are less certain than that


def describe_sources() -> dict[str, Any]:
    """The commit that is measured, and whether its sources have uncommitted changes; None outside of a repository."""
    try:
        commit = commit_of("HEAD")
        status = ["git", "status", "--porcelain", "--", *MEASURED_SOURCES]
        changes = subprocess.run(status, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (BuildError, OSError, subprocess.CalledProcessError):
        return {"commit": None, "changed": None}
    return {"commit": commit, "changed": bool(changes.strip())}


def make_entry(found: Mapping[str, Any], measured: Iterable[str], sources: Mapping[str, Any]) -> dict[str, Any]:
    """One line of the history: date, commit, machine, and the figures of the work measured in this run."""
    machine = dict(found["machine"])
    figures = {name: value for work in measured for name, value in _figures(work, found["work"][work])}
    return {
        "schema_version": SCHEMA_VERSION,
        "date": machine.pop("date"),
        **sources,
        "machine": machine,
        "repetitions": found["repetitions"],
        "figures": figures,
    }


def append(path: Path, entry: Mapping[str, Any]) -> None:
    """Add one line to the file, which is created when missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n")


def read(path: Path) -> list[dict[str, Any]]:
    """All lines, the oldest first."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _figures(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """Names and values of all figures: the medians of timed runs, and every float elsewhere.

    The name of a figure is the path to it; an item of a list is named by its texts and integers, such as its network
    and number of rows.
    """
    if isinstance(value, dict) and "median" in value:
        yield name, _rounded(value["median"])
        if value.get("whole_seconds"):
            yield f"{name}/whole cores", _rounded(statistics.median(value["whole_seconds"]))
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from _figures(f"{name}/{key}", member)
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield from _figures(f"{name}/{_label(item)}", item)
    elif isinstance(value, float):
        yield name, _rounded(value)


def _label(item: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in item.items() if type(value) in (str, int))


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
