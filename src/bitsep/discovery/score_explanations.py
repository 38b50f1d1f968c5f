"""Explanations of graphs found by score: why two variables have an edge, or why they do not."""

from __future__ import annotations

from bitsep.discovery.evidence import EdgeCost, EdgeSaving, Obstacle, Support
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.pair_explanations import RowsShare, effect_size, in_bits, support_of_edge, support_of_missing_edge
from bitsep.naming import Name


def explain_saving(a: Name, b: Name, evidence: EdgeSaving, score: str) -> Explanation:
    """Why a and b have an edge."""
    if evidence.rows == 0:
        text = "{} have an edge: the knowledge given requires it, but no row has values in {} and all its parents."
        lines = [Explanation(text, ((a, b), (evidence.child,)))]
    else:
        change = "longer" if evidence.saved_bits >= 0 else "shorter"
        lines = [
            Explanation.of(
                "{} have an edge: without {} as a parent{}, the code of {} would be " + change + " by {}.",
                (a, b), (evidence.parent,), _besides(evidence.given), (evidence.child,),
                _measured(evidence.saved_bits, evidence.rows, score),
            )
        ]  # fmt: skip
        if evidence.bits_per_row is not None and evidence.saved_bits > 0:
            lines.append(effect_size(evidence.bits_per_row, evidence.entropy_share))
        if evidence.required:
            lines.append(Explanation("The knowledge given requires the edge."))
    lines.append(evidence.orientation)
    if evidence.support is not None:
        lines.append(support_of_edge(a, b, evidence.support))
    return Explanation.lines(*lines)


def explain_cost(
    a: Name, b: Name, evidence: EdgeCost, score: str, share: RowsShare, support: Support | None
) -> Explanation:
    """Why a and b have no edge."""
    parent, child = evidence.parent, evidence.child
    if evidence.cost_bits is None:
        why = _prevented(parent, child, evidence.obstacle)
        if evidence.obstacle in ("constant", "no_values"):
            lines = [Explanation.of("{} have no edge: {}.", (a, b), why)]
        else:
            other = _prevented(child, parent, evidence.opposite_obstacle)
            lines = [Explanation.of("{} have no edge: {}, and {}.", (a, b), why, other)]
    else:
        change = "longer" if evidence.cost_bits >= 0 else "shorter"
        lines = [
            Explanation.of(
                "{} have no edge: with {} as a parent{}, the code of {} would be " + change + " by {}.",
                (a, b), (parent,), _besides(evidence.given), (child,),
                _measured(evidence.cost_bits, evidence.rows, score),
            )
        ]  # fmt: skip
        if evidence.margin_bits < 0:
            lines.append(Explanation("The search did not try it."))
        elif evidence.cost_bits < 0:
            lines.append(Explanation.of("min_effect demands {}.", in_bits(evidence.demanded_bits)))
        lines += share.caution(evidence.rows)
        if evidence.opposite_bits is None:
            lines.append(
                Explanation.of("The other direction: {}.", _prevented(child, parent, evidence.opposite_obstacle))
            )
        else:
            text = "{} → {} would cost {}."
            lines.append(Explanation.of(text, (child,), (parent,), in_bits(evidence.opposite_bits)))
    if support is not None:
        lines.append(support_of_missing_edge(support))
    return Explanation.lines(*lines)


def _prevented(parent: Name, child: Name, obstacle: Obstacle | None) -> Explanation:
    """Why parent → child is not possible."""
    if obstacle == "constant":
        return Explanation("{} is constant, so it carries no information", ((child,),))
    if obstacle == "no_values":
        return Explanation("{} has no values", ((child,),))
    if obstacle == "max_parents":
        return Explanation("{} has as many parents as max_parents allows", ((child,),))
    if obstacle == "missing":
        return Explanation("{} has values in too few rows to be a parent (min_rows_share)", ((parent,),))
    if obstacle == "rows":
        return Explanation("no row has values in {}, its parents and {}", ((child,), (parent,)))
    arrow = Explanation("{} → {}", ((parent,), (child,)))
    if obstacle == "knowledge":
        return Explanation.of("the knowledge given forbids {}", arrow)
    return Explanation.of("{} would close a directed cycle", arrow)


def _besides(given: tuple[Name, ...]) -> Explanation:
    return Explanation(" besides {}", (given,)) if given else Explanation("")


def _measured(bits: float, rows: int, score: str) -> Explanation:
    return Explanation.of("{} ({} rows, " + score + ")", in_bits(abs(bits)), f"{rows:,}")
