"""The memory budget of a scan, and its parts."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from bitsep.checks import real_number, shown
from bitsep.errors import ArgumentError

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_UNITS |= {"KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*")

# Per row and column at most: the code and its recoded, resampled and native copies (4 bytes each), 33 bitmaps.
_BYTES_PER_FIELD = 20
_MIN_ROWS = 256
# Large enough that the overhead of calls is small; small enough that the bitmaps of a chunk fit into the cache.
_MAX_ROWS = 1 << 18


@dataclass(frozen=True, slots=True)
class Budget:
    """The parts of the memory; a sixth of it is reserved for reading and other needs.

    >>> Budget.of("2GB").counts
    400000000
    """

    total: int

    @classmethod
    def of(cls, memory: object) -> Budget:
        """A budget from a text such as "2GB" or "512 MiB", or from a number of bytes."""
        size = real_number(memory)
        match = _SIZE.fullmatch(memory) if isinstance(memory, str) else None
        if match is not None and match[2].upper() in _UNITS:
            size = float(match[1]) * _UNITS[match[2].upper()]
        if size is None or not 1 <= size < math.inf:
            raise ArgumentError(f'memory: must be "2GB", "512MB" or a number of bytes, got {shown(memory)}.')
        return cls(int(size))

    @property
    def kept(self) -> int:
        """The size up to which encoded data stay in memory; larger data are written to a file."""
        return int(self.total * 0.3)

    @property
    def chunk(self) -> int:
        """The memory for one chunk while it is counted."""
        return int(self.total * 0.15)

    @property
    def counts(self) -> int:
        """The memory for the counts of one pass."""
        return int(self.total * 0.2)

    @property
    def cache(self) -> int:
        """The memory for counts that may be needed again."""
        return int(self.total * 0.08)

    @property
    def levels(self) -> int:
        """The memory for the levels of all columns."""
        return int(self.total * 0.1)

    def chunk_rows(self, columns: int) -> int:
        """The number of rows per chunk."""
        per_row = _BYTES_PER_FIELD * columns + 16
        rows = min(_MAX_ROWS, self.chunk // per_row)
        if rows < _MIN_ROWS:
            needed = int(_MIN_ROWS * per_row / 0.15) + 1
            raise self.too_small(needed, f"{columns} columns in chunks of {_MIN_ROWS} rows")
        return rows

    def too_small(self, needed: int, purpose: str) -> ArgumentError:
        """The error for a budget that is too small, with the memory needed."""
        return ArgumentError(
            f"memory: too small; {purpose} need {readable(needed)}, got {readable(self.total)}.",
            hint=f'Give memory="{readable(needed)}" or more, or fewer columns.',
        )


def readable(size: int) -> str:
    """An amount of memory as text that `Budget.of` accepts, rounded up.

    >>> readable(1_230_000_001), readable(900)
    ('1240MB', '1KB')
    """
    for unit, factor in (("MB", 10**6), ("KB", 10**3)):
        if size > 10 * factor:
            step = 10 * factor if size > 1000 * factor else factor
            return f"{-(-size // step) * step // factor}{unit}"
    return f"{-(-size // 1000)}KB"
