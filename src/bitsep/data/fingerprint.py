"""A fingerprint of encoded data, which is the same for all backends.

The hash of a row is the sum of one pseudorandom number per value, which depends on the name of the column, its levels
and the code (tabulation hashing). The hashes of rows are added up, so that parts of the data can be hashed anywhere and
in any order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bitsep.data.encode import Codes
from bitsep.data.levels import Level, level_text
from bitsep.naming import Name, sorted_names

if TYPE_CHECKING:
    from bitsep.data.contract import EncodedData

Sums = npt.NDArray[np.uint64]
"""Sums of row hashes modulo 2^64: two that do not depend on the order of the rows, and two that do."""

_BLOCK = 1 << 14  # rows hashed at a time, so that they fit into the cache
ODD = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: the step between two states of SplitMix64."""

# Digits of π
_LANES = np.array([0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89], np.uint64)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Two hashes of the same data.

    Attributes
    ----------
    content : str
        A hash of names, levels and rows with their weights, which does not depend on the order of columns and rows.
    order : str
        A hash of the same that depends on the order of rows, as bootstrap samples do.
    """

    content: str
    order: str


class RowHasher:
    """Hashes the rows of data with these columns.

    Parameters
    ----------
    names : sequence of names
        The columns.
    levels : sequence of tuples
        The levels of each column.
    """

    def __init__(self, names: Sequence[Name], levels: Sequence[tuple[Level, ...]]) -> None:
        self._keys = [_key(name, known) for name, known in zip(names, levels, strict=True)]
        sizes = map(len, levels)
        self._values = [_value_hashes(key, size) for key, size in zip(self._keys, sizes, strict=True)]

    def sums(self, codes: Sequence[Codes], weights: npt.NDArray[np.int64] | None, first_row: int) -> Sums:
        """The sums over a part of the data: its codes in the order of the names, its weights, its first row."""
        total = np.zeros(4, np.uint64)
        rows = len(codes[0]) if codes else 0
        for begin in range(0, rows, _BLOCK):
            part = slice(begin, min(begin + _BLOCK, rows))
            hashed = np.zeros(part.stop - begin, np.uint64)
            for column, values in zip(codes, self._values, strict=True):
                hashed += values.take(column[part])  # code −1, a missing value, is the last entry
            repeats = np.ones(1, np.uint64) if weights is None else weights[part].astype(np.uint64)
            position = np.arange(first_row + begin, first_row + part.stop, dtype=np.uint64) * ODD
            lanes = [mixed(hashed ^ lane) for lane in _LANES]
            lanes[2:] = [mixed(one + position) for one in lanes[2:]]
            total += np.array([np.sum(one * repeats) for one in lanes], np.uint64)  # modulo 2^64, as all sums here
        return total

    def fingerprint(self, sums: Sums, n: int, *, weighted: bool) -> Fingerprint:
        """The fingerprint of all data from the sum over its parts; `n` is the sum of weights, or the number of rows."""
        digests = []
        for part in (sums[:2], sums[2:]):
            digest = hashlib.blake2b(f"{n} {weighted}".encode(), digest_size=16)
            for key in sorted(self._keys):
                digest.update(key)
            digest.update(part.astype("<u8").tobytes())
            digests.append(digest.hexdigest())
        return Fingerprint(*digests)


def fingerprint_of(data: EncodedData, row_hashes: Callable[[RowHasher], Sums], *, weighted: bool) -> Fingerprint:
    """The fingerprint of data whose rows `row_hashes` hashes, with the columns in canonical order."""
    names = sorted_names(data.names)
    hasher = RowHasher(names, [data.levels(name) for name in names])
    return hasher.fingerprint(row_hashes(hasher), data.n, weighted=weighted)


def _key(name: Name, levels: tuple[Level, ...]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in (repr(name), level_text(levels)):
        text = part.encode("utf-8", "surrogatepass")
        digest.update(len(text).to_bytes(8, "little") + text)
    return digest.digest()


def _value_hashes(key: bytes, levels: int) -> npt.NDArray[np.uint64]:
    """A pseudorandom number per level, and one for the missing value at the end."""
    start = np.uint64(int.from_bytes(key[:8], "little"))
    return mixed(np.arange(1, levels + 2, dtype=np.uint64) * ODD + start)


def mixed(state: npt.NDArray[np.uint64]) -> npt.NDArray[Any]:
    """Pseudorandom numbers from states: the finalizer of SplitMix64 (Steele, Lea & Flood 2014)."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
