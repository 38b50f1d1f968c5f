"""The reasons for directions of edges, and for contradictions about them."""

from __future__ import annotations

from bitsep.discovery.explanation import Explanation
from bitsep.discovery.orientation import EdgeConflict, Oriented
from bitsep.discovery.v_structures import UndecidedTriple
from bitsep.figures import shown_bits
from bitsep.graphs.closure import ordered
from bitsep.graphs.marks import Marks, bits
from bitsep.naming import Name

Names = tuple[Name, ...]


class OrientationReasons:
    """Why each edge has its direction, or none; if `complete`, an undirected edge has both directions in DAGs."""

    def __init__(self, oriented: Oriented, names: Names, complete: bool) -> None:
        self._oriented = oriented
        self._names = names
        self._complete = complete
        self._conflicts: dict[tuple[int, int], EdgeConflict] = {}
        for conflict in oriented.conflicts:
            self._conflicts.setdefault(conflict.edge, conflict)
        self._undecided: dict[tuple[int, int], UndecidedTriple] = {}
        for triple in oriented.undecided:
            for end in (triple.a, triple.b):
                self._undecided.setdefault(ordered(end, triple.c), triple)
        self._partners: dict[tuple[int, int], list[int]] = {}
        for a, c, b in oriented.colliders:
            self._partners.setdefault((a, c), []).append(b)
            self._partners.setdefault((b, c), []).append(a)

    def of(self, i: int, j: int) -> Explanation:
        """Why the edge between i and j has its direction, or none."""
        marks, names = self._oriented.marks, self._names
        if marks.undirected[i] >> j & 1:
            return self._of_undirected(ordered(i, j))
        if marks.parents[i] >> j & 1:
            i, j = j, i
        if (i, j) in self._oriented.locked:
            return about(names, "{} → {} by the knowledge given.", i, j)
        partners = self._partners.get((i, j))
        if partners is None:
            return rule_reason(marks, i, j, names)
        other, more = self._clearest(i, j, partners), Explanation("")
        if len(partners) > 1:
            more = Explanation(" (and {} more like it)", (f"{len(partners) - 1}",))
        return Explanation.of(
            "{} as part of the v-structure {}{}: {}.",
            about(names, "{} → {}", i, j),
            about(names, "{} → {} ← {}", i, j, other),
            more,
            self._why(i, j, other),
        )

    def _clearest(self, i: int, j: int, partners: list[int]) -> int:
        """The partner of the v-structure at j with the most evidence, or the first one by name."""
        evidence = self._oriented.bits
        return max(partners, key=lambda k: evidence.get(_triple(i, j, k), 0.0))

    def _why(self, i: int, j: int, other: int) -> Explanation:
        """Why i → j ← other is a v-structure."""
        names = self._names
        evidence = self._oriented.bits.get(_triple(i, j, other))
        if evidence is None:
            return about(names, "{} and {} are separated without {}", i, other, j)
        if evidence <= 0:
            return Explanation("decisions with more bits leave no other choice")
        return Explanation.of(
            "without {} in the conditioning set {} come closer to independence, by {} bits",
            (names[j],), (names[i], names[other]), shown_bits(evidence),
        )  # fmt: skip

    def _of_undirected(self, edge: tuple[int, int]) -> Explanation:
        if edge in self._conflicts:
            return conflict_reason(self._conflicts[edge], self._oriented, self._names)
        if edge in self._undecided:
            return Explanation.of("The direction is open: {}", undecided_reason(self._undecided[edge], self._names))
        if self._complete:
            return Explanation(
                "The direction is open: graphs with either direction fit the independences found equally well."
            )
        return Explanation("The direction is open: no v-structure and no rule of orientation gives it one.")


def _triple(i: int, j: int, other: int) -> tuple[int, int, int]:
    return min(i, other), j, max(i, other)


