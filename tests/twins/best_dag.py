"""The shortest code of any DAG over a few variables, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations

Parents = frozenset[str]
LocalScores = Mapping[tuple[str, Parents], float]


def subsets(items: Sequence[str]) -> Iterator[Parents]:
    return map(frozenset, chain.from_iterable(combinations(items, size) for size in range(len(items) + 1)))


def shortest_total(variables: Sequence[str], bits: LocalScores) -> float:
    """By dynamic programming over sets: the last variable of a set has its parents in the rest (Silander & Myllymäki
    2006)."""
    best: dict[Parents, float] = {frozenset(): 0.0}
    for members in subsets(variables):
        if members:
            best[members] = min(
                best[members - {last}] + min(bits[last, chosen] for chosen in subsets(sorted(members - {last})))
                for last in members
            )
    return best[frozenset(variables)]


def all_dags(variables: Sequence[str]) -> Iterator[dict[str, Parents]]:
    """Every DAG, as the parents of each variable."""

    def choices(rest: Sequence[str], chosen: dict[str, Parents]) -> Iterator[dict[str, Parents]]:
        if not rest:
            if _acyclic(chosen):
                yield dict(chosen)
            return
        for parents in subsets([v for v in variables if v != rest[0]]):
            yield from choices(rest[1:], {**chosen, rest[0]: parents})

    return choices(list(variables), {})


def _acyclic(parents: Mapping[str, Parents]) -> bool:
    left = dict(parents)
    while left:
        roots = [v for v in left if not left[v] & left.keys()]
        if not roots:
            return False
        for v in roots:
            del left[v]
    return True
