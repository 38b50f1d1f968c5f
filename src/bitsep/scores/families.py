"""Scores of families: a variable with its parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.counting import Counter, Counts
from bitsep.counting.joint_counts import DenseCounts
from bitsep.processors import thread_count
from bitsep.progress import Step

_MISSING_STANDARD_ERRORS = 4.0  # of one bit per row; native/src/search/family_costs.hpp has it, too

Family = tuple[int, tuple[int, ...]]
"""The index of a variable, and those of its parents, ascending."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """The code length of each family in bits, and the number of rows that it encodes: those without missing values in
    any of its variables."""

    bits: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]

    def scaled(
        self, observed: npt.NDArray[np.int64], parents: npt.NDArray[np.int64], n: int
    ) -> npt.NDArray[np.float64]:
        """The bits of each family as if it encoded all values of its variable, so that parents are comparable.

        `observed` is the number of rows in which the variable has a value, `parents` that of its parents. The result
        is the bits per row times the former, and a charge for the rows that are missing: the average over other rows
        differs by chance, and without the charge parents would be chosen because the rows in which they have values
        happen to be easy to encode. A family without rows has 64 bits for each parent and each of all n rows, more
        than any other, or 0 if the variable has no values.
        """
        rows = np.maximum(self.rows, 1)
        charge = _MISSING_STANDARD_ERRORS * np.sqrt(observed * np.maximum(observed - self.rows, 0) / rows)
        without_rows = np.where(observed > 0, 64.0 * n * parents, 0.0)
        return np.where(self.rows == 0, without_rows, self.bits * (observed / rows) + charge)


def score_families(
    counter: Counter,
    score: _native.Score,
    families: Sequence[Family],
    threads: int | None = None,
    step: Step | None = None,
) -> Lengths:
    """The code lengths of families: in native code if the data are in memory, otherwise from the counts of passes."""
    if counter.native is not None:
        variables, offsets, items = flat_families(families)
        return Lengths(*counter.native.score(score, variables, (offsets, items), thread_count(threads), step))
    found: list[tuple[float, int]] = [(0.0, 0)] * len(families)
    with_parents = [i for i, (_, parents) in enumerate(families) if parents]
    queries = [(families[i][1][0], families[i][0], families[i][1][1:]) for i in with_parents]
    for i, counts in zip(with_parents, counter.counts_many(queries), strict=True):
        found[i] = _length(score, counts)
    for i, (variable, parents) in enumerate(families):
        if not parents and counter.n_levels(variable):
            cells = np.asarray(counter.level_counts(variable), dtype=np.int64)
            found[i] = score.of_dense_counts(1, len(cells), 1.0, cells)
    if step is not None:
        step(len(families), len(families))
    return Lengths(np.array([bits for bits, _ in found]), np.array([rows for _, rows in found], dtype=np.int64))


def observed_rows(counter: Counter) -> npt.NDArray[np.int64]:
    """The number of rows in which each variable has a value (a sum of weights)."""
    counts = (counter.level_counts(variable) for variable in range(len(counter.variables)))
    return np.array([int(np.sum(levels)) for levels in counts], dtype=np.int64)


def flat_families(
    families: Sequence[Family],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """The variables, the offsets of the parents of each, and all parents, as in native code."""
    variables = np.array([variable for variable, _ in families], dtype=np.int32)
    offsets = np.cumsum([0, *(len(parents) for _, parents in families)], dtype=np.int64)
    return variables, offsets, np.array([parent for _, parents in families for parent in parents], dtype=np.int32)


def _length(score: _native.Score, counts: Counts | DenseCounts) -> tuple[float, int]:
    if not (counts.kx and counts.ky and counts.kz_product):  # a column has only missing values, so there are no rows
        return 0.0, 0
    sizes = (counts.kx, counts.ky, counts.kz_product)
    if isinstance(counts, DenseCounts):
        return score.of_dense_counts(*sizes, counts.cells)
    return score.of_counts(*sizes, counts.stratum, counts.x, counts.y, counts.count)
