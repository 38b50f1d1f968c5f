"""The edges of a discovery as a table of text, in the terminal and in notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bitsep.discovery.doubts import doubts_about
from bitsep.discovery.evidence import EdgeEvidence, EdgeSaving
from bitsep.figures import shown_bits, shown_per_row
from bitsep.naming import Name, name_key, shown_name, shown_names

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery

Evidence = EdgeEvidence | EdgeSaving


@dataclass(frozen=True, slots=True)
class EdgeTable:
    """Titles of columns, those of columns with numbers, and for each edge its cells and whether it is doubtful."""

    head: tuple[str, ...]
    numbers: frozenset[str]
    rows: tuple[tuple[tuple[str, ...], bool], ...]


def edge_table(found: Discovery) -> EdgeTable:
    """The edges, the strongest first, with their bits, effect, margin, support, probability and conditioning set."""
    numbers = ["bits", "per row", "share"]
    numbers += [] if found.by_score else ["margin"]
    numbers += ["support", "probability"] if found.support else []
    head = ("from", "", "to", *numbers, "other parents" if found.by_score else "weakest given")
    edges = [_drawn(a, sign, b, found.edges[frozenset((a, b))]) for a, sign, b in found.graph.edge_lines()]
    rows = []
    for a, sign, b, evidence in sorted(edges, key=lambda edge: -_strength(edge[3])):
        pair = frozenset((a, b))
        cells = [shown_name(a), sign, shown_name(b), *_numbers(evidence)]
        if found.support:
            cells += [_agreement(a, sign, b, evidence), f"{found.probability[pair]:.0%}"]
        cells.append(shown_names(evidence.given, "none" if found.by_score else "nothing"))
        rows.append((tuple(cells), bool(doubts_about(found, pair))))
    return EdgeTable(head, frozenset(numbers), tuple(rows))


def _drawn(a: Name, sign: str, b: Name, evidence: Evidence) -> tuple[Name, str, Name, Evidence]:
    """An edge; in a search by score from the parent to the child of the best DAG, since its bits are of the child."""
    ends = (evidence.parent, evidence.child) if isinstance(evidence, EdgeSaving) else (a, b)
    return ends[0], sign, ends[1], evidence


def _strength(evidence: Evidence) -> float:
    return float("inf") if evidence.strength_bits is None else evidence.strength_bits


def _numbers(evidence: Evidence) -> tuple[str, ...]:
    effect = _effect(evidence)
    if isinstance(evidence, EdgeSaving):
        return ("required" if evidence.required else shown_bits(evidence.saved_bits), *effect)
    if evidence.strength_bits is None or evidence.margin_bits is None:
        return "required", *effect, ""
    return shown_bits(evidence.strength_bits), *effect, shown_bits(evidence.margin_bits, "+")


def _effect(evidence: Evidence) -> tuple[str, str]:
    """Bits per row and the share of the entropy."""
    per_row, share = evidence.bits_per_row, evidence.entropy_share
    return "" if per_row is None else shown_per_row(per_row), "" if share is None else f"{share:.1%}"


def _agreement(a: Name, sign: str, b: Name, evidence: Evidence) -> str:
    """The share of bootstrap samples with the edge, and for each arrowhead of those that have it."""
    support = evidence.support
    if support is None:
        return ""
    forward, backward = support.forward, support.backward
    if name_key(a) > name_key(b):
        forward, backward = backward, forward
    arrows = {"→": f" (→ {forward:.0%})", "o→": f" (→ {forward:.0%})", "↔": f" (→ {forward:.0%}, ← {backward:.0%})"}
    return f"{support.edge:.0%}{arrows.get(sign, '')}"
