"""Fast-IAMB: as Inter-IAMB, but lets in as many variables at once as the data bear (Yaramakala & Margaritis 2005)."""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.discovery.blankets.local import Blanket
from bitsep.discovery.blankets.lockstep import Lockstep, Scope, Search, Trial
from bitsep.discovery.blankets.shrinking import Members, ask_outside, blankets_from_members, shrink

ROWS_PER_CELL = 5
"""A test is thought reliable with at least this many rows per cell on average: the rule of the paper."""


def fast_iamb(lockstep: Lockstep, targets: Sequence[int]) -> dict[int, Blanket]:
    """The Markov blankets of the targets."""
    return blankets_from_members(lockstep, speculative_association, targets)


def speculative_association(target: int, scope: Scope) -> Search[Members]:
    """Let in the dependent ones, strongest first, while a test given all of them stays reliable; shrink; repeat."""
    members: Members = {}
    seen: set[frozenset[int]] = set()
    sizes: dict[int, int] = {}
    while frozenset(members) not in seen:  # as in Inter-IAMB, a blanket that comes back is final
        seen.add(frozenset(members))
        tested = yield from ask_outside(target, list(members), scope)
        if not sizes:
            sizes = _domain_sizes(target, tested, scope)
        dependent = sorted(
            (v for v, trial in tested.items() if not trial.separated), key=lambda v: (-tested[v].score, v)
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


def _domain_sizes(target: int, tested: dict[int, Trial], scope: Scope) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for v, trial in tested.items():
        sizes[target], sizes[v], _ = scope.engine.result(target, v, trial.given, trial.record).domain_sizes
    return sizes


def _reliable(variables: Sequence[int], sizes: dict[int, int], rows: int) -> bool:
    """Whether the rows suffice for a table of these variables; an oracle has no rows and needs none."""
    cells = 1
    for v in variables:
        cells *= sizes[v]
    return rows == 0 or rows >= ROWS_PER_CELL * cells
