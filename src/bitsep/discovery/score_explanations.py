"""Explanations of graphs found by score: why two variables have an edge, or why they do not."""

from __future__ import annotations

from bitsep.discovery.evidence import EdgeCost, EdgeSaving, Support
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.pair_explanations import in_bits, support_of_edge, support_of_missing_edge
from bitsep.naming import Name


def explain_saving(a: Name, b: Name, evidence: EdgeSaving, score: str) -> Explanation:
    """Why a and b have an edge."""
    change = "longer" if evidence.saved_bits >= 0 else "shorter"
    lines = [
        Explanation.of(
            "{} have an edge: without {} as a parent{}, the code of {} would be " + change + " by {}.",
            (a, b), (evidence.parent,), _besides(evidence.given), (evidence.child,),
            _measured(evidence.saved_bits, evidence.rows, score),
        )
    ]  # fmt: skip
    if evidence.required:
        lines.append(Explanation("The knowledge given requires the edge."))
    lines.append(evidence.orientation)
    if evidence.support is not None:
        lines.append(support_of_edge(a, b, evidence.support))
    return Explanation.lines(*lines)


def explain_cost(a: Name, b: Name, evidence: EdgeCost, score: str, support: Support | None) -> Explanation:
    """Why a and b have no edge."""
    parent, child = (evidence.parent,), (evidence.child,)
    if evidence.obstacle == "constant":
        lines = [Explanation("{} have no edge: {} is constant, so it carries no information.", ((a, b), child))]
    elif evidence.cost_bits is None:
        text = "{} have no edge: the knowledge given forbids {} → {}, and {} → {} would close a directed cycle."
        lines = [Explanation(text, ((a, b), parent, child, child, parent))]
    else:
        change = "longer" if evidence.cost_bits >= 0 else "shorter"
        lines = [
            Explanation.of(
                "{} have no edge: with {} as a parent{}, the code of {} would be " + change + " by {}.",
                (a, b), parent, _besides(evidence.given), child,
                _measured(evidence.cost_bits, evidence.rows, score),
            ),
            _opposite(evidence),
        ]  # fmt: skip
    if support is not None:
        lines.append(support_of_missing_edge(support))
    return Explanation.lines(*lines)


def _opposite(evidence: EdgeCost) -> Explanation:
    """What the other direction would cost, or why it is not possible."""
    direction = Explanation("{} → {}", ((evidence.child,), (evidence.parent,)))
    if evidence.opposite_bits is not None:
        return Explanation.of("{} would cost {}.", direction, in_bits(evidence.opposite_bits))
    if evidence.obstacle == "knowledge":
        return Explanation.of("The knowledge given forbids {}.", direction)
    return Explanation.of("{} would close a directed cycle.", direction)


def _besides(given: tuple[Name, ...]) -> Explanation:
    return Explanation(" besides {}", (given,)) if given else Explanation("")


def _measured(bits: float, rows: int, score: str) -> Explanation:
    return Explanation.of("{} ({} rows, " + score + ")", in_bits(abs(bits)), f"{rows:,}")
