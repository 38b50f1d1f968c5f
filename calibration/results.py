"""The results of cells, and the file of all of them, which is also the checkpoint."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from calibration import simulate
from calibration.cells import Cell, Sizes, all_cells
from calibration.populations import population
from calibration.simulate import Counted


@dataclass(frozen=True)
class Result:
    """What was counted in one cell, and when.

    `copied` is the share of coupled rows under dependence, `source` where real margins come from.
    """

    cell: Cell
    independent: Counted
    dependent: Counted
    copied: float
    source: str
    date: str


def measure(cell: Cell, sizes: Sizes) -> Result:
    """Draw all data sets of a cell and test them."""
    independent = simulate.under_independence(cell, sizes)
    dependent, copied = simulate.under_dependence(cell, sizes)
    return Result(cell, independent, dependent, copied, population(cell).source, date.today().isoformat())


class Results:
    """The results so far, one line of JSON each; a file that exists is continued."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._results: dict[Cell, Result] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
                if line.endswith("\n"):  # or else it is the last one of a process that was killed
                    self._keep(json.loads(line))
            self._rewrite()

    def __contains__(self, cell: Cell) -> bool:
        return cell in self._results

    def __iter__(self) -> Iterator[Result]:
        return iter(sorted(self._results.values(), key=lambda one: all_cells().index(one.cell)))

    def add(self, result: Result) -> None:
        """Keep a result, and write it down at once."""
        self._results[result.cell] = result
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(result))

    def discard(self, cells: Collection[Cell]) -> None:
        """Forget results, also in the file."""
        self._results = {cell: result for cell, result in self._results.items() if cell not in cells}
        if self._path.exists():
            self._rewrite()

    def _keep(self, found: dict[str, Any]) -> None:
        cell = Cell(**found.pop("cell"))
        counted = Counted(**found.pop("independent")), Counted(**found.pop("dependent"))
        self._results[cell] = Result(cell, *counted, **found)

    def _rewrite(self) -> None:
        self._path.write_text("".join(map(_line, self)), encoding="utf-8")


def _line(result: Result) -> str:
    return json.dumps(asdict(result)) + "\n"
