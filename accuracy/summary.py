"""What the runs say: means per cell, comparisons with other libraries, means over cells."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from accuracy.plan import DEFAULT, SIZES, full_searches, is_given_up
from accuracy.runs import Run, Runs
from accuracy.statistics import Mean

State = Literal["run", "skipped", "not run"]


@dataclass(frozen=True)
class Cell:
    """The runs of a search on samples of one size from one network.

    The state is "skipped" if samples of a smaller size took too long.
    """

    search: str
    network: str
    rows: int
    runs: tuple[Run, ...]
    state: State

    @cached_property
    def found(self) -> dict[int, Run]:
        """The runs that gave a graph, by number of the sample."""
        return {run.sample: run for run in self.runs if run.outcome == "found"}

    def count(self, outcome: str) -> int:
        """The number of runs with an outcome."""
        return sum(run.outcome == outcome for run in self.runs)

    def mean(self, metric: str) -> Mean | None:
        """The mean of a figure over the runs that gave a graph; None if there is none."""
        values = [value for run in self.found.values() if (value := getattr(run, metric)) is not None]
        return Mean.of(values) if values else None


@dataclass(frozen=True)
class Paired:
    """The default and another search on the same samples: the difference of their SHD, below 0 if the default wins.

    `ours` and `theirs` are means over the samples for which both gave a graph. The cell is `lost` if ours is more than
    one standard error of the paired difference above theirs.
    """

    network: str
    rows: int
    ours: Mean
    theirs: Mean
    difference: Mean

    @property
    def lost(self) -> bool:
        """Whether the default is worse by more than one standard error."""
        return self.difference.value > self.difference.error + 1e-9


@dataclass(frozen=True)
class Duel:
    """The default against one search of another library, over all cells of that search."""

    search: str
    pairs: tuple[Paired, ...]
    without_theirs: int
    without_ours: tuple[Cell, ...]

    @property
    def lost(self) -> list[Paired]:
        """The cells in which the default is worse by more than one standard error."""
        return [pair for pair in self.pairs if pair.lost]

    @property
    def held_share(self) -> float:
        """The share of the cells that are not lost; a cell in which only the other search gave graphs is lost."""
        cells = len(self.pairs) + len(self.without_ours)
        return 1 - (len(self.lost) + len(self.without_ours)) / cells if cells else 1.0


class Summary:
    """Reads the runs cell by cell. Searches are in the order of the plan, others after them."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        keys = {(run.search, run.network, run.rows) for run in runs}
        order = {search: place for place, search in enumerate(full_searches())}
        self.searches = sorted({search for search, _, _ in keys}, key=lambda text: (order.get(text, len(order)), text))
        self.networks = sorted({network for _, network, _ in keys})
        self.sizes = sorted({rows for _, _, rows in keys})

    def cell(self, search: str, network: str, rows: int) -> Cell:
        """A cell, with its state."""
        mine = self.runs.of(search, network, rows)
        smaller = (self.runs.of(search, network, size) for size in self.sizes if size < rows)
        planned = rows in SIZES or search == DEFAULT
        state: State = "run" if mine else "skipped" if planned and any(map(is_given_up, smaller)) else "not run"
        return Cell(search, network, rows, tuple(mine), state)

    def cells(self, search: str, sizes: Iterable[int] | None = None) -> list[Cell]:
        """All cells of a search that were run or skipped."""
        wanted = self.sizes if sizes is None else sizes
        every = (self.cell(search, network, rows) for network in self.networks for rows in wanted)
        return [cell for cell in every if cell.state != "not run"]

    def paired(self, ours: Cell, theirs: Cell) -> Paired | None:
        """Compare two searches on the samples for which both gave a graph; None if there are none."""
        both = sorted(ours.found.keys() & theirs.found.keys())
        if not both:
            return None
        mine = [_shd(ours.found[number]) for number in both]
        other = [_shd(theirs.found[number]) for number in both]
        difference = Mean.of([a - b for a, b in zip(mine, other, strict=True)])
        return Paired(ours.network, ours.rows, Mean.of(mine), Mean.of(other), difference)

    def duel(self, peer: str, default: str = DEFAULT) -> Duel:
        """The default against a search, in all cells in which the search was run or skipped."""
        pairs, without_theirs, without_ours = [], 0, []
        for theirs in self.cells(peer):
            ours = self.cell(default, theirs.network, theirs.rows)
            if not theirs.found:
                without_theirs += 1
            elif (pair := self.paired(ours, theirs)) is not None:
                pairs.append(pair)
            else:
                without_ours.append(ours)
        return Duel(peer, tuple(pairs), without_theirs, tuple(without_ours))


def mean_over_cells(cells: Sequence[Cell], metric: str) -> float | None:
    """The mean of the means of cells; cells without a graph are left out."""
    means = [mean.value for cell in cells if (mean := cell.mean(metric)) is not None]
    return statistics.fmean(means) if means else None


def _shd(run: Run) -> float:
    assert run.shd is not None  # every run that gave a graph has one
    return run.shd
