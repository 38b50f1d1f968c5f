"""Draws the data sets of a cell and counts how often each test says dependent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

import bitsep
from calibration.cells import ALPHAS, POWER_ALPHA, Cell, Sizes
from calibration.populations import Floats, population

WITH_LEVEL = ("x2_calibrated", "x2", "g2", "g2_adjusted", "cmi_gamma_halved")  # cmi_gamma is g2
WITHOUT_LEVEL = ("sci_f", "sci_fs", "sci_q", "jic")
SUBJECT, REFERENCE = "x2_calibrated", "permutation"

BATCH_CELLS = 1_500_000  # rows times columns of a table with many data sets
MOST_IN_A_BATCH = 250

Flags = npt.NDArray[np.bool_]
Query = tuple[str, str, tuple[str, ...]]


@dataclass
class Counted:
    """How often tests said dependent, over a number of data sets.

    `dependent` has a test's counts, one for each alpha, or a single one for a test that has no significance level.
    The permutation test of X² sees the first `permutation_runs` data sets: `reference` has its counts, `subject` those
    of `x2_calibrated` on the same data sets, and `only_reference` and `only_subject` how often the two disagree.
    """

    runs: int = 0
    dependent: dict[str, list[int]] = field(default_factory=dict)
    permutation_runs: int = 0
    reference: list[int] = field(default_factory=list)
    subject: list[int] = field(default_factory=list)
    only_reference: list[int] = field(default_factory=list)
    only_subject: list[int] = field(default_factory=list)


def under_independence(cell: Cell, sizes: Sizes) -> Counted:
    """Type I errors at every alpha."""
    return _count(cell, population(cell).cells(), sizes, ALPHAS, part=0)


def under_dependence(cell: Cell, sizes: Sizes) -> tuple[Counted, float]:
    """True positives at one alpha, and the coupled share of the rows."""
    drawn = population(cell)
    share = drawn.copied_share(cell.rows)
    return _count(cell, drawn.cells(share), sizes, (POWER_ALPHA,), part=1), share


def p_values_under_independence(cell: Cell, method: str, runs: int) -> Floats:
    """Of one test, in some data sets of a cell."""
    rng, sampler = np.random.default_rng([cell.seed, 0]), _Sampler(population(cell).cells())
    batches = _batches(cell, Sizes(runs=runs, permutation_runs=0))
    return np.concatenate([_p_values(*sampler.draw(rng, batch, cell.rows), method=method) for batch in batches])


def _count(cell: Cell, cells: Floats, sizes: Sizes, alphas: tuple[float, ...], part: int) -> Counted:
    counted = Counted()
    rng = np.random.default_rng([cell.seed, part])
    sampler = _Sampler(cells)
    levels = np.array(alphas)[:, None] * (1 + 1e-9)  # p-values can be equal to alpha but for rounding
    for batch in _batches(cell, sizes):
        table, queries = sampler.draw(rng, batch, cell.rows)
        p_of_subject = None
        for method in WITH_LEVEL:
            p = _p_values(table, queries, method=method)
            p_of_subject = p if method == SUBJECT else p_of_subject
            _add(counted.dependent.setdefault(method, []), p <= levels)
        for method in WITHOUT_LEVEL:
            results = bitsep.evaluate(table, queries, method=method, threads=1)
            _add(counted.dependent.setdefault(method, []), np.array([[not one.independent for one in results]]))
        if counted.runs < sizes.permutation_runs:
            assert p_of_subject is not None
            p = _p_values(
                table, queries, method="x2", alpha=max(alphas), permutations=sizes.permutations, sequential=True
            )
            reference, subject = p <= levels, p_of_subject <= levels
            _add(counted.reference, reference)
            _add(counted.subject, subject)
            _add(counted.only_reference, reference & ~subject)
            _add(counted.only_subject, subject & ~reference)
            counted.permutation_runs += batch
        counted.runs += batch
    return counted


def _batches(cell: Cell, sizes: Sizes) -> Iterator[int]:
    """The numbers of data sets drawn together; those with permutation tests end a batch."""
    most = max(1, min(MOST_IN_A_BATCH, BATCH_CELLS // (3 * cell.rows)))
    for part in (sizes.permutation_runs, sizes.runs - sizes.permutation_runs):
        while part > 0:
            yield min(most, part)
            part -= most


def _p_values(table: bitsep.Table, queries: list[Query], **test: Any) -> Floats:
    """Where a test has no p-value, it does not say dependent."""
    results = bitsep.evaluate(table, queries, threads=1, **test)
    return np.array([1.0 if one.p_value is None else one.p_value for one in results])


def _add(counts: list[int], flags: Flags) -> None:
    """One line of flags for each alpha."""
    new = flags.sum(axis=1)
    counts[:] = [int(count) for count in (new if not counts else new + counts)]


class _Sampler:
    """Draws data sets row by row in constant time (the alias method, Walker 1977)."""

    def __init__(self, cells: Floats) -> None:
        self.strata, self.own, self.other = len(cells), cells.ravel() / cells.mean(), np.arange(cells.size)
        z, x, y = (place.astype(np.uint8) for place in np.unravel_index(self.other, cells.shape))
        self.z, self.x, self.y = z, x, y
        small, large = (list(np.flatnonzero(where)) for where in (self.own < 1, self.own >= 1))
        while small and large:
            one = small.pop()
            self.other[one] = large[-1]
            self.own[large[-1]] -= 1 - self.own[one]
            if self.own[large[-1]] < 1:
                small.append(large.pop())
        self.own[small + large] = 1  # but for rounding

    def draw(self, rng: np.random.Generator, sets: int, rows: int) -> tuple[bitsep.Table, list[Query]]:
        """Many data sets as separate columns of one table, and the test of each."""
        place = self.places(rng, sets, rows)
        x, y, z = self.x[place], self.y[place], self.z[place]
        columns, queries = {}, []
        for i in range(sets):
            columns[f"x{i}"], columns[f"y{i}"] = x[i], y[i]
            given: tuple[str, ...] = ()
            if self.strata > 1:
                columns[f"z{i}"] = z[i]
                given = (f"z{i}",)
            queries.append((f"x{i}", f"y{i}", given))
        return bitsep.Table(columns), queries

    def places(self, rng: np.random.Generator, sets: int, rows: int) -> npt.NDArray[np.int64]:
        """The cell of each row, as an index into the probabilities."""
        place = rng.integers(0, len(self.own), (sets, rows))
        return np.where(rng.random((sets, rows)) < self.own[place], place, self.other[place])
