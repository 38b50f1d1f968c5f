"""Formats numbers and tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def count(value: float) -> str:
    return f"{value:,.0f}"


def seconds(value: float) -> str:
    """Seconds with three digits, in a suitable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size or unit == "µs":
            return f"{value / size:.3g} {unit}" if value / size < 1000 else f"{value / size:,.0f} {unit}"
    raise AssertionError


def times(value: float) -> str:
    return f"{value:,.0f}×" if value >= 100 else f"{value:.3g}×"


def ratio(slower: dict[str, Any], faster: dict[str, Any]) -> str:
    """How many times longer the first took; a dash if it was not measured."""
    return times(slower["median"] / faster["median"]) if "median" in slower and "median" in faster else "–"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return lines
