"""The blanket algorithms by the book, one variable after the other, every subset tested again each time it matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from twins.answers import Answers

Given = tuple[str, ...]
Found = tuple[set[str], set[str]]
"""Neighbors and spouses."""


def _subsets(pool: Iterable[str]) -> list[Given]:
    names = sorted(pool)
    return [given for size in range(len(names) + 1) for given in combinations(names, size)]


# Grow and shrink


def _shrunk(answers: Answers, target: str, members: Iterable[str]) -> set[str]:
    """Without the most independent member given the others, as long as one is independent; ties: the last by name."""
    kept = set(members)
    while True:
        independent = [v for v in kept if answers.independent(target, v, kept - {v})]
        if not independent:
            return kept
        lowest = min(answers.score(target, v, kept - {v}) for v in independent)
        kept.remove(max(v for v in independent if answers.score(target, v, kept - {v}) == lowest))


def _dependent(answers: Answers, target: str, members: set[str]) -> list[str]:
    outside = [v for v in answers.names if v != target and v not in members]
    return [v for v in outside if not answers.independent(target, v, members)]


def _strongest_first(answers: Answers, target: str, names: Iterable[str], given: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda v: (-answers.score(target, v, given), v))


def grow_shrink(answers: Answers, target: str) -> set[str]:
    order = _strongest_first(answers, target, [v for v in answers.names if v != target], ())
    members: set[str] = set()
    while dependent := _dependent(answers, target, members):
        members.add(min(dependent, key=order.index))
    return _shrunk(answers, target, members)


def iamb(answers: Answers, target: str) -> set[str]:
    members: set[str] = set()
    while dependent := _dependent(answers, target, members):
        members.add(_strongest_first(answers, target, dependent, members)[0])
    return _shrunk(answers, target, members)


def inter_iamb(answers: Answers, target: str, several: bool = False) -> set[str]:
    members: set[str] = set()
    seen: list[set[str]] = []
    while members not in seen:
        seen.append(members)
        dependent = _strongest_first(answers, target, _dependent(answers, target, members), members)
        if not dependent:
            break
        grown = [*members, dependent[0]]
        for v in dependent[1:] if several else ():
            cells = 1
            for name in (target, *grown, v):
                cells *= answers.sizes[name]
            if answers.rows < 5 * cells:
                break
            grown.append(v)
        members = _shrunk(answers, target, grown)
    return members


def fast_iamb(answers: Answers, target: str) -> set[str]:
    return inter_iamb(answers, target, several=True)


def _split(answers: Answers, target: str, grow: Callable[[Answers, str], set[str]]) -> Found:
    """A member is a neighbor if no subset of the smaller of both blankets separates it from the target."""
    members = grow(answers, target)
    neighbors = set()
    for v in members:
        own, other = members - {v}, grow(answers, v) - {target, v}
        pool = own if len(own) <= len(other) else other
        if not any(answers.independent(target, v, given) for given in _subsets(pool)):
            neighbors.add(v)
    return neighbors, members - neighbors


# Neighbors first

Neighborhood = tuple[list[str], dict[str, Given]]
"""The members before the symmetry correction, and the separator of every variable that was removed."""


def _lowest(answers: Answers, target: str, v: str, sets: Iterable[Given]) -> Given:
    return min(sets, key=lambda given: (answers.score(target, v, given), len(given), given))


def _first(answers: Answers, target: str, v: str, sets: Iterable[Given]) -> Given | None:
    return next((given for given in sets if answers.independent(target, v, given)), None)


def _with(newest: str, pool: Iterable[str]) -> list[Given]:
    return [tuple(sorted((*given, newest))) for given in _subsets(pool)]


def pcd(answers: Answers, target: str) -> Neighborhood:
    """GetPCD of Peña et al. 2007: all subsets of PCD in every round."""
    candidates = [v for v in answers.names if v != target]
    members: list[str] = []
    separators: dict[str, Given] = {}
    seen: dict[str, set[Given]] = {v: set() for v in candidates}  # of a member: all sets that were tested
    while True:
        for v in candidates:
            seen[v] = set(_subsets(members))
        best = {v: _lowest(answers, target, v, seen[v]) for v in candidates}
        for v in list(candidates):
            if answers.independent(target, v, best[v]):
                separators[v] = best[v]
                candidates.remove(v)
        if not candidates:
            return members, separators
        newest = min(candidates, key=lambda v: (-answers.score(target, v, best[v]), v))
        candidates.remove(newest)
        members = sorted([*members, newest])
        for v in [v for v in members if v != newest]:
            seen[v] |= set(_subsets([u for u in members if u != v]))
        dropped = {
            v: lowest
            for v in members
            if v != newest and answers.independent(target, v, lowest := _lowest(answers, target, v, seen[v]))
        }
        separators |= dropped
        members = [v for v in members if v not in dropped]


def mmpc(answers: Answers, target: str) -> Neighborhood:
    candidates = [v for v in answers.names if v != target]
    separators: dict[str, Given] = {}
    seen: dict[str, list[Given]] = {v: [()] for v in candidates}
    added: list[str] = []
    while True:
        for v in list(candidates):
            if (given := _first(answers, target, v, seen[v])) is not None:
                separators[v] = given
                candidates.remove(v)
        if not candidates:
            break
        lowest = {v: min(answers.score(target, v, given) for given in seen[v]) for v in candidates}
        newest = min(candidates, key=lambda v: (-lowest[v], v))
        candidates.remove(newest)
        for v in candidates:
            seen[v] += _with(newest, added)
        added.append(newest)
    kept: list[str] = []
    for later in added:
        removed = {}
        for v in kept:
            given = _first(answers, target, v, _with(later, [u for u in kept if u != v]))
            if given is not None:
                removed[v] = given
        separators |= removed
        kept = sorted([*(v for v in kept if v not in removed), later])
    return kept, separators


def hiton_pc(answers: Answers, target: str) -> Neighborhood:
    others = [v for v in answers.names if v != target]
    separators: dict[str, Given] = {v: () for v in others if answers.independent(target, v, ())}
    members: list[str] = []
    queue = _strongest_first(answers, target, [v for v in others if v not in separators], ())
    for newest in queue:
        given = _first(answers, target, newest, _subsets(members)[1:])
        if given is not None:
            separators[newest] = given
            continue
        removed = {}
        for v in members:
            given = _first(answers, target, v, _with(newest, [u for u in members if u != v]))
            if given is not None:
                removed[v] = given
        separators |= removed
        members = sorted([*(v for v in members if v not in removed), newest])
    return members, separators


def _from_neighborhoods(answers: Answers, target: str, find: Callable[[Answers, str], Neighborhood]) -> Found:
    """The symmetry correction, and the spouses: dependent given the separator and the common child."""
    near = {v: find(answers, v) for v in answers.names}
    neighbors = {v: [u for u in near[v][0] if v in near[u][0]] for v in answers.names}
    spouses = set()
    for child in neighbors[target]:
        for v in neighbors[child]:
            if v == target or v in neighbors[target]:
                continue
            separator: Sequence[str] | None = near[target][1].get(v)
            if separator is None:
                separator = near[v][1].get(target)
            if separator is None or child in separator:
                continue
            if not answers.independent(target, v, (*separator, child)):
                spouses.add(v)
    return set(neighbors[target]), spouses


def blanket(answers: Answers, target: str, algorithm: str) -> Found:
    """The neighbors and spouses of a variable."""
    growing = {"grow_shrink": grow_shrink, "iamb": iamb, "inter_iamb": inter_iamb, "fast_iamb": fast_iamb}
    if algorithm in growing:
        return _split(answers, target, growing[algorithm])
    return _from_neighborhoods(answers, target, {"pcmb": pcd, "mmmb": mmpc, "hiton_mb": hiton_pc}[algorithm])
