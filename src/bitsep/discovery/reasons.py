"""The reasons for directions, and for contradictions about them, in sentences."""

from __future__ import annotations

from bitsep.discovery.orientation import Clash, Oriented
from bitsep.discovery.triples import Doubt
from bitsep.graphs.closure import ordered
from bitsep.graphs.marks import Marks, bits
from bitsep.naming import Name

Names = tuple[Name, ...]


def orientation_reason(i: int, j: int, oriented: Oriented, names: Names, complete: bool) -> str:
    """Why the edge between i and j has its direction, or none; `complete`: DAGs exist for what is open."""
    marks = oriented.marks
    if marks.undirected[i] >> j & 1:
        for clash in oriented.clashes:
            if clash.edge == ordered(i, j):
                return conflict_reason(clash, oriented, names)
        doubt = next((d for d in oriented.doubts if d.c in (i, j) and {i, j} <= {d.a, d.b, d.c}), None)
        if doubt is not None:
            return f"The direction is open: {doubt_reason(doubt, names)}"
        if complete:
            return "The direction is open: graphs with either direction fit the independences found equally well."
        return "The direction is open: no v-structure and no rule of orientation gives it one."
    if marks.parents[i] >> j & 1:
        i, j = j, i
    arrow = f"{names[i]} → {names[j]}"
    if (i, j) in oriented.locked:
        return f"{arrow} by the knowledge given."
    partners = [b if a == i else a for a, c, b in oriented.colliders if c == j and i in (a, b)]
    if partners:
        more = f" (and {len(partners) - 1} more like it)" if len(partners) > 1 else ""
        other = names[partners[0]]
        return (
            f"{arrow} as part of the v-structure {arrow} ← {other}{more}: "
            f"{names[i]} and {other} are separated without {names[j]}."
        )
    return f"{arrow} {_rule(marks, i, j, names)}"


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
        why = f"no separator of {a} and {b} among their neighbours was found"
    else:
        why = f"of the sets that separate {a} and {b}, {doubt.holding} hold {c} and {doubt.lacking} do not"
    return f"{a} — {c} — {b} may or may not be a v-structure; {why}."


def _v(triple: tuple[int, int, int], names: Names) -> str:
    a, c, b = triple
    return f"{names[a]} → {names[c]} ← {names[b]}"
