"""PCMB: parents and children first, then the spouses behind them (Peña, Nilsson, Björkegren & Tegnér 2007)."""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.discovery.blankets.local import Blanket, Neighborhood, blankets_from_neighborhoods
from bitsep.discovery.blankets.lockstep import Ask, Lockstep, Scope, Search, Trial, without


def pcmb(lockstep: Lockstep, targets: Sequence[int]) -> dict[int, Blanket]:
    """The Markov blankets of the targets."""
    return blankets_from_neighborhoods(lockstep, get_pcd, targets)


def get_pcd(target: int, scope: Scope) -> Search[Neighborhood]:
    """Parents, children and perhaps some descendants of the target.

    Each round takes, for every candidate, the subset of PCD that leaves the least dependence; drops the candidates
    it separates; moves the one with the greatest remaining dependence into PCD; then tests the members of PCD again,
    given the subsets of the others, and drops those that became independent.

    When PCD grows by one variable, only the subsets that hold it are new, so only those are tried.
    """
    candidates = scope.others(target)
    pcd: list[int] = []
    gone: dict[int, Trial] = {}
    (trials,) = yield [Ask.marginal(target, candidates)]
    best = dict(zip(candidates, trials, strict=True))
    while True:
        gone.update((v, best[v]) for v in candidates if best[v].separated)
        candidates = [v for v in candidates if not best[v].separated]
        if not candidates:
            return Neighborhood(tuple(pcd), {v: best[v] for v in pcd}, gone)
        newest = max(candidates, key=lambda v: (best[v].score, -v))  # ties: the first by name
        candidates.remove(newest)
        pcd = sorted([*pcd, newest])
        if scope.max_given == 0:
            continue  # no subset holds the new member

        members = [v for v in pcd if v != newest]
        if members:
            (trials,) = yield [_holding(newest, target, members, [without(pcd, v, newest) for v in members], scope)]
            for v, trial in zip(members, trials, strict=True):
                best[v] = best[v].lower(trial)
        dropped = {v for v in members if best[v].separated}
        gone.update((v, best[v]) for v in dropped)
        pcd = [v for v in pcd if v not in dropped]

        # A candidate whose least dependence was found with a dropped member has to start afresh.
        stale = [v for v in candidates if dropped.intersection(best[v].given)]
        fresh = [v for v in candidates if v not in stale]
        rest = without(pcd, newest)
        asks = [_holding(newest, target, fresh, [rest] * len(fresh), scope)]
        if stale:
            pools = [tuple(pcd)] * len(stale)
            asks.append(Ask(target, stale, pools, [()] * len(stale), max_size=scope.max_given))
        answers = yield asks
        best.update((v, best[v].lower(trial)) for v, trial in zip(fresh, answers[0], strict=True))
        if stale:
            best.update(zip(stale, answers[1], strict=True))


def _holding(newest: int, target: int, others: Sequence[int], pools: Sequence[tuple[int, ...]], scope: Scope) -> Ask:
    """All subsets of the pools joined with the newest member."""
    size = None if scope.max_given is None else scope.max_given - 1
    return Ask(target, others, pools, [(newest,)] * len(others), max_size=size)
