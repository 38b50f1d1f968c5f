"""How much memory a scan may take, and what for."""

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

# Per row and column at worst: the code, its recoded, its resampled and its native copy (4 bytes each), 33 bitmaps.
_BYTES_PER_FIELD = 20
_FEWEST_ROWS = 256
# Enough to make the work on a chunk count and not the calls; small enough that its bitmaps stay near the processor.
_MOST_ROWS = 1 << 18


@dataclass(frozen=True, slots=True)
class Budget:
    """The parts into which the memory is cut; a sixth is left for reading and for what nobody foresaw.

    >>> Budget.of("2GB").counts
    400000000
    """

    total: int

    @classmethod
    def of(cls, memory: object) -> Budget:
        """From "2GB", "512 MiB", or a number of bytes."""
        size = real_number(memory)
        match = _SIZE.fullmatch(memory) if isinstance(memory, str) else None
        if match is not None and match[2].upper() in _UNITS:
            size = float(match[1]) * _UNITS[match[2].upper()]
        if size is None or not 1 <= size < math.inf:
            raise ArgumentError(f'memory: must be "2GB", "512MB" or a number of bytes, got {shown(memory)}.')
        return cls(int(size))

    @property
    def kept(self) -> int:
        """Encoded data up to this stay in memory; more of them go to a file."""
        return int(self.total * 0.3)

    @property
    def chunk(self) -> int:
        """One chunk while it is counted."""
        return int(self.total * 0.15)

    @property
    def counts(self) -> int:
        """The counts of one pass."""
        return int(self.total * 0.2)

    @property
    def cache(self) -> int:
        """Counts that may be asked for again."""
        return int(self.total * 0.08)

    @property
    def levels(self) -> int:
        """The levels of all columns."""
        return int(self.total * 0.1)

    def chunk_rows(self, columns: int) -> int:
        """Rows per chunk."""
        per_row = _BYTES_PER_FIELD * columns + 16
        rows = min(_MOST_ROWS, self.chunk // per_row)
        if rows < _FEWEST_ROWS:
            needed = int(_FEWEST_ROWS * per_row / 0.15) + 1
            raise self.too_small(needed, f"{columns} columns in chunks of {_FEWEST_ROWS} rows")
        return rows

    def too_small(self, needed: int, purpose: str) -> ArgumentError:
        """The error that says what is needed."""
        return ArgumentError(
            f"memory: too small; {purpose} need {readable(needed)}, got {readable(self.total)}.",
            hint=f'Give memory="{readable(needed)}" or more, or fewer columns.',
        )


def readable(size: int) -> str:
    """An amount of memory in a form `Budget.of` reads, rounded up.

    >>> readable(1_230_000_001), readable(900)
    ('1240MB', '1KB')
    """
    for unit, factor in (("MB", 10**6), ("KB", 10**3)):
        if size > 10 * factor:
            step = 10 * factor if size > 1000 * factor else factor
            return f"{-(-size // step) * step // factor}{unit}"
    return f"{-(-size // 1000)}KB"
