"""Graphs of other libraries as graphs of bitsep."""

from __future__ import annotations

from collections.abc import Iterable

from bitsep import PDAG

Edge = tuple[str, str]


def partly_directed(variables: Iterable[str], directed: Iterable[Edge], undirected: Iterable[Edge]) -> PDAG:
    """A graph from the marks of another library, which need not be a PDAG.

    An edge with arrowheads at both ends becomes undirected, and so do the directed edges of a directed cycle: the
    library claims no direction for them that could be right.
    """
    arrows = set(directed)
    lines = {frozenset(pair) for pair in undirected} | {frozenset((a, b)) for a, b in arrows if (b, a) in arrows}
    arrows = {(a, b) for a, b in arrows if frozenset((a, b)) not in lines}
    cyclic = _on_cycles(arrows)
    lines |= {frozenset(pair) for pair in cyclic}
    return PDAG(variables, arrows - cyclic, lines)


def _on_cycles(arrows: set[Edge]) -> set[Edge]:
    """The edges a → b with a directed path from b to a."""
    following: dict[str, set[str]] = {}
    for a, b in arrows:
        following.setdefault(a, set()).add(b)
    return {(a, b) for a, b in arrows if a in _reached(following, b)}


def _reached(following: dict[str, set[str]], start: str) -> set[str]:
    reached, open_ends = set[str](), [start]
    while open_ends:
        new = following.get(open_ends.pop(), set()) - reached
        reached |= new
        open_ends += new
    return reached
