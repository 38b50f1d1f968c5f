"""The reasons for the marks of a PAG: why an edge is →, ↔, o→ or o—o, with the separators behind it."""

from __future__ import annotations

from collections.abc import Mapping

from bitsep.discovery.explanation import Explanation, shown_bits
from bitsep.discovery.mark_orientation import Marked
from bitsep.discovery.orientation import EdgeConflict
from bitsep.discovery.reasons import about, overruled_reason
from bitsep.graphs.closure import ordered
from bitsep.graphs.end_marks import SIGNS
from bitsep.graphs.marks import bits
from bitsep.naming import Name

Names = tuple[Name, ...]
Separators = Mapping[tuple[int, int], tuple[frozenset[int], float]]

_READINGS = {
    "→": "{} → {}: the first is a cause of the second.",
    "↔": "{} ↔ {}: a hidden common cause is the only reading that fits these tests, since neither is a cause of the "
    "other.",
    "o→": "{} o→ {}: the second is not a cause of the first; the first is a cause of the second, or they have a hidden "
    "common cause.",
    "o—o": "{} o—o {}: either can be a cause of the other, and they can have a hidden common cause.",
    "—": "{} — {}: both are causes of what selects the rows.",
    "—o": "{} —o {}: the first is a cause of the second, or of what selects the rows.",
}


class MarkReasons:
    """Why each edge has its marks."""

    def __init__(self, marked: Marked, separators: Separators, names: Names) -> None:
        self._marked = marked
        self._separators = separators
        self._names = names

    def of(self, i: int, j: int) -> Explanation:
        """What the edge between i and j says, and why it has its marks."""
        ends = self._marked.ends
        first, second = ends.mark(i, j), ends.mark(j, i)
        sign = next((sign for sign, marks in SIGNS.items() if marks == (first, second)), None)
        if sign is None:
            i, j = j, i
            sign = next(sign for sign, marks in SIGNS.items() if marks == (second, first))
        parts = [about(self._names, _READINGS[sign], i, j)]
        for here, there in ((i, j), (j, i)):
            part = self._mark(here, there)
            if part not in parts:
                parts.append(part)
        return Explanation.of(" ".join(["{}"] * len(parts)), *parts)

    def _mark(self, i: int, j: int) -> Explanation:
        """Why the edge between i and j has its mark at i."""
        ends, names = self._marked.ends, self._names
        kind = ends.mark(i, j)
        if kind == "circle":
            text = "Circle at {}: graphs with a tail and graphs with an arrowhead there fit the tests equally well."
            return about(names, text, i)
        what = "Arrowhead" if kind == "arrow" else "Tail"
        if (j, i) in self._marked.known:
            return about(names, what + " at {}: by the knowledge given.", i)
        partners = ends.arrows_at[i] & ~ends.adjacent[j] & ~(1 << j) if kind == "arrow" else 0
        if partners:
            return self._collider(i, j, list(bits(partners)))
        rule, used = self._marked.reasons.get((j, i), ("", ()))
        return self._by_rule(what, i, rule, used)

    def _collider(self, c: int, a: int, partners: list[int]) -> Explanation:
        weights = self._marked.bits
        best = max(partners, key=lambda b: weights.get(_triple(a, c, b), 0.0))
        weight = weights.get(_triple(a, c, best), 0.0)
        more = Explanation("")
        if len(partners) > 1:
            more = Explanation(" (and {} more like it)", (f"{len(partners) - 1}",))
        shown = about(self._names, "{} *→ {} ←* {}", a, c, best)
        if weight <= 0 or ordered(a, best) not in self._separators:
            text = "Arrowhead at {}: in the v-structure {}{}, which follows from decisions with more bits."
            return Explanation.of(text, (self._names[c],), shown, more)
        return Explanation.of(
            "Arrowhead at {}: in the v-structure {}{}, since {} are independent given {}, and dependent by {} bits more "
            "given {} too.",
            (self._names[c],), shown, more, self._pair(a, best), self._separator(a, best, c), shown_bits(weight),
            (self._names[c],),
        )  # fmt: skip

    def _by_rule(self, what: str, i: int, rule: str, used: tuple[int, ...]) -> Explanation:
        """The mark at i that a rule of Zhang (2008) put."""
        names = self._names
        at = about(names, what + " at {}", i)
        if rule in ("R1", "R7"):
            a, c, b = used
            into = "{} *→ {}" if rule == "R1" else "{} —o {}"
            return Explanation.of(
                "{}: " + into + " and {} are independent given {}, so {} is not a collider between them (" + rule + ").",
                at, (names[a],), (names[c],), self._pair(a, b), self._separator(a, b), (names[c],),
            )  # fmt: skip
        if rule in ("R2", "R8"):
            text = "{}: the path over {} from {} to {} would become a cycle of causes otherwise (" + rule + ")."
            return Explanation.of(text, at, (names[used[1]],), (names[used[0]],), (names[used[2]],))
        if rule == "R3":
            a, b, c, d = used
            text = "{}: {} *→ {} ←* {}, while {} is not a collider between {} (R3)."
            return Explanation.of(text, at, *((names[v],) for v in (a, b, c, d)), self._pair(a, c))
        if rule == "R4":
            return self._by_path(at, used)
        if rule == "R5":
            text = "{}: it is on the cycle {}, in which no variable can be a collider (R5)."
            return Explanation.of(text, at, tuple(names[v] for v in used))
        if rule == "R6":
            return Explanation.of("{}: {} is a cause of what selects the rows (R6).", at, (names[used[1]],))
        if rule == "R9":
            text = "{}: without it there would be a v-structure or a cycle on the path {} (R9)."
            return Explanation.of(text, at, tuple(names[v] for v in used))
        if rule == "R10":
            text = "{}: {} is not a collider between {}, and from both of them paths lead to causes of {} (R10)."
            return Explanation.of(text, at, (names[used[0]],), self._pair(used[1], used[2]), (names[used[3]],))
        return Explanation.of("{}: it follows from the other marks and the knowledge given.", at)

    def _by_path(self, at: Explanation, path: tuple[int, ...]) -> Explanation:
        names, (d, b, c) = self._names, (path[0], path[-2], path[-1])
        collider = self._marked.mag.is_collider(*path[-3:])
        text = (
            "{}: on the discriminating path {}, {} "
            + ("is a collider" if collider else "is not a collider")
            + ", since the separator of {}, {}, "
            + ("does not contain it" if collider else "contains it")
            + " (R4)."
        )
        shown = tuple(names[v] for v in path)
        return Explanation.of(text, at, shown, (names[b],), self._pair(d, c), self._separator(d, c))

    def _pair(self, a: int, b: int) -> Names:
        i, j = ordered(a, b)
        return (self._names[i], self._names[j])

    def _separator(self, a: int, b: int, without: int | None = None) -> Names:
        found = self._separators.get(ordered(a, b))
        return () if found is None else tuple(self._names[v] for v in sorted(found[0]) if v != without)


def _triple(a: int, c: int, b: int) -> tuple[int, int, int]:
    return min(a, b), c, max(a, b)


def conflict_reason(conflict: EdgeConflict, names: Names) -> Explanation:
    """The contradiction behind a conflict about marks."""
    if conflict.bits is None:
        return about(names, "The knowledge given about {} and {} contradicts other knowledge.", *conflict.edge)
    return overruled_reason(conflict.triples[0], conflict.bits, conflict.kind == "knowledge", names)
