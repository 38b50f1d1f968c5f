"""Why two variables of a discovery have an edge, or why they do not, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitsep.discovery.doubts import doubts_about, with_copies
from bitsep.discovery.evidence import EdgeCost, EdgeSaving, Support
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.pair_explanations import explain_edge, explain_exclusion, explain_separation
from bitsep.discovery.score_explanations import explain_cost, explain_saving
from bitsep.errors import ArgumentError, UnknownColumnError
from bitsep.graphs import PAG
from bitsep.naming import Name, name_key, unknown_column

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery


def explain_pair(discovery: Discovery, a: Name, b: Name) -> Explanation:
    """See `Discovery.explanation`."""
    for name in (a, b):
        if name not in discovery.variables:
            raise _unknown(discovery, name)
    if a == b:
        raise ArgumentError(f"explain: needs two different variables, got {a!r} twice.")
    a, b = sorted((a, b), key=name_key)
    pair = frozenset((a, b))
    lines = [_evidence(discovery, a, b)]
    if pair in discovery.probability and pair not in discovery.excluded:
        share = f"{discovery.probability[pair]:.0%}"
        text = "The probability that the true graph has this edge is about {}"
        doubts = doubts_about(discovery, pair)
        lines.append(with_copies(text, (share,), () if doubts else discovery.probability.apart(pair)))
        lines += [doubt.reason for doubt in doubts]
    return lines[0] if len(lines) == 1 else Explanation.lines(*lines)


def _unknown(discovery: Discovery, name: Name) -> UnknownColumnError:
    """The error for a name that is not a variable; it says why if it is a column that was left out."""
    for alert in discovery.left_out:
        if alert.column == name:
            hint = f"{alert.message} {alert.advice} Keep it with keep= (--keep in the shell)."
            return UnknownColumnError(f"explain: the search left out the column {name!r}.", hint=hint)
    if name in discovery.settings.get("exclude", ()):
        return UnknownColumnError(
            f"explain: the column {name!r} was excluded from the search.", hint="Take it out of exclude=."
        )
    return unknown_column("explain", name, discovery.variables, "variable")


def _evidence(discovery: Discovery, a: Name, b: Name) -> Explanation:
    pair = frozenset((a, b))
    if pair in discovery.edges:
        edge = discovery.edges[pair]
        if isinstance(edge, EdgeSaving):
            return explain_saving(a, b, edge, discovery.settings["score"])
        return explain_edge(a, b, edge, in_pag=isinstance(discovery.graph, PAG))
    if pair in discovery.excluded:
        return explain_exclusion(a, b)
    support = discovery.support.get(pair, Support(0.0, 0.0, 0.0)) if discovery.settings["bootstrap"] else None
    missing = discovery.separations[pair]
    if isinstance(missing, EdgeCost):
        return explain_cost(a, b, missing, discovery.settings["score"], discovery.rows_share, support)
    return explain_separation(a, b, missing, discovery.rows_share, support)
