"""The reasons for directions, and for contradictions about them."""

from __future__ import annotations

from bitsep.discovery.explanation import Explanation
from bitsep.discovery.orientation import Clash, Oriented
from bitsep.discovery.v_structures import Doubt
from bitsep.graphs.closure import ordered
from bitsep.graphs.marks import Marks, bits
from bitsep.naming import Name

Names = tuple[Name, ...]


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

    def of(self, i: int, j: int) -> Explanation:
        """Why the edge between i and j has its direction, or none."""
        marks, names = self._oriented.marks, self._names
        if marks.undirected[i] >> j & 1:
            return self._of_open(ordered(i, j))
        if marks.parents[i] >> j & 1:
            i, j = j, i
        if (i, j) in self._oriented.locked:
            return _about(names, "{} → {} by the knowledge given.", i, j)
        partners = self._partners.get((i, j))
        if partners is None:
            return _rule(marks, i, j, names)
        other, more = partners[0], Explanation("")
        if len(partners) > 1:
            more = Explanation(" (and {} more like it)", (f"{len(partners) - 1}",))
        return Explanation.of(
            "{} as part of the v-structure {}{}: {}.",
            _about(names, "{} → {}", i, j),
            _about(names, "{} → {} ← {}", i, j, other),
            more,
            _about(names, "{} and {} are separated without {}", i, other, j),
        )

    def _of_open(self, edge: tuple[int, int]) -> Explanation:
        if edge in self._clashes:
            return conflict_reason(self._clashes[edge], self._oriented, self._names)
        if edge in self._doubts:
            return Explanation.of("The direction is open: {}", doubt_reason(self._doubts[edge], self._names))
        if self._complete:
            return Explanation(
                "The direction is open: graphs with either direction fit the independences found equally well."
            )
        return Explanation("The direction is open: no v-structure and no rule of orientation gives it one.")


def _about(names: Names, template: str, *variables: int) -> Explanation:
    """A template whose values are all variables."""
    return Explanation(template, tuple((names[v],) for v in variables))


def _rule(marks: Marks, i: int, j: int, names: Names) -> Explanation:
    """Which of Meek's rules gives i → j in the finished graph."""
    beside_j = marks.adjacent(j) | 1 << j
    for k in bits(marks.parents[i] & ~beside_j):
        text = "{} → {} because the arrow back would make {} → {} ← {}, a v-structure the data do not show (Meek 1)."
        return _about(names, text, i, j, k, i, j)
    for k in bits(marks.children[i] & marks.parents[j]):
        text = "{} → {} because {} → {} → {}, and an arrow back would close a cycle (Meek 2)."
        return _about(names, text, i, j, i, k, j)
    both = (marks.undirected[i] | marks.parents[i] | marks.children[i]) & marks.parents[j]
    for k in bits(both):
        for m in bits(both & ~marks.adjacent(k) & ~(1 << k)):
            text = (
                "{} → {} because {} → {} ← {} with {} beside both, and an arrow back would "
                "force a cycle or a v-structure the data do not show (Meek 3)."
            )
            return _about(names, text, i, j, k, j, m, i)
    text = "{} → {} because the other direction would force a cycle or a v-structure the data do not show (Meek 4)."
    return _about(names, text, i, j)


def conflict_reason(clash: Clash, oriented: Oriented, names: Names) -> Explanation:
    """What contradicts what about this edge."""
    i, j = clash.edge
    if clash.kind == "v-structures":
        (a, _, b), *_rest = [t for t in clash.triples if t[1] == j]
        (c, _, d), *_rest = [t for t in clash.triples if t[1] == i]
        text = "{} — {} stays undirected: {} → {} ← {} and {} → {} ← {} contradict each other."
        return _about(names, text, i, j, a, j, b, c, i, d)
    if clash.kind == "knowledge":
        if not clash.triples:
            text = "{} — {} stays undirected: the arrows that knowledge leaves for such edges form a cycle."
            return _about(names, text, i, j)
        known = (i, j) if (i, j) in oriented.locked else (j, i)
        text = "{} → {} is known, so the v-structure {} → {} ← {} that the data suggest was refused."
        return _about(names, text, *known, *clash.triples[0])
    if clash.kind == "rules":
        return _about(names, "{} — {} stays undirected: Meek's rules ask for both directions.", i, j)
    return _about(names, "{} — {} stays undirected: its arrow would lie on a directed cycle.", i, j)


def doubt_reason(doubt: Doubt, names: Names) -> Explanation:
    """Why a triple is ambiguous."""
    a, c, b = doubt.a, doubt.c, doubt.b
    if doubt.holding + doubt.lacking == 0:
        why = _about(names, "no separator of {} and {} among their neighbors was found", a, b)
    else:
        why = Explanation(
            "of the sets that separate {} and {}, {} hold {} and {} do not",
            ((names[a],), (names[b],), f"{doubt.holding}", (names[c],), f"{doubt.lacking}"),
        )
    triple = _about(names, "{} — {} — {}", a, c, b)
    return Explanation.of("{} may or may not be a v-structure; {}.", triple, why)
