"""Fast-IAMB: like Inter-IAMB, but adds several variables at once if rows suffice (Yaramakala & Margaritis 2005)."""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.discovery.blankets.lockstep import Answer, Scope, Search
from bitsep.discovery.blankets.shrinking import Members, evaluate_outside, shrink

ROWS_PER_CELL = 5
"""A test is considered reliable with at least this many rows per cell on average, as in the paper."""


def speculative_association(target: int, scope: Scope) -> Search[Members]:
    """Add dependent variables, strongest first, while a test given all of them is reliable; shrink; repeat."""
    members: Members = {}
    seen: set[frozenset[int]] = set()
    sizes: dict[int, int] = {}
    while frozenset(members) not in seen:  # as in Inter-IAMB, a blanket that occurs again is final
        seen.add(frozenset(members))
        tested = yield from evaluate_outside(target, list(members), scope)
        if not sizes:
            sizes = _domain_sizes(target, tested, scope)
        dependent = sorted(
            (v for v, answer in tested.items() if not answer.separated), key=lambda v: (-tested[v].score, v)
        )
        if not dependent:
            break
        grown = [*members, dependent[0]]
        for v in dependent[1:]:
            if not _reliable([target, *grown, v], sizes, scope.engine.n):
                break
            grown.append(v)
        members = yield from shrink(target, grown)
    return members


def _domain_sizes(target: int, tested: dict[int, Answer], scope: Scope) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for v, answer in tested.items():
        sizes[target], sizes[v], _ = scope.engine.result(target, v, answer.given, answer.record).domain_sizes
    return sizes


def _reliable(variables: Sequence[int], sizes: dict[int, int], rows: int) -> bool:
    """Whether there are enough rows for a table of these variables; an oracle (0 rows) needs none."""
    cells = 1
    for v in variables:
        cells *= sizes[v]
    return rows == 0 or rows >= ROWS_PER_CELL * cells