def about(names: Names, template: str, *variables: int) -> Explanation:
    """A template whose values are all variables."""
    return Explanation(template, tuple((names[v],) for v in variables))


def rule_reason(marks: Marks, i: int, j: int, names: Names) -> Explanation:
    """Which of Meek's rules implies i → j in the finished graph."""
    beside_j = marks.adjacent(j) | 1 << j
    for k in bits(marks.parents[i] & ~beside_j):
        text = "{} → {} because the arrow back would make {} → {} ← {}, a v-structure the data do not show (Meek 1)."
        return about(names, text, i, j, k, i, j)
    for k in bits(marks.children[i] & marks.parents[j]):
        text = "{} → {} because {} → {} → {}, and an arrow back would close a cycle (Meek 2)."
        return about(names, text, i, j, i, k, j)
    both = (marks.undirected[i] | marks.parents[i] | marks.children[i]) & marks.parents[j]
    for k in bits(both):
        for m in bits(both & ~marks.adjacent(k) & ~(1 << k)):
            text = (
                "{} → {} because {} → {} ← {} with {} beside both, and an arrow back would "
                "force a cycle or a v-structure the data do not show (Meek 3)."
            )
            return about(names, text, i, j, k, j, m, i)
    text = "{} → {} because the other direction would force a cycle or a v-structure the data do not show (Meek 4)."
    return about(names, text, i, j)


def conflict_reason(conflict: EdgeConflict, oriented: Oriented, names: Names) -> Explanation:
    """The contradiction about the direction of an edge."""
    i, j = conflict.edge
    if conflict.bits is not None:
        return overruled_reason(conflict.triples[0], conflict.bits, conflict.kind == "knowledge", names)
    if conflict.kind == "v-structures":
        (a, _, b), *_rest = [t for t in conflict.triples if t[1] == j]
        (c, _, d), *_rest = [t for t in conflict.triples if t[1] == i]
        text = "{} — {} stays undirected: {} → {} ← {} and {} → {} ← {} contradict each other."
        return about(names, text, i, j, a, j, b, c, i, d)
    if conflict.kind == "knowledge":
        if not conflict.triples:
            text = "{} — {} stays undirected: the arrows that knowledge leaves for such edges form a cycle."
            return about(names, text, i, j)
        known = (i, j) if (i, j) in oriented.locked else (j, i)
        text = "{} → {} is known, so the v-structure {} → {} ← {} that the data suggest was refused."
        return about(names, text, *known, *conflict.triples[0])
    if conflict.kind == "rules":
        return about(names, "{} — {} stays undirected: Meek's rules ask for both directions.", i, j)
    return about(names, "{} — {} stays undirected: its arrow would lie on a directed cycle.", i, j)


def overruled_reason(triple: tuple[int, int, int], evidence: float, by_knowledge: bool, names: Names) -> Explanation:
    """Why a decision about a triple does not hold in the graph."""
    against = "the knowledge given" if by_knowledge else "decisions with more bits"
    shown = "{} → {} ← {}" if evidence > 0 else "{} — {} — {}"
    claim = "is a v-structure" if evidence > 0 else "is not a v-structure"
    return Explanation.of(
        "{} " + claim + " by {} bits, but this contradicts " + against + ".",
        about(names, shown, *triple),
        shown_bits(abs(evidence)),
    )


def undecided_reason(triple: UndecidedTriple, names: Names) -> Explanation:
    """Why a triple is undecided."""
    a, c, b = triple.a, triple.c, triple.b
    if triple.holding + triple.lacking == 0:
        why = about(names, "no separator of {} and {} among their neighbors was found", a, b)
    else:
        why = Explanation(
            "of the sets that separate {} and {}, {} hold {} and {} do not",
            ((names[a],), (names[b],), f"{triple.holding}", (names[c],), f"{triple.lacking}"),
        )
    path = about(names, "{} — {} — {}", a, c, b)
    return Explanation.of("{} may or may not be a v-structure; {}.", path, why)
