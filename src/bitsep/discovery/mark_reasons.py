"""The reasons for the marks of a PAG: why an edge is →, ↔, o→ or o—o, with the separators behind it."""

from __future__ import annotations

from collections.abc import Mapping

from bitsep.discovery.explanation import Explanation
from bitsep.discovery.mark_orientation import Marked
from bitsep.discovery.orientation import EdgeConflict
from bitsep.discovery.reasons import about, overruled_reason
from bitsep.figures import shown_bits
from bitsep.graphs.closure import ordered
from bitsep.graphs.end_marks import SIGNS
from bitsep.graphs.marks import bits
from bitsep.naming import Name

Names = tuple[Name, ...]
Separators = Mapping[tuple[int, int], tuple[frozenset[int], float]]

_READINGS: dict[str, tuple[str, str]] = {  # the sentence, and which end of the edge (a, b) each name is
    "→": ("{} → {}: {} is a cause of {}.", "abab"),
    "↔": (
        "{} ↔ {}: a hidden common cause of {} and {} is the only reading that fits these tests, since neither is a "
        "cause of the other.",
        "abab",
    ),
    "o→": (
        "{} o→ {}: {} is not a cause of {}; {} is a cause of {}, or they have a hidden common cause.",
        "abbaab",
    ),
    "o—o": ("{} o—o {}: either can be a cause of the other, and they can have a hidden common cause.", "ab"),
}
_READINGS_IF_SELECTED: dict[str, tuple[str, str]] = {  # if rows may be selected by what the variables cause
    "→": (
        "{} → {}: {} is a cause of {}, or of what selects the rows; {} is a cause of neither {} nor what selects them.",
        "ababba",
    ),
    "↔": (
        "{} ↔ {}: neither {} nor {} is a cause of the other, or of what selects the rows; hidden variables connect "
        "them, as a common cause or through the selection.",
        "abab",
    ),
    "o→": (
        "{} o→ {}: {} is a cause of neither {} nor what selects the rows; {} can be a cause of either, or hidden "
        "variables connect them, as a common cause or through the selection.",
        "abbaa",
    ),
    "o—o": (
        "{} o—o {}: either can be a cause of the other, or of what selects the rows, and hidden variables can connect "
        "them.",
        "ab",
    ),
    "—": ("{} — {}: both are causes of what selects the rows; one can be a cause of the other as well.", "ab"),
    "—o": ("{} —o {}: {} is a cause of {}, or of what selects the rows.", "abab"),
}
_CIRCLE = Explanation("graphs with a tail and graphs with an arrowhead there fit the tests equally well.")


