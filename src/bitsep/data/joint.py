"""Several columns as one variable."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitsep.data.encode import MAX_LEVELS, Codes, Column, code_type
from bitsep.data.levels import Level
from bitsep.errors import DataError
from bitsep.naming import Name


def join(columns: list[Column], names: tuple[Name, ...]) -> tuple[Codes, tuple[tuple[Level, ...], ...]]:
    """The codes and levels of the combinations observed, in lexicographic order of their parts' codes."""
    absent = np.zeros(len(columns[0].codes), dtype=np.bool_)
    for column in columns:
        absent |= column.codes < 0
    cells = np.zeros(int((~absent).sum()), dtype=np.int64)
    combinations: list[NDArray[np.int64]] = []
    for column in columns:
        # Renumbered after every part, the product is at most rows × levels: it cannot overflow, however many parts.
        n_levels = max(1, len(column.levels))
        seen, cells = _renumber(cells * n_levels + column.codes[~absent])
        combinations = [part[seen // n_levels] for part in combinations]
        combinations.append(seen % n_levels)
    n_levels = len(combinations[0])
    if n_levels > MAX_LEVELS:
        raise DataError(f"{list(names)!r} together have {n_levels:,} levels; at most {MAX_LEVELS:,} are possible.")
    codes: Codes = np.full(len(absent), -1, dtype=code_type(n_levels))
    codes[~absent] = cells
    codes.setflags(write=False)
    parts: list[list[Any]] = [
        [column.levels[code] for code in part] for column, part in zip(columns, combinations, strict=True)
    ]
    return codes, tuple(zip(*parts, strict=True))


def _renumber(cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct cells in order, and the place of each row's cell among them."""
    n_cells = int(cells.max()) + 1 if len(cells) else 0
    if n_cells > max(1024, 4 * len(cells)):
        seen, places = np.unique(cells, return_inverse=True)
        return seen, places.reshape(-1).astype(np.int64, copy=False)
    # Few possible cells: mark those that occur, which takes no sorting of rows.
    occurs = np.zeros(n_cells, dtype=np.bool_)
    occurs[cells] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[cells]
