"""The reasons for directions, and for contradictions about them, in sentences."""

from __future__ import annotations

from bitsep.discovery.orientation import Clash, Oriented
from bitsep.discovery.v_structures import Doubt
from bitsep.graphs.closure import ordered
from bitsep.graphs.marks import Marks, bits

Names = tuple[str, ...]
"""The variables as sentences show them."""


class OrientationReasons:
    """Why each edge has its direction, or none; `complete`: DAGs exist for what is open."""

    def __init__(self, oriented: Oriented, names: Names, complete: bool) -> None:
        self._oriented = oriented
        self._names = names
        self._complete = complete
        self._clashes: dict[tuple[int, int], Clash] = {}
        for clash in oriented.clashes:
            self._clashes.setdefault(clash.edge, clash)
        self._doubts: dict[tuple[int, int], Doubt] = {}
        for doubt in oriented.doubts:
            for end in (doubt.a, doubt.b):
                self._doubts.setdefault(ordered(end, doubt.c), doubt)
        self._partners: dict[tuple[int, int], list[int]] = {}
        for a, c, b in oriented.colliders:
            self._partners.setdefault((a, c), []).append(b)
            self._partners.setdefault((b, c), []).append(a)

    def of(self, i: int, j: int) -> str:
        """Why the edge between i and j has its direction, or none."""
        marks, names = self._oriented.marks, self._names
        if marks.undirected[i] >> j & 1:
            return self._of_open(ordered(i, j))
        if marks.parents[i] >> j & 1:
            i, j = j, i
        arrow = f"{names[i]} → {names[j]}"
        if (i, j) in self._oriented.locked:
            return f"{arrow} by the knowledge given."
        partners = self._partners.get((i, j))
        if partners is None:
            return f"{arrow} {_rule(marks, i, j, names)}"
        more = f" (and {len(partners) - 1} more like it)" if len(partners) > 1 else ""
        other = names[partners[0]]
        return (
            f"{arrow} as part of the v-structure {arrow} ← {other}{more}: "
            f"{names[i]} and {other} are separated without {names[j]}."
        )

    def _of_open(self, edge: tuple[int, int]) -> str:
        if edge in self._clashes:
            return conflict_reason(self._clashes[edge], self._oriented, self._names)
        if edge in self._doubts:
            return f"The direction is open: {doubt_reason(self._doubts[edge], self._names)}"
        if self._complete:
            return "The direction is open: graphs with either direction fit the independences found equally well."
        return "The direction is open: no v-structure and no rule of orientation gives it one."


def _rule(marks: Marks, i: int, j: int, names: Names) -> str:
    """Which of Meek's rules gives i → j in the finished graph."""
    beside_j = marks.adjacent(j) | 1 << j
    for k in bits(marks.parents[i] & ~beside_j):
        new = f"{names[k]} → {names[i]} ← {names[j]}"
        return f"because the arrow back would make {new}, a v-structure the data do not show (Meek 1)."
    for k in bits(marks.children[i] & marks.parents[j]):
        return f"because {names[i]} → {names[k]} → {names[j]}, and an arrow back would close a cycle (Meek 2)."
    both = (marks.undirected[i] | marks.parents[i] | marks.children[i]) & marks.parents[j]
    for k in bits(both):
        for m in bits(both & ~marks.adjacent(k) & ~(1 << k)):
            return (
                f"because {names[k]} → {names[j]} ← {names[m]} with {names[i]} beside both, and an arrow back would "
                "force a cycle or a v-structure the data do not show (Meek 3)."
            )
    return "because the other direction would force a cycle or a v-structure the data do not show (Meek 4)."


def conflict_reason(clash: Clash, oriented: Oriented, names: Names) -> str:
    """What contradicts what about this edge."""
    i, j = clash.edge
    edge = f"{names[i]} — {names[j]}"
    towards_i = [t for t in clash.triples if t[1] == i]
    towards_j = [t for t in clash.triples if t[1] == j]
    if clash.kind == "v-structures":
        return (
            f"{edge} stays undirected: {_v(towards_j[0], names)} and {_v(towards_i[0], names)} contradict each other."
        )
    if clash.kind == "knowledge":
        if not clash.triples:
            return f"{edge} stays undirected: the arrows that knowledge leaves for such edges form a cycle."
        known = f"{names[i]} → {names[j]}" if (i, j) in oriented.locked else f"{names[j]} → {names[i]}"
        return f"{known} is known, so the v-structure {_v(clash.triples[0], names)} that the data suggest was refused."
    if clash.kind == "rules":
        return f"{edge} stays undirected: Meek's rules ask for both directions."
    return f"{edge} stays undirected: its arrow would lie on a directed cycle."


def doubt_reason(doubt: Doubt, names: Names) -> str:
    """Why a triple is ambiguous."""
    a, c, b = names[doubt.a], names[doubt.c], names[doubt.b]
    if doubt.holding + doubt.lacking == 0:
        why = f"no separator of {a} and {b} among their neighbors was found"
    else:
        why = f"of the sets that separate {a} and {b}, {doubt.holding} hold {c} and {doubt.lacking} do not"
    return f"{a} — {c} — {b} may or may not be a v-structure; {why}."


def _v(triple: tuple[int, int, int], names: Names) -> str:
    a, c, b = triple
    return f"{names[a]} → {names[c]} ← {names[b]}"
