"""The output folder: what belongs where.

::

    manifest.json                  what was asked: experiments, settings, seeds, versions; written first
    parts/NAME/0000.json           rows of one chunk; gone once the experiment is complete
    results/NAME.csv|json|parquet  the results; the Parquet file comes last and says that the experiment is complete
    figures/FIGURE.svg|png
    claims.json                    verdicts with the numbers behind them
    index.html                     the page; written last
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from bitsep.errors import ArgumentError, FormatError, ReadError, WriteError
from reproduction.experiment import Row

DRAFTS = ".draft-"
"""Start of the names of unfinished files; only a process that was killed leaves one behind."""
MANIFEST, PAGE, VERDICTS = "manifest.json", "index.html", "claims.json"
_KINDS = {"i": "whole", "f": "real", "O": "text"}


class Folder:
    """A folder of results that belongs to one manifest.

    Parameters
    ----------
    path : path
        Made if it does not exist.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def open(self, manifest: Mapping[str, Any], *, resume: bool) -> None:
        """Take the folder for this run, or complain and change nothing."""
        old = self._old_manifest()
        if old is None:
            self._must_be_empty()
        elif not resume:
            state = "a finished" if (self.path / PAGE).exists() else "an unfinished"
            raise ArgumentError(
                f"out: {self.path} holds {state} reproduction, which is not overwritten. Use resume (--resume) to "
                "continue it, or choose another folder"
            )
        elif differences := list(_differences(old, manifest)):
            raise ArgumentError(
                f"resume: {self.path} holds results of other settings ({'; '.join(differences[:4])}). Ask for the same "
                "settings, or choose another folder"
            )
        self._must_be_writable()
        if old is None:
            self.write(MANIFEST, dump_json(manifest))
        else:
            for left_over in self.path.rglob(f"{DRAFTS}*"):
                left_over.unlink(missing_ok=True)

    def _old_manifest(self) -> Any:
        if self.path.exists() and not self.path.is_dir():
            raise ReadError(f"out: {self.path} is a file; name a folder")
        try:
            text = (self.path / MANIFEST).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ReadError(f"out: cannot read {self.path / MANIFEST}: {error.strerror}") from error
        try:
            old = json.loads(text)
        except ValueError:
            old = None
        if not isinstance(old, dict):
            raise FormatError(f"out: {self.path / MANIFEST} is damaged; nothing was changed. Choose another folder")
        return old

    def _must_be_empty(self) -> None:
        try:
            if self.path.exists() and any(self.path.iterdir()):
                raise ArgumentError(
                    f"out: {self.path} is not empty and has no {MANIFEST}, so it is no folder of results; nothing was "
                    "changed. Choose another folder"
                )
        except OSError as error:
            raise ReadError(f"out: cannot read {self.path}: {error.strerror}") from error

    def _must_be_writable(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.path):
                pass
        except OSError as error:
            raise WriteError(f"out: cannot write to {self.path}: {error.strerror}") from error

    def write(self, name: str, content: bytes) -> Path:
        """Write a file, in full or not at all."""
        path = self.path / name
        draft = path.with_name(f"{DRAFTS}{os.getpid()}-{path.name}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(content)
            draft.replace(path)
        except OSError as error:
            raise WriteError(f"out: cannot write {path}: {error.strerror}") from error
        return path

    def part(self, experiment: str, index: int) -> Path:
        return self.path / "parts" / experiment / f"{index:04d}.json"

    def write_part(self, experiment: str, index: int, rows: list[Row]) -> None:
        self.write(str(self.part(experiment, index).relative_to(self.path)), dump_json(rows))

    def read_parts(self, experiment: str, chunks: int) -> pd.DataFrame:
        """The rows of all chunks, in order."""
        return pd.DataFrame([row for index in range(chunks) for row in _json(self.part(experiment, index))])

    def remove_parts(self, experiment: str) -> None:
        shutil.rmtree(self.path / "parts" / experiment, ignore_errors=True)
        parts = self.path / "parts"
        if parts.exists() and not any(parts.iterdir()):
            parts.rmdir()

    def has_figure(self, name: str) -> bool:
        return all((self.path / "figures" / f"{name}.{kind}").exists() for kind in ("svg", "png"))

    def write_results(self, experiment: str, results: pd.DataFrame) -> None:
        """Write the results as CSV, JSON and Parquet: floats with all digits, nothing where a value is missing."""
        self.write(f"results/{experiment}.csv", results.to_csv(index=False, lineterminator="\n").encode())
        columns = {name: _KINDS[dtype.kind] for name, dtype in results.dtypes.items()}
        rows = results.astype(object).where(results.notna(), None).to_numpy().tolist()
        self.write(f"results/{experiment}.json", dump_json({"columns": columns, "rows": rows}))
        self.write(f"results/{experiment}.parquet", results.to_parquet(index=False))

    def read_results(self, experiment: str) -> pd.DataFrame | None:
        """The results of a complete experiment, or None."""
        path = self.path / "results" / f"{experiment}.parquet"
        try:
            return pd.read_parquet(path) if path.exists() else None
        except (ValueError, OSError) as error:
            raise _damaged(path) from error


def dump_json(value: Any) -> bytes:
    """JSON as every file of a reproduction has it: the same value, the same bytes."""
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except ValueError as error:
        raise _damaged(path) from error
    except OSError as error:
        raise ReadError(f"out: cannot read {path}: {error.strerror}") from error


def _damaged(path: Path) -> FormatError:
    return FormatError(f"out: {path} is damaged. Delete it and resume: it will be made again")


def _differences(old: Mapping[str, Any], new: Mapping[str, Any], where: str = "") -> Any:
    """Each setting that differs, in words."""
    for key in sorted({*old, *new}, key=lambda key: (isinstance(new.get(key), Mapping), key)):  # the short ones first
        before, now = old.get(key), new.get(key)
        if isinstance(before, Mapping) and isinstance(now, Mapping):
            yield from _differences(before, now, f"{where}{key}.")
        elif before != now:
            yield f"{where}{key}: {_short(before)} there, {_short(now)} now"


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return "present"
    text = "absent" if value is None else str(value)
    return text if len(text) <= 40 else text[:37] + "…"
