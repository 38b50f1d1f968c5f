"""From the values of results to digests that are stored.

Every family of results has two digests. The exact one is of all bits. It holds on the platform on which the corpus was
made: logarithms and powers come from the C library and may differ in the last bit elsewhere. The portable one is of
numbers rounded to `DIGITS` significant digits and holds everywhere.

Why so few digits: a number that lies beside the limit between two roundings changes its digest when its last bit
changes. Scores are multiples of 2^-30 bits, so another C library may move one by 1e-9 at once.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from .results import Record, Value

DIGITS = 6


def this_platform() -> str:
    """System, processor and C library, and a digest of what its functions return: glibc has several of each function,
    and chooses by the processor (with FMA or without)."""
    functions = (math.exp, math.expm1, math.log, math.log1p, math.log2, lambda x: math.pow(x, 1 / 3))
    returned = [(function(0.37 * step),) for function in functions for step in range(1, 1500)]
    name = f"{platform.system()} {platform.machine()} {platform.libc_ver()[0]}".rstrip()
    return f"{name}, functions {_digest(lines(returned))}"


@dataclass(frozen=True)
class Family:
    """What is stored of one family of results.

    exact, portable : the digests.
    count : how many results there are.
    clear : sums that say what is different: true values, integers, and floating-point numbers by their place.
    """

    exact: str
    portable: str
    count: int
    clear: str

    @classmethod
    def of(cls, records: list[Record]) -> Family:
        return cls(
            _digest(lines(records, float.hex)), _digest(lines(records, _rounded)), len(records), _summary(records)
        )

    def stored(self) -> list[Any]:
        """For JSON; `Family(*stored)` is the reverse."""
        return [self.exact, self.portable, self.count, self.clear]


def lines(records: Iterable[Record], shown: Callable[[float], str] = float.hex) -> list[str]:
    """One line of text per record."""
    return [" ".join(_text(value, shown) for value in record) for record in records]


def _text(value: Value, shown: Callable[[float], str]) -> str:
    return shown(value) if isinstance(value, float) else ascii(value)


def _rounded(value: float) -> str:
    return f"{value + 0.0:.{DIGITS - 1}e}"  # -0.0 becomes 0.0


def _digest(text: list[str]) -> str:
    return blake2b("\n".join(text).encode(), digest_size=12).hexdigest()


def _summary(records: list[Record]) -> str:
    """Names by how many there are, then sums: of true values, of integers, of floating-point numbers."""
    values = [value for record in records for value in record]
    names = sum(isinstance(value, str) for value in values)
    true = sum(value is True for value in values)
    whole = sum(value for value in values if isinstance(value, int) and not isinstance(value, bool))
    real = math.fsum(value for value in values if isinstance(value, float) and math.isfinite(value))
    return f"{names} names, {true} true, integers {whole}, numbers {real:.10g}"
