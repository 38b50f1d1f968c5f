"""Ratios of new to base with confidence intervals, and the verdict on all of them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 0.99
MEAN_LIMIT = 1.05
CASE_LIMIT = 1.10
NOISE = 1.05  # a case of the same build may differ by this from process to process


@dataclass(frozen=True)
class Comparison:
    """One case. The interval is that of the median of the paired ratios new / base."""

    name: str
    base_ns: float
    new_ns: float
    ratio: float
    low: float
    high: float

    @property
    def too_slow(self) -> bool:
        """Above the limit, and not by chance."""
        return self.ratio > CASE_LIMIT and self.low > NOISE

    @property
    def remark(self) -> str:
        if self.ratio <= CASE_LIMIT:
            return ""
        return "too slow" if self.too_slow else "unclear, repeat it"


def compare(name: str, base: Sequence[int], new: Sequence[int]) -> Comparison:
    ratios = sorted(b / a for a, b in zip(base, new, strict=True))
    rank = interval_rank(len(ratios))
    return Comparison(
        name,
        statistics.median(base),
        statistics.median(new),
        statistics.median(ratios),
        ratios[rank] if rank is not None else 0.0,
        ratios[-1 - rank] if rank is not None else math.inf,
    )


def interval_rank(n: int, confidence: float = CONFIDENCE) -> int | None:
    """The rank (from 0), counted from either end of n sorted values, of the ends of an interval for their median.

    The number of values below the median is binomial (n, 1/2), whatever their distribution. None: n is too small.
    """
    tail, rank = 0.0, None
    for k in range(n // 2):
        tail += math.comb(n, k) / 2**n
        if 2 * tail > 1 - confidence:
            break
        rank = k
    return rank


def geometric_mean(compared: Sequence[Comparison]) -> float:
    return statistics.geometric_mean(one.ratio for one in compared)


def passes(compared: Sequence[Comparison]) -> bool:
    return geometric_mean(compared) <= MEAN_LIMIT and not any(one.too_slow for one in compared)


def as_text(compared: Sequence[Comparison]) -> str:
    """The table, with the mean and the largest ratio below it."""
    width = max(len(one.name) for one in compared)
    lines = [
        f"{'case':{width}}  {'base ms':>10}  {'new ms':>10}  {'ratio':>6}  {CONFIDENCE:.0%} interval",
        *(
            f"{one.name:{width}}  {one.base_ns / 1e6:10.3f}  {one.new_ns / 1e6:10.3f}  {one.ratio:6.3f}  "
            f"{one.low:.3f} to {one.high:.3f}  {one.remark}".rstrip()
            for one in compared
        ),
    ]
    largest = max(compared, key=lambda one: one.ratio)
    slow = sum(one.too_slow for one in compared)
    return "\n".join(
        [
            *lines,
            "",
            f"geometric mean  {geometric_mean(compared):.3f}  (limit {MEAN_LIMIT:.2f})",
            f"largest         {largest.ratio:.3f}  {largest.name}  (limit {CASE_LIMIT:.2f})",
            f"too slow        {slow} of {len(compared)} cases",
        ]
    )