class MarkReasons:
    """Why each edge has its marks."""

    def __init__(self, marked: Marked, separators: Separators, names: Names) -> None:
        self._marked = marked
        self._separators = separators
        self._names = names

    def of(self, i: int, j: int) -> Explanation:
        """What the edge between i and j says, and why it has its marks."""
        ends = self._marked.ends
        marks = ends.mark(i, j), ends.mark(j, i)
        sign = next((sign for sign, known in SIGNS.items() if known == marks), None)
        if sign is None:
            i, j = j, i
            sign = next(sign for sign, known in SIGNS.items() if known == marks[::-1])
        text, order = (_READINGS_IF_SELECTED if self._marked.selection else _READINGS)[sign]
        reading = about(self._names, text, *({"a": i, "b": j}[end] for end in order))
        first, second = self._why(i, j), self._why(j, i)
        if first == second:
            if sign == "o—o":
                return Explanation.of("{} Circles: {}", reading, first)
            shown = Explanation.of("{} and {}", self._label(i, j), _lowered(self._label(j, i)))
            return Explanation.of("{} {}: {}", reading, shown, first)
        parts = (self._label(i, j), first, self._label(j, i), second)
        return Explanation.of("{} {}: {} {}: {}", reading, *parts)

    def _label(self, i: int, j: int) -> Explanation:
        """The mark at i on the edge between i and j, as the beginning of a sentence."""
        words = {"arrow": "Arrowhead", "tail": "Tail", "circle": "Circle"}
        return about(self._names, words[self._marked.ends.mark(i, j)] + " at {}", i)

    def _why(self, i: int, j: int) -> Explanation:
        """Why the edge between i and j has its mark at i."""
        ends = self._marked.ends
        kind = ends.mark(i, j)
        if kind == "circle":
            return _CIRCLE
        if (j, i) in self._marked.known:
            return Explanation("by the knowledge given.")
        partners = ends.arrows_at[i] & ~ends.adjacent[j] & ~(1 << j) if kind == "arrow" else 0
        if partners:
            return self._collider(i, j, list(bits(partners)))
        rule, used = self._marked.reasons.get((j, i), ("", ()))
        return self._by_rule(rule, used)

    def _collider(self, c: int, a: int, partners: list[int]) -> Explanation:
        weights = self._marked.bits
        best = max(partners, key=lambda b: weights.get(_triple(a, c, b), 0.0))
        weight = weights.get(_triple(a, c, best), 0.0)
        more = Explanation("")
        if len(partners) > 1:
            more = Explanation(" (and {} more like it)", (f"{len(partners) - 1}",))
        shown = about(self._names, "{} *→ {} ←* {}", a, c, best)
        if weight <= 0:
            text = "in the v-structure {}{}, which follows from decisions with more bits."
            return Explanation.of(text, shown, more)
        pair, given, separator = self._pair(a, best), shown_bits(weight), self._separator(a, best)
        if self._names[c] in separator:
            return Explanation.of(
                "in the v-structure {}{}, by {} bits of all separators of {}.", shown, more, given, pair
            )
        return Explanation.of(
            "in the v-structure {}{}, since {} are independent given {}, and by {} bits less so with {} in this set.",
            shown, more, pair, separator, given, (self._names[c],),
        )  # fmt: skip

    def _by_rule(self, rule: str, used: tuple[int, ...]) -> Explanation:
        """The reason for a mark that a rule of Zhang (2008) put."""
        names = self._names
        if rule in ("R1", "R7"):
            a, c, b = used
            into = "{} *→ {}" if rule == "R1" else "{} —o {}"
            start = about(names, into + ", and {} is not a collider between {} and {}", a, c, c, *ordered(a, b))
            separator = self._separator(a, b)
            if names[c] in separator:
                text = "{}, since they are independent given {} (" + rule + ")."
                return Explanation.of(text, start, separator)
            weight = -self._marked.bits.get(_triple(a, c, b), 0.0)
            if weight <= 0:
                return Explanation.of("{}, which follows from decisions with more bits (" + rule + ").", start)
            text = "{}, by {} bits of all their separators (" + rule + ")."
            return Explanation.of(text, start, shown_bits(weight))
        if rule in ("R2", "R8"):
            text = "otherwise the path over {} from {} to {} would become a cycle of causes (" + rule + ")."
            if self._marked.selection:
                text = "otherwise it would contradict the path over {} from {} to {} (" + rule + ")."
            return Explanation.of(text, (names[used[1]],), (names[used[0]],), (names[used[2]],))
        if rule == "R3":
            a, b, c, d = used
            text = "{} *→ {} ←* {}, while {} is not a collider between {} (R3)."
            return Explanation.of(text, *((names[v],) for v in (a, b, c, d)), self._pair(a, c))
        if rule == "R4":
            return self._by_path(used)
        if rule == "R5":
            shown = tuple(names[v] for v in used)
            return Explanation.of("it is on the cycle of {}, in which no variable can be a collider (R5).", shown)
        if rule == "R6":
            return Explanation.of("{} is a cause of what selects the rows (R6).", (names[used[1]],))
        if rule == "R9":
            text = "without it there would be a v-structure or a cycle on the path {} (R9)."
            if self._marked.selection:
                text = "without it there would be a v-structure or a contradiction on the path {} (R9)."
            return Explanation.of(text, tuple(names[v] for v in used))
        if rule == "R10":
            text = "{} is not a collider between {}, and from both of them paths lead to parents of {} (R10)."
            return Explanation.of(text, (names[used[0]],), self._pair(used[1], used[2]), (names[used[3]],))
        return Explanation("it follows from the other marks and the knowledge given.")

    def _by_path(self, path: tuple[int, ...]) -> Explanation:
        names, (d, b, c) = self._names, (path[0], path[-2], path[-1])
        collider = self._marked.mag.is_collider(*path[-3:])
        text = (
            "on the discriminating path {}, {} is "
            + ("" if collider else "not ")
            + "a collider, since the separator of {}, {}, "
            + ("does not contain it" if collider else "contains it")
            + " (R4)."
        )
        shown = tuple(names[v] for v in path)
        return Explanation.of(text, shown, (names[b],), self._pair(d, c), self._separator(d, c))

    def _pair(self, a: int, b: int) -> Names:
        i, j = ordered(a, b)
        return (self._names[i], self._names[j])

    def _separator(self, a: int, b: int) -> Names:
        """The separator that was found for a pair; nothing if knowledge requires the edge."""
        found = self._separators.get(ordered(a, b))
        return () if found is None else tuple(self._names[v] for v in sorted(found[0]))


def _lowered(label: Explanation) -> Explanation:
    return Explanation(label.template[0].lower() + label.template[1:], label.values)


def _triple(a: int, c: int, b: int) -> tuple[int, int, int]:
    return min(a, b), c, max(a, b)


def conflict_reason(conflict: EdgeConflict, names: Names) -> Explanation:
    """The contradiction behind a conflict about marks."""
    if conflict.bits is None:
        return about(
            names,
            "The knowledge given about {} and {} contradicts other knowledge, or no graph with these edges obeys it.",
            *conflict.edge,
        )
    return overruled_reason(conflict.triples[0], conflict.bits, conflict.kind == "knowledge", names)
