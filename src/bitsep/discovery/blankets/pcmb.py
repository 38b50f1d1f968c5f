"""PCMB: parents and children first, then spouses (Peña, Nilsson, Björkegren & Tegnér 2007)."""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.discovery.blankets.lockstep import Answer, Question, Scope, Search, without
from bitsep.discovery.blankets.neighborhoods import Neighborhood


def get_pcd(target: int, scope: Scope) -> Search[Neighborhood]:
    """Parents, children and perhaps some descendants of the target.

    Each round finds, for every candidate, the subset of PCD given which the dependence is lowest; removes the
    candidates that are independent; moves the candidate with the highest remaining dependence into PCD; then tests the
    members of PCD again, given subsets of the others, and removes those that are independent.

    When a variable is added to PCD, only the subsets that contain it are new, so only those are tested.
    """
    candidates = scope.others(target)
    pcd: list[int] = []
    separated: dict[int, Answer] = {}
    (answers,) = yield [Question.marginal(target, candidates)]
    best = dict(zip(candidates, answers, strict=True))
    while True:
        separated.update((v, best[v]) for v in candidates if best[v].separated)
        candidates = [v for v in candidates if not best[v].separated]
        if not candidates:
            return Neighborhood(tuple(pcd), {v: best[v] for v in pcd}, separated)
        newest = max(candidates, key=lambda v: (best[v].score, -v))  # ties: the first by name
        candidates.remove(newest)
        pcd = sorted([*pcd, newest])
        if not scope.may_be_given(newest):
            continue  # no conditioning set contains the new member

        members = [v for v in pcd if v != newest]
        if members:
            (answers,) = yield [_containing(newest, target, members, [without(pcd, v, newest) for v in members], scope)]
            for v, answer in zip(members, answers, strict=True):
                best[v] = best[v].lower(answer)
        dropped = {v for v in members if best[v].separated}
        separated.update((v, best[v]) for v in dropped)
        pcd = [v for v in pcd if v not in dropped]

        # A candidate whose best set contains a dropped member has to be tested given all subsets again.
        outdated = [v for v in candidates if dropped.intersection(best[v].given)]
        current = [v for v in candidates if v not in outdated]
        rest = without(pcd, newest)
        questions = [_containing(newest, target, current, [rest] * len(current), scope)]
        if outdated:
            pools = [tuple(pcd)] * len(outdated)
            questions.append(Question(target, outdated, pools, [()] * len(outdated), max_size=scope.max_given))
        found = yield questions
        best.update((v, best[v].lower(answer)) for v, answer in zip(current, found[0], strict=True))
        if outdated:
            best.update(zip(outdated, found[1], strict=True))


def _containing(
    newest: int, target: int, others: Sequence[int], pools: Sequence[tuple[int, ...]], scope: Scope
) -> Question:
    """The question about all subsets of the pools united with the newest member."""
    size = None if scope.max_given is None else scope.max_given - 1
    return Question(target, others, pools, [(newest,)] * len(others), max_size=size)
